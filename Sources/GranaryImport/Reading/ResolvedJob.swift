import GranaryBase
import GranaryCoordination
import GranaryFormats
import GranaryModel
import GranaryRecords

/// The state of one job of a run: its options resolved against the model, and the counts of its records.
final class ResolvedJob {
    let number: Int
    let job: ImportJob
    /// The entity of the records; nil if the sources name their entities.
    let entity: Schema.Entity?

    /// The entities of a job's objects.
    struct Entities {
        /// The entities whose objects the job can create or change.
        let imported: Set<Int>
        /// The entities of the job's records.
        let records: Set<Int>
        /// The entities of the job's records and of objects that can be nested in them.
        let nested: Set<Int>
    }

    /// The columns of the sources so far.
    private struct Seen {
        /// The names of all columns and members.
        var columns: Set<String> = []
        /// The relationships that a column or member fills.
        var relationships: Set<LinkOwners.Relation> = []
    }

    /// What happened to a job's records.
    struct Counts {
        /// The number of stored objects of each entity before the import, if the job prunes.
        var stored: [Int: Int] = [:]
        /// The entities of the records, and those of which a source is the file.
        var entities: Set<Int> = []
        var read = 0
        var skipped = 0
        /// The number of records that equal an earlier one and count as unchanged.
        var repeated = 0
        /// The number of blank lines skipped in CSV files of one column.
        var skippedBlankLines = 0
        /// The rejected records, by the number of their source in the run.
        var rejected: [Int32: RejectedRecords] = [:]
    }

    let schema: Schema
    private let capabilities: StoreCapabilities
    private var rowParsers: [Int: RowParser] = [:]
    /// For each entity, the number in ``KeyIndexes/all`` of the index that identifies the object of a row.
    var indexNumbers: [Int: Int] = [:]
    /// The entities whose rows find their stored objects by `$id`. A row without one is found by its natural key, if the
    /// entity has one.
    var identifiedEntities: Set<Int> = []
    /// The relationship whose links the sources contain.
    let linkRelationship: Schema.Relationship?
    let entities: Entities
    var counts = Counts()
    private var seen = Seen()
    private var distinct = DistinctRows()

    var rejectedCount: Int { counts.rejected.values.reduce(0) { $0 + $1.count } }

    let options: ImportOptions

    /// The options for the objects of an entity.
    func options(for entity: Schema.Entity) -> ImportOptions { options.applied(to: entity, in: schema) }

    /// The names of all columns and members in the sources so far.
    var seenColumns: Set<String> { seen.columns }

    /// The transformers that must read imported bytes: the built-in ones, and those of a container.
    var transformers = AttributeTransformers()

    /// The options for the current source: those of the job, and what the source's sidecar says where they say nothing.
    private(set) var readingOptions: ImportOptions
    /// Whether the current source is a property list; messages then name its elements.
    private var isPropertyList = false
    /// The natural keys of nested objects that were asked for.
    var nestedKeys: [LinkOwners.Relation: [String]?] = [:]
    /// Whether the records of the current source can contain objects.
    private var nests = true

    /// - Parameter nests: whether records can contain objects, of the destination entity of any relationship.
    /// - Throws: ``GranaryError`` with code `usage` for names that the model does not have.
    init(
        _ job: ImportJob, number: Int, schema: Schema, capabilities: StoreCapabilities, nests: Bool
    ) throws(GranaryError) {
        self.job = job
        var options = job.options
        options.jobEntity = job.entity
        self.options = options
        readingOptions = options
        self.number = number
        self.schema = schema
        self.capabilities = capabilities
        entity = try Self.entity(of: job, schema)
        linkRelationship = try Self.linkRelationship(of: job, entity)
        let records = Self.importedEntities(of: job, entity, schema, nests: false, withLookups: false)
        entities = Entities(
            imported: Self.importedEntities(of: job, entity, schema, nests: nests), records: records,
            nested: nests
                ? Self.importedEntities(of: job, entity, schema, nests: true, withLookups: false) : records)
        for source in job.sources { try Self.check(source.places, entity, schema) }
        try job.options.checkEntities(in: schema)
        try Self.checkNestedKeys(job.options, schema)
        for name in job.options.missingPolicies.keys.sorted()
        where !name.contains(".") && schema.entities.allSatisfy({ $0.relationship(named: name) == nil }) {
            let names = (entity.map { [$0] } ?? schema.entities).flatMap(\.relationships).map(\.name)
            throw GranaryError(
                .usage,
                "the policy for missing objects in \"\(name)\": there is no relationship \"\(name)\""
                    + NearestText.hint(for: name, in: names))
        }
        guard job.options.prunes else { return }
        if linkRelationship != nil {
            throw GranaryError(.usage, "a link file cannot be used for pruning, because it does not list all objects")
        }
        if job.options.onConflict == .error {
            throw GranaryError(
                .usage, "pruning needs a conflict policy other than error, with which rows find their stored objects",
                help: "--on-conflict update")
        }
    }

    private static func entity(of job: ImportJob, _ schema: Schema) throws(GranaryError) -> Schema.Entity? {
        guard let name = job.entity else { return nil }
        guard let found = schema.entity(named: name) else {
            let hint = NearestText.hint(for: name, in: schema.entities.map(\.name))
            throw GranaryError(.usage, "the model has no entity \"\(name)\"\(hint)")
        }
        // A record can name a subentity in its member `$entity`.
        let isPossible = found.family.contains { !schema.entities[$0].isAbstract }
        guard isPossible || job.options.linkRelationship != nil else {
            throw GranaryError(
                Diagnostic(
                    .entityAbstract, "\(name) and its subentities are abstract, so they have no objects",
                    entity: name))
        }
        return found
    }

    /// - Throws: ``GranaryError`` with code `usage` for places of records whose entity is unknown or not the job's.
    private static func check(
        _ places: [RecordPlace], _ entity: Schema.Entity?, _ schema: Schema
    ) throws(GranaryError) {
        for place in places {
            let path = Diagnostic.shortened(place.path)
            guard let name = place.entity else {
                if entity != nil { continue }
                throw GranaryError(
                    .usage, "which entity are the records in \"\(path)\"?",
                    help: OptionHelp.option("records", "ENTITY=\(place.path)"))
            }
            guard let found = schema.entity(named: name) else {
                let hint = NearestText.hint(for: name, in: schema.entities.map(\.name))
                throw GranaryError(
                    .usage,
                    "the model has no entity \"\(Diagnostic.shortened(name))\", of the records in \"\(path)\"\(hint)")
            }
            if let entity, !entity.family.contains(found.index) {
                throw GranaryError(
                    .usage, "the records in \"\(path)\" are of \(found.name), and the import is of \(entity.name)")
            }
        }
    }

    private static func linkRelationship(
        of job: ImportJob, _ entity: Schema.Entity?
    ) throws(GranaryError) -> Schema.Relationship? {
        guard let name = job.options.linkRelationship else { return nil }
        guard let entity else {
            throw GranaryError(.usage, "the links \"\(name)\" need the entity of their owners", help: "--entity ENTITY")
        }
        guard let relationship = entity.relationship(named: name), relationship.isToMany, relationship.isPersistent
        else {
            let names = entity.relationships.filter(\.isToMany).map(\.name)
            throw GranaryError(
                .usage,
                "the links \"\(name)\": \(entity.name) has no to-many relationship \"\(name)\""
                    + NearestText.hint(for: name, in: names))
        }
        return relationship
    }

    /// The entities whose objects the records of a source can create.
    func importedEntities(of source: ImportSource) -> Set<Int> {
        guard entity == nil else { return entities.imported }
        let named = source.places.compactMap { $0.entity.flatMap(schema.entity(named:)) }
        guard named.isEmpty else {
            return named.reduce(into: []) {
                $0.formUnion(Self.importedEntities(of: job, $1, schema, nests: source.nests))
            }
        }
        guard let named = source.entity(in: schema) else { return entities.imported }
        return Self.importedEntities(of: job, named, schema, nests: source.nests)
    }

    private static func importedEntities(
        of job: ImportJob, _ entity: Schema.Entity?, _ schema: Schema, nests: Bool, withLookups: Bool = true
    ) -> Set<Int> {
        guard let entity else { return Set(schema.entities.filter { !$0.isAbstract }.map(\.index)) }
        // A document can name subentities.
        var found = Set(entity.family)
        var open = Array(entity.family)
        while let next = open.popLast() {
            let options = job.options.applied(to: schema.entities[next], in: schema)
            for relationship in schema.entities[next].relationships {
                let policy = options.missingPolicies[relationship.name] ?? options.onMissing
                guard nests || (withLookups && policy == .create && entity.family.contains(next)) else { continue }
                // A nested object can name a subentity in its member `$entity`.
                let destination = relationship.destination
                let family = nests ? schema.entities[destination].family : destination..<destination + 1
                for entity in family where found.insert(entity).inserted { open.append(entity) }
            }
        }
        return found.filter { !schema.entities[$0].isAbstract }
    }

    /// Whether rows are matched with existing objects.
    var findsByKey: Bool { options.onConflict != .error || linkRelationship != nil }

    /// Whether records that are equal in all columns are one object. A link that is repeated is unchanged anyway.
    var mergesEqualRows: Bool { options.mergesEqualRows && linkRelationship == nil }

    /// Notes the digest of a record.
    ///
    /// - Returns: the place of an earlier record with the same digest; nil if there is none.
    func firstEqual(_ digest: DistinctRows.Digest, at place: RecordLocation) -> RecordLocation? {
        distinct.insert(digest, at: place)
    }

    /// The number in ``KeyIndexes/all`` of the index that finds the object of a row; nil if each row is a new object.
    func indexNumber(of entity: Schema.Entity) -> Int? { findsByKey ? indexNumbers[entity.index] : nil }

    /// Whether a row with an `$id` changes the stored object with this primary key.
    func findsByIdentifier(_ entity: Schema.Entity) -> Bool { identifiedEntities.contains(entity.index) }

    func rowParser(for entity: Schema.Entity) -> RowParser {
        if let rowParser = rowParsers[entity.index] { return rowParser }
        var options = readingOptions
        options.valueFiles = options.valueFiles?.ofRows(of: entity.name)
        let rowParser = RowParser(
            entity: entity, schema: schema, options: options, capabilities: capabilities,
            transformers: transformers, nests: nests, isPropertyList: isPropertyList)
        rowParsers[entity.index] = rowParser
        return rowParser
    }

    /// The columns of each entity in the current source.
    var plans: [ColumnPlan] { rowParsers.values.map(\.plan) }

    /// Adds the columns and counts of a source after its last record.
    func noteColumns(of reader: any RecordReader) {
        if !options.ignoredColumns.isEmpty { seen.columns.formUnion(reader.columns) }
        counts.skippedBlankLines += reader.abilities?.doubtfulBlankLines ?? 0
    }

    /// Starts a source, which has other columns than the last one.
    func beginSource(_ reader: any RecordReader, _ sidecar: ImportSidecar? = nil) {
        readingOptions = sidecar?.applied(to: options) ?? options
        noteFilled()
        isPropertyList = reader.abilities?.hasElements ?? false
        nests = reader.abilities?.nests ?? true
        rowParsers.removeAll()
    }

    private func noteFilled() {
        for rowParser in rowParsers.values {
            for relationship in rowParser.plan.entity.relationships where rowParser.plan.isFilled(relationship.name) {
                seen.relationships.insert(LinkOwners.Relation(relationship))
            }
        }
    }

    /// Whether any source of the job has a column for the relationship.
    func fills(_ relationship: Schema.Relationship) -> Bool {
        noteFilled()
        return seen.relationships.contains(LinkOwners.Relation(relationship))
    }
}
