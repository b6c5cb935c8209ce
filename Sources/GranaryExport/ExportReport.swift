public import GranaryBase

/// The result of an export.
public struct ExportReport: Sendable, Hashable {
    /// One table of the export.
    public struct Table: Sendable, Hashable {
        /// The entity that the table is named after.
        public var entity: String
        /// The number of objects written. Those of subentities have tables of their own, unless
        /// ``ExportOptions/combinesSubentities`` is set.
        public var objects: Int
    }

    /// The tables, in the order in which they were written.
    public var tables: [Table] = []
    /// The number of objects that were written inside other objects (``ExportOptions/nested``).
    public var nested = 0
    /// The names of the columns with values of expressions, which an import does not take.
    package var expressions: [String] = []
    /// Warnings about rows that were not exported, and about the store and its model.
    public var warnings: [Diagnostic] = []

    /// The total number of objects.
    public var objects: Int { tables.reduce(nested) { $0 + $1.objects } }
}

extension ExportReport: CustomStringConvertible {
    /// `exported 340 objects: Injury 8, Patient 300, nested 32`, then a line for each warning.
    public var description: String {
        let parts = tables.map { "\($0.entity) \($0.objects)" } + (nested > 0 ? ["nested \(nested)"] : [])
        let counts = "exported \(CountText.count(objects, "object"))"
        return
            ([counts + (parts.isEmpty ? "" : ": " + parts.joined(separator: ", "))]
            + warnings.map(\.description)).joined(separator: "\n")
    }
}
