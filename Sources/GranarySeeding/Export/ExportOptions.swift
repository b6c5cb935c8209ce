public import GranaryBase
public import GranaryFormats
public import GranaryModel

/// The options of an ``Exporter``: entities, columns and the form of values.
public struct ExportOptions: Sendable {
    /// The form of references.
    public enum ReferenceStyle: String, Sendable, CaseIterable {
        /// The value of the destination's uniqueness constraint, such as `Burn`. The values of a constraint of several
        /// attributes are a JSON array: `["Smith","1970-01-01T00:00:00Z"]`.
        case key
        /// The `$id` of the destination, such as `Injury/p2`.
        case id
    }

    /// Which rows contain their `$id`.
    public enum Identifiers: Sendable {
        /// Every row of every entity.
        case always
        /// The rows of entities that exported relationships refer to by id, and of entities without a key.
        case whereNeeded
    }

    /// The entities to export, with their subentities; empty for all.
    public var entities: [String] = []
    /// The condition on the exported objects; nil for all objects. It needs exactly one entity in ``entities``, and
    /// also applies to the objects of its subentities.
    public var predicate: ObjectPredicate?
    /// The order of the objects. Empty: the order of their primary keys, which is also the order of objects with equal
    /// sort keys. An order, a limit or an offset needs exactly one entity without concrete subentities.
    public var sortDescriptors: [ObjectSortDescriptor] = []
    /// The maximum number of objects; nil for all. As in SQL, 0 exports none.
    public var limit: Int?
    /// The number of objects to skip, in the order of the export.
    public var offset = 0
    /// The columns, in this order: properties, `$id`, `$entity` (the name of the object's entity), and key paths such as
    /// `injury.name` and `patients.@count`. Empty for all that a new store needs. A table omits columns that its entity
    /// does not have. An importer refuses the column of a key path.
    public var columns: [String] = []
    /// The form of references. Nil: by key if the destination has an attribute that is unique by itself, otherwise by
    /// id.
    ///
    /// An importer uses the same rule. To import ids instead of such a key, set ``ImportOptions/lookups`` to
    /// ``ImportOptions/Lookup/identifier`` for the relationship.
    public var reference: ReferenceStyle?
    /// Which rows contain their `$id`. Nil: as needed in CSV and TSV, always in the other formats.
    public var identifiers: Identifiers?
    /// The number of rows that are read at once.
    public var batchSize = 512

    /// CSV and TSV: the text for NULL; nil for an empty field.
    public var nullText: String?
    /// The format of dates, except in property lists, which have a type for them.
    public var dates = DateStyle.iso8601
    /// The encoding of binary data, except in property lists, which have a type for it.
    public var binary = BinaryStyle.base64
    /// The encoding of property lists.
    public var propertyListEncoding = PropertyListEncoding.xml
    /// The parts of a constant table, for ``DataFormat/terms`` only.
    public var terms: Terms?

    /// A constant table of one entity: `A=Airway%B=Breathing`.
    public struct Terms: Sendable, Hashable {
        /// The attributes whose values make up a term.
        public var attributes: [String]
        /// The text between two terms.
        public var delimiter: String
        /// The text between the values of a term; nil for terms of one attribute.
        public var fieldDelimiter: String?
        /// The integer attribute that orders the terms; its values must be consecutive. Nil: the terms are in the order
        /// of the objects' primary keys.
        public var ordinal: String?

        /// A table of one attribute's values.
        public init(_ attributes: String..., delimiter: String) {
            self.attributes = attributes
            self.delimiter = delimiter
        }
    }

    package var cancellation: Cancellation?

    /// Creates options for all entities and all columns that a new store needs.
    public init() {}
}

/// The result of an export.
public struct ExportReport: Sendable, Hashable {
    /// One table of the export.
    public struct Table: Sendable, Hashable {
        /// The concrete entity.
        public var entity: String
        /// The number of objects written, without those of subentities.
        public var objects: Int
    }

    /// The tables, in the order in which they were written.
    public var tables: [Table] = []
    /// Warnings about rows that were not exported, and about the store and its model.
    public var warnings: [Diagnostic] = []

    /// The total number of objects.
    public var objects: Int { tables.reduce(0) { $0 + $1.objects } }
}
