package import GranaryBase
public import GranaryFormats
import GranaryModel
public import GranaryPredicates
public import GranaryRecords

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

    /// The place of binary values.
    public enum BlobPlace: String, Sendable, CaseIterable {
        /// In the table.
        case inline
        /// In files. The table contains their paths, and the sidecar names the columns with paths. The folder of the
        /// files is `blobs` in an exported folder, and `FILE.blobs` beside an exported file.
        case files
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
    /// The columns, in this order: properties, `$id`, `$entity` (the name of the object's entity), and key paths such
    /// as `injury.name` and `patients.@count`. Empty for all that a new store needs: `$id` where it is needed, the
    /// attributes, and the relationships, each sorted by the UTF-8 bytes of their names. A table omits columns that its
    /// entity does not have. An importer refuses the column of a key path.
    public var columns: [String] = []
    /// Whether the objects of an entity and of its subentities are one table, named after the entity, with the column
    /// `$entity`. It has the columns of all these entities. Without ``entities``, each entity without a superentity is
    /// such a table.
    public var combinesSubentities = false
    /// Whether to omit one side of a relationship if the table of the inverse is exported too and contains the same
    /// links: of a one-to-one relationship, and the to-one side of an ordered relationship. The side that is required
    /// remains, or else that of the entity with the lower number. An export that selects objects omits nothing.
    public var omitsInverses = false
    /// The relationships whose objects are written inside the object that refers to them, in JSON, JSON Lines and
    /// property lists. Each is the name of a relationship of an exported entity (`injuries`), that of one entity
    /// (`Patient.injuries`), or a path to objects inside these (`injuries.treatments`).
    ///
    /// Each object is written once: inside the first object that refers to it, or in its own table. Other references
    /// to it are written as references.
    public var nested: [String] = []
    /// Whether an object of ``nested`` is written inside every object that refers to it, not only inside the first.
    public var repeatsNested = false
    /// The form of references. Nil: by key if the destination has an attribute that is unique by itself, otherwise by
    /// id. An importer reads both.
    public var reference: ReferenceStyle?
    /// Which rows contain their `$id`. Nil: as needed in CSV and TSV, always in the other formats.
    public var identifiers: Identifiers?
    /// The number of rows that are read at once.
    public var batchSize = 1024

    /// CSV and TSV: the text for NULL; nil for an empty field.
    public var nullText: String?
    /// The format of dates, except in property lists, which have a type for them.
    public var dates = DateStyle.iso8601
    /// The encoding of binary data, except in property lists, which have a type for it.
    public var binary = BinaryStyle.base64
    /// How infinities and NaN are written, which stores of other programs can contain.
    public var nonFinite = NonFiniteStyle.error
    /// How a value is written whose external file is missing. It applies to the export of a single SQLite store.
    public var missingFiles = MissingFilePolicy.error
    /// Where the values of Binary and Transformable attributes are written that the model keeps in external storage.
    public var blobs = BlobPlace.inline
    /// CSV and TSV: whether fields that a spreadsheet would run as formulas begin with an apostrophe. To import them,
    /// set ``SourceOptions/isForSpreadsheets``, or keep the sidecar beside the file.
    public var isForSpreadsheets = false
    /// The separators, the encoding, and the forms of dates, fractions and Booleans. JSON has only its encoding and its
    /// dates, a property list none of them.
    public var form = TextForm()
    /// Whether a date that no format of ``form`` expresses exactly is written without the rest, with a warning that
    /// counts these dates. Otherwise it is an error.
    public var roundsDates = false
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
