import GranaryBase
import GranaryModel
import GranaryPredicates

/// Turns rows of the older version into rows of the newer one.
struct RowMigration {
    private let mapping: ModelMapping
    private let rules: MigrationRules
    /// What is done with the rows of each older entity; nil if they are dropped.
    private let plans: [Plan?]
    /// The number that is added to the keys of each older entity's objects.
    let keyOffsets: [Int64]
    /// The objects that are dropped, by the index of the older root.
    private let droppedKeys: [Int: KeySet]
    /// The files that were found missing, if they are read as NULL.
    private let missingFiles: MissingExternalFiles?
    /// The objects whose links are not those in the store, by older relationship.
    private let changedLinks: [LinkLayout.ID: KeySet]

    init(
        _ mapping: ModelMapping, _ rules: MigrationRules, keyOffsets: [Int64], droppedKeys: [Int: KeySet],
        missingFiles: MissingExternalFiles? = nil, changedLinks: [LinkLayout.ID: KeySet]? = nil
    ) {
        self.changedLinks = changedLinks ?? [:]
        self.missingFiles = missingFiles
        self.mapping = mapping
        self.rules = rules
        self.keyOffsets = keyOffsets
        self.droppedKeys = droppedKeys
        plans = mapping.old.entities.map { entity in
            guard let new = mapping.newEntity(of: entity.index), let sources = mapping.entities[entity.index] else {
                return nil
            }
            return Plan(mapping.new.entities[new], sources, mapping, rules)
        }
    }

    /// Whether the rows are those of the older version.
    var isIdentity: Bool {
        mapping.old === mapping.new && droppedKeys.isEmpty && rules.fills.isEmpty && rules.policies.isEmpty
    }

    /// Whether an object is kept. Objects that do not exist count as kept.
    func keeps(_ key: Int64, entity: Int) -> Bool {
        guard mapping.newEntity(of: entity) != nil else { return false }
        return !(droppedKeys[mapping.old.entities[entity].root]?.contains(key) ?? false)
    }

    /// The primary key in the newer version of an object that is kept.
    func newKey(_ key: Int64, entity: Int) throws(GranaryError) -> Int64 {
        let (sum, overflow) = key.addingReportingOverflow(keyOffsets[entity])
        guard !overflow, sum < .max else {
            throw GranaryError(
                .refused, "there are no keys left for the objects of \(mapping.old.entities[entity].name)")
        }
        return sum
    }

    /// Returns the rows of a batch in the newer version, by the index of their root.
    func migrate(
        _ batch: inout RowBatch, _ tally: inout MigrationTally, _ problems: inout MigrationProblems
    ) throws -> [(root: Int, rows: RowBatch)] {
        var results: [(root: Int, rows: RowBatch)] = []
        var texts: [Int: ValueCells] = [:]
        var place = 0
        for row in batch.rows.indices {
            let header = batch.rows[row]
            let old = Int(header.entity)
            guard let plan = plans[old], keeps(header.key, entity: old) else {
                tally.dropped[old] += 1
                // Duplicates are reported where they are found.
                if plans[old] == nil {
                    problems.add(
                        mapping.newEntities[old] == nil ? .droppedObjects : .abstractObjects,
                        entity: mapping.old.entities[old].name, property: nil,
                        object: batch.objectName(row: row, mapping.old))
                }
                continue
            }
            let root = plan.entity.root
            if !results.indices.contains(place) || results[place].root != root {
                place = results.firstIndex { $0.root == root } ?? results.count
                // The bytes are shared until a batch adds to them.
                if place == results.count {
                    var rows = RowBatch()
                    rows.bytes = batch.bytes
                    results.append((root, rows))
                }
            }
            try append(
                row, of: batch, old, plan, to: &results[place].rows, &texts[place, default: ValueCells()], &tally,
                &problems)
        }
        return results
    }

    // MARK: One row

    private func append(
        _ row: Int, of batch: borrowing RowBatch, _ old: Int, _ plan: Plan, to rows: inout RowBatch,
        _ values: inout ValueCells, _ tally: inout MigrationTally, _ problems: inout MigrationProblems
    ) throws {
        let header = batch.rows[row]
        let first = rows.cells.count
        rows.rows.append(
            RowBatch.Header(
                entity: Int32(truncatingIfNeeded: plan.entity.index), key: try newKey(header.key, entity: old),
                version: header.version, firstCell: first))
        for slot in plan.copied { rows.cells.append(slot < 0 ? .null : batch.cells[header.firstCell + slot]) }
        carryReported(header.key, old, plan, rows, &tally)
        var isChanged = try run(plan.steps, plan.entity, &rows, &values, &tally, &problems)
        if let policy = rules.policies[plan.entity.index] {
            try policy(batch, row, &rows, rows.rows.count - 1)
            isChanged = true
        }
        let files = missingFileSteps(plan, mapping.old.entities[old].name, header.key)
        if !files.isEmpty { isChanged = try run(files, plan.entity, &rows, &values, &tally, &problems) || isChanged }
        isChanged = try run(plan.requirements, plan.entity, &rows, &values, &tally, &problems) || isChanged
        isChanged = noteDropped(row, of: batch, plan, &problems) || isChanged
        if !isChanged, !changedLinks.isEmpty {
            isChanged = mapping.old.entities[old].relationships.contains {
                !$0.isToMany && changedLinks[LinkLayout.ID($0)]?.contains(header.key) ?? false
            }
        }
        tally.kept[plan.entity.index] += 1
        if isChanged { tally.changed[plan.entity.index] += 1 }
        if keyOffsets[old] != 0 { tally.renumbered[plan.entity.index] += 1 }
    }

    /// The requirements of attributes whose values are NULL because their files are missing.
    private func missingFileSteps(_ plan: Plan, _ entity: String, _ key: Int64) -> [Step] {
        guard let missingFiles, !plan.filed.isEmpty else { return [] }
        return plan.filed.filter { missingFiles.contains(entity: entity, key: key, property: $0.source.name) }
            .map { .require($0.attribute, $0.attribute.description.defaultValue, countsAsChange: true) }
    }

    /// Runs steps on the last row.
    ///
    /// - Returns: whether a value or a reference changes.
    private func run(
        _ steps: [Step], _ entity: Schema.Entity, _ rows: inout RowBatch, _ values: inout ValueCells,
        _ tally: inout MigrationTally, _ problems: inout MigrationProblems
    ) throws -> Bool {
        let row = rows.rows.count - 1
        let first = rows.rows[row].firstCell
        var isChanged = false
        for step in steps {
            switch step {
            case .convert(let attribute):
                isChanged = convert(attribute, &rows, &tally, &problems) || isChanged
            case .inline(let attribute): try inline(attribute, &rows)
            case .refer(let relationship):
                isChanged = try refer(relationship, entity, &rows, &problems) || isChanged
            case .require(let attribute, let value, let countsAsChange):
                guard rows.cells[first + attribute.slot] == .null else { continue }
                if let value {
                    rows.cells[first + attribute.slot] = values.cell(for: value, in: &rows)
                    isChanged = isChanged || countsAsChange
                } else if !isReported(attribute, rows, tally) {
                    noteReported(attribute, rows, &tally)
                    problems.add(
                        .missingValue, entity: entity.name, property: attribute.name,
                        object: rows.objectName(row: row, mapping.new))
                }
            case .requireObject(let relationship):
                guard rows.cells[first + relationship.slot] == .null else { continue }
                problems.add(
                    .missingObject, entity: entity.name, property: relationship.name,
                    object: rows.objectName(row: row, mapping.new))
            }
        }
        return isChanged
    }

    /// - Returns: whether the value changes.
    private func convert(
        _ attribute: Schema.Attribute, _ rows: inout RowBatch, _ tally: inout MigrationTally,
        _ problems: inout MigrationProblems
    ) -> Bool {
        let row = rows.rows.count - 1
        let cell = rows[row, attribute.slot]
        if cell == .null { return false }
        let kind: MigrationProblem.Kind
        switch NumberConversion.convert(cell, in: rows, to: attribute.type) {
        case .exact(let converted):
            rows[row, attribute.slot] = converted
            return true
        case .rounded(let converted):
            rows[row, attribute.slot] = converted
            kind = .rounding
        case .outOfRange:
            kind = .range
            if rules.passesOver {
                rows[row, attribute.slot] = .null
                noteReported(attribute, rows, &tally)
            }
        }
        problems.add(
            kind, entity: mapping.new.entities[Int(rows.rows[row].entity)].name, property: attribute.name,
            object: rows.objectName(row: row, mapping.new))
        return true
    }

    // MARK: Reported values

    private func isReported(_ attribute: Schema.Attribute, _ rows: borrowing RowBatch, _ tally: MigrationTally) -> Bool
    {
        guard !tally.reported.isEmpty, let row = rows.rows.last else { return false }
        return tally.reported.contains(row.key, entity: Int(row.entity), slot: attribute.slot)
    }

    private func noteReported(
        _ attribute: Schema.Attribute, _ rows: borrowing RowBatch, _ tally: inout MigrationTally
    ) {
        guard rules.passesOver, let row = rows.rows.last else { return }
        tally.reported.insert(row.key, entity: Int(row.entity), slot: attribute.slot)
    }

    /// Notes the values of the last row that are NULL because an earlier step could not compute them.
    private func carryReported(
        _ key: Int64, _ old: Int, _ plan: Plan, _ rows: borrowing RowBatch, _ tally: inout MigrationTally
    ) {
        guard !rules.reported.isEmpty, let row = rows.rows.last else { return }
        for (slot, source) in plan.copied.enumerated()
        where source >= 0 && rules.reported.contains(key, entity: old, slot: source) {
            tally.reported.insert(row.key, entity: Int(row.entity), slot: slot)
        }
    }

    // MARK: Cells

    /// An attribute without external storage has no files.
    private func inline(_ attribute: Schema.Attribute, _ rows: inout RowBatch) throws {
        let row = rows.rows.count - 1
        guard let path = rows.externalFile(row: row, slot: attribute.slot) else { return }
        let bytes = try ByteSource(path: path).readAll(limit: RowBatch.fileLimit)
        rows[row, attribute.slot] = bytes.withUnsafeBufferPointer { rows.cell(for: .binary($0)) }
    }

    /// Sets a reference to the entity of the newer version.
    ///
    /// - Returns: whether the reference is dropped.
    private func refer(
        _ relationship: Schema.Relationship, _ entity: Schema.Entity, _ rows: inout RowBatch,
        _ problems: inout MigrationProblems
    ) throws -> Bool {
        let row = rows.rows.count - 1
        guard case .reference(let key, let old) = rows[row, relationship.slot] else { return false }
        guard let target = try newObject(key, entity: Int(old), of: relationship) else {
            rows[row, relationship.slot] = .null
            // ``HeldLinks`` reports links between objects that are kept.
            if !keeps(key, entity: Int(old)) {
                problems.add(
                    .droppedLinks, entity: entity.name, property: relationship.name,
                    object: rows.objectName(row: row, mapping.new))
            }
            if !relationship.description.isOptional {
                problems.add(
                    .missingObject, entity: entity.name, property: relationship.name,
                    object: rows.objectName(row: row, mapping.new))
            }
            return true
        }
        rows[row, relationship.slot] = .reference(key: target.key, entity: Int32(truncatingIfNeeded: target.entity))
        return false
    }

    /// The object of the newer version at the other end of a relationship; nil if the relationship cannot lead to it.
    func newObject(
        _ key: Int64, entity old: Int, of relationship: Schema.Relationship
    ) throws(GranaryError) -> (key: Int64, entity: Int)? {
        guard keeps(key, entity: old) else { return nil }
        // A reference to no object keeps the declared entity, which can be abstract.
        guard let entity = mapping.newEntities[old], mapping.new.entity(entity, isKindOf: relationship.destination)
        else { return nil }
        return (try newKey(key, entity: old), entity)
    }

    /// - Returns: whether the row has a value that is dropped.
    private func noteDropped(
        _ row: Int, of batch: borrowing RowBatch, _ plan: Plan, _ problems: inout MigrationProblems
    ) -> Bool {
        var isChanged = false
        for attribute in plan.droppedAttributes where batch[row, attribute.slot] != .null {
            problems.add(
                .droppedValues, entity: plan.entity.name, property: attribute.name,
                object: batch.objectName(row: row, mapping.old))
            isChanged = true
        }
        // ``HeldLinks`` reports the links.
        for relationship in plan.droppedReferences where batch[row, relationship.slot] != .null { isChanged = true }
        return isChanged
    }
}
