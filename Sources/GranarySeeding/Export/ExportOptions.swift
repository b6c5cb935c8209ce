public import GranaryBase
public import GranaryFormats

/// What an ``Exporter`` exports, and how it writes values.
public struct ExportOptions: Sendable {
    /// How a relationship is written.
    public enum ReferenceStyle: String, Sendable, CaseIterable {
        /// The value of the destination's uniqueness constraint: `Burn`. A constraint of several attributes is a JSON
        /// array as text: `["Smith","1970-01-01T00:00:00Z"]`.
        case key
        /// The destination's own `$id`: `Injury/p2`.
        case id
    }

    /// Which rows say their `$id`.
    public enum Identifiers: Sendable {
        /// Every row of every entity.
        case always
        /// Where a relationship that is written refers to the entity by id, and where the entity has no key of its own.
        case whereNeeded
    }

    /// The entities, each standing for itself and its subentities; empty for all.
    public var entities: [String] = []
    /// The columns, in this order: properties, and `$id`. Empty for all that a new store needs. A table leaves out what
    /// its entity does not have.
    public var columns: [String] = []
    /// Nil for the key where the destination has an attribute that is unique by itself, otherwise the id.
    ///
    /// An importer decides by the same rule; for ids where there is a key it has to be told (`--lookup NAME=$id`).
    public var reference: ReferenceStyle?
    /// Nil for what the format is used to: where needed in CSV, always in JSON and property lists.
    public var identifiers: Identifiers?
    /// How many rows are read at once.
    public var batchSize = 512

    /// CSV and TSV: how NULL is written; nil for an empty field.
    public var nullText: String?
    /// How dates are written; property lists have dates of their own.
    public var dates = DateStyle.iso8601
    /// How binary data is written; property lists have data of their own.
    public var binary = BinaryStyle.base64
    /// The encoding of property lists.
    public var propertyListEncoding = PropertyListEncoding.xml
    /// What a constant table consists of; needed for ``DataFormat/terms`` only.
    public var terms: Terms?

    /// A constant table of one entity: `A=Airway%B=Breathing`.
    public struct Terms: Sendable, Hashable {
        /// The attributes whose values make up a term.
        public var attributes: [String]
        /// The text between two terms.
        public var delimiter: String
        /// The text between the values of a term; nil for terms of one attribute.
        public var fieldDelimiter: String?
        /// The integer attribute that orders the terms; its values must be consecutive. Nil: the terms are in the order of the
        /// objects' keys.
        public var ordinal: String?

        /// A table of one attribute's values.
        public init(_ attributes: String..., delimiter: String) {
            self.attributes = attributes
            self.delimiter = delimiter
        }
    }

    package var cancellation: Cancellation?

    /// All entities, all columns that a new store needs, references and identifiers by the default rules.
    public init() {}
}

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
