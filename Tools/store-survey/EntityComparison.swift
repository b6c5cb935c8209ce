import GranaryBase
import GranaryContexts
import GranaryCoordination
import GranaryCoreDataStore
import GranaryInspection
import GranaryModel

/// Compares all objects of one entity, read through the store, with plain SQL.
struct EntityComparison {
    let store: SQLiteStore
    let plain: PlainStore
    let entity: Schema.Entity
    let plan: PlainPlan

    init(_ store: SQLiteStore, _ plain: PlainStore, _ entity: Schema.Entity) {
        self.store = store
        self.plain = plain
        self.entity = entity
        plan = PlainPlan(entity, store.layout)
    }

    func run() throws -> ComparisonCounts {
        var counts = ComparisonCounts()
        do {
            try compareAll(&counts)
        } catch {
            // An unreadable row ends the reading of all rows, so the rows are read one by one.
            counts = ComparisonCounts()
            try compareOneByOne(&counts)
        }
        return counts
    }

    private func compareAll(_ counts: inout ComparisonCounts) throws {
        let rows = try PlainRows(plain, plan)
        var isOutOfStep = false
        try store.read(entities: entity.index..<entity.index + 1, batchSize: 500) { batch in
            for row in batch.rows.indices {
                let key = batch.rows[row].key
                guard let expected = try rows.next(), expected.key == key else {
                    counts.addUnequal("\(plan.table) (Z_PK \(key)): a row that SQL does not return here")
                    isOutOfStep = true
                    return false
                }
                compare(batch, row, expected, &counts)
            }
            return true
        }
        while !isOutOfStep, let missing = try rows.next() {
            counts.addUnequal("\(plan.table) (Z_PK \(missing.key)): a row that Granary does not read")
        }
    }

    private func compareOneByOne(_ counts: inout ComparisonCounts) throws {
        let rows = try PlainRows(plain, plan)
        while let expected = try rows.next() {
            do {
                let batch = try store.read(root: entity.root, keys: [expected.key])
                guard batch.rows.count == 1 else {
                    counts.addUnequal("\(plan.table) (Z_PK \(expected.key)): \(batch.rows.count) rows")
                    continue
                }
                compare(batch, 0, expected, &counts)
            } catch {
                if isMissingFile(expected) {
                    counts.rowsWithoutFile += 1
                } else {
                    counts.addFailure("\(plan.table) (Z_PK \(expected.key)): \(ErrorText.line(error))")
                }
            }
        }
    }

    private func isMissingFile(_ row: PlainRow) -> Bool {
        plan.columns.contains { column in
            guard case .attribute(let attribute, let isTagged) = column.property,
                case .missingFile = value(row, column, attribute, isTagged)
            else { return false }
            return true
        }
    }

    private func value(
        _ row: PlainRow, _ column: PlainPlan.Column, _ attribute: Schema.Attribute, _ isTagged: Bool
    ) -> PlainValue {
        PlainValue(row.cells[column.cell], type: attribute.type, isTagged: isTagged, storePath: store.path)
    }

    private func compare(
        _ batch: borrowing RowBatch, _ row: Int, _ expected: PlainRow, _ counts: inout ComparisonCounts
    ) {
        counts.rows += 1
        let place = "\(plan.table) (Z_PK \(expected.key))"
        let (number, version) = (Int(batch.rows[row].entity), batch.rows[row].version)
        if number != entity.index || version != expected.version {
            counts.addUnequal("\(place): entity \(number + 1) and Z_OPT \(version), SQL has \(expected.version)")
        }
        for column in plan.columns {
            counts.values += 1
            switch column.property {
            case .attribute(let attribute, let isTagged):
                let wanted = value(expected, column, attribute, isTagged)
                let found = Self.value(batch, row, attribute)
                switch (wanted, found) {
                case (.value(let left), .value(let right)) where left == right: break
                case (.invalid, .invalid): counts.invalid += 1
                default: counts.addUnequal(Self.example(place, column.name, "\(found)", "\(wanted)"))
                }
            case .toOne(let relationship, let entityCell):
                let wanted = reference(expected, column.cell, entityCell, relationship)
                let found = batch[row, relationship.slot]
                if found != wanted {
                    counts.addUnequal(Self.example(place, column.name, "\(found)", "\(wanted)"))
                }
            }
        }
    }

    private func reference(
        _ row: PlainRow, _ keyCell: Int, _ entityCell: Int?, _ relationship: Schema.Relationship
    ) -> StoredCell {
        guard case .integer(let key) = row.cells[keyCell] else { return .null }
        var entity = relationship.destination
        if let entityCell, case .integer(let number) = row.cells[entityCell] { entity = Int(clamping: number) &- 1 }
        return .reference(key: key, entity: Int32(truncatingIfNeeded: entity))
    }

    private static func value(
        _ batch: borrowing RowBatch, _ row: Int, _ attribute: Schema.Attribute
    ) -> PlainValue {
        do {
            let value = try batch.value(row: row, of: attribute)
            // A value that Foundation cannot represent, such as an invalid URI.
            if value == nil, batch[row, attribute.slot] != .null { return .invalid }
            return .value(value)
        } catch {
            return .invalid
        }
    }

    private static func example(_ place: String, _ column: String, _ found: String, _ wanted: String) -> String {
        "\(place) \(column): Granary has \(Diagnostic.shortened(found)), SQL has \(Diagnostic.shortened(wanted))"
    }
}
