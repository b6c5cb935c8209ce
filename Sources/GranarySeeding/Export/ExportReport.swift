public import GranaryBase

/// What an export wrote.
public struct ExportReport: Sendable, Hashable {
    /// One table of the export.
    public struct Table: Sendable, Hashable {
        /// The concrete entity.
        public var entity: String
        /// How many objects of the entity were written, those of its subentities not counted.
        public var objects: Int
    }

    /// In the order of writing.
    public var tables: [Table] = []
    /// What was not exported, and what a user should know about the store and its model.
    public var warnings: [Diagnostic] = []

    /// How many objects were written in all.
    public var objects: Int { tables.reduce(0) { $0 + $1.objects } }
}
