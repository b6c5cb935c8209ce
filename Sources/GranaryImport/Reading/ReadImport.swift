import GranaryBase
import GranaryCoordination
import GranaryModel

/// The result of reading: the rows that wait, the natural keys and the references, before it is decided which records
/// are accepted. Rows that do not wait are in the store already.
struct ReadImport {
    /// The natural keys after all records are read.
    struct Keys {
        let indexes: KeyIndexes
        let recordsByObject: RecordsByObject
        /// The numbers of the indexes whose keys records change.
        let stale: [Int]
        /// The natural keys of rejected records, by the number of their index in ``KeyIndexes/all``.
        let rejectedKeys: [Int: [(key: [UInt8], entry: NaturalKeyIndex.Entry)]]

        /// - Parameter identifiers: the `$id` of objects, if it is a key.
        init(_ indexes: KeyIndexes, _ identifiers: NaturalKeyIndex?, _ schema: Schema) {
            self.indexes = indexes
            recordsByObject = RecordsByObject(indexes, identifiers, schema)
            stale = indexes.stale
            var rejectedKeys: [Int: [(key: [UInt8], entry: NaturalKeyIndex.Entry)]] = [:]
            for index in stale { rejectedKeys[index] = indexes.all[index].index.rejectedEntries }
            self.rejectedKeys = rejectedKeys
        }
    }

    let schema: Schema
    let rules: ImportRules
    let sources: ImportSources
    let keys: Keys
    let references: ReferenceTable
    let uses: RecordUses
    let places: RowPlaces
    let stream: RowStream
    /// The rows that wait.
    let spool: RowSpool
    /// The primary keys before the first row.
    let keysBefore: PrimaryKeys
    /// The primary keys after the last row.
    let primaryKeys: PrimaryKeys
    /// The number of references that were left out while reading.
    let leftOut: [KnownObjects.LeftOutPlace: Int]
    /// The records that mention a nested object without a required value, which no other mention has.
    let incomplete: [(record: RecordID, problem: Diagnostic)]
    let storeVersion: Int64

    init(_ reader: ImportReader, _ spool: RowSpool, keysBefore: PrimaryKeys, storeVersion: Int64) {
        schema = reader.schema
        rules = reader.rules
        sources = reader.sources
        let isKey = reader.sources.jobs.contains { !$0.identifiedEntities.isEmpty }
        keys = Keys(
            reader.context.keyIndexes, isKey ? reader.context.references.identifiers : nil, reader.schema)
        references = reader.context.references
        uses = reader.uses
        places = reader.places
        stream = reader.stream
        self.spool = spool
        self.keysBefore = keysBefore
        primaryKeys = reader.primaryKeys
        leftOut = reader.known.leftOut
        incomplete = reader.nestedObjects.incomplete(files: reader.sources.files)
        self.storeVersion = storeVersion
    }

    /// A diagnostic at the field of a reference.
    func diagnostic(_ reference: ReferenceTable.Reference, _ code: Diagnostic.Code, _ message: String) -> Diagnostic {
        Diagnostic(
            code, message, at: reference.place.position(files: sources.files), field: references.field(of: reference),
            entity: schema.entities[Int(reference.entity)].name,
            property: references.relationship(of: reference).name)
    }
}
