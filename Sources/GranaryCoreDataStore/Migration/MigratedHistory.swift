import GranaryBase
import GranaryCoordination
import GranaryModel
import GranarySQLite

/// Copies the persistent history of a store into a migrated one, with the entity numbers, property bits and tombstone
/// columns of the newer model. Changes of objects whose entity was removed are omitted; their transactions stay, so that
/// tokens stay valid.
struct MigratedHistory {
    private let old: SQLiteStore
    private let new: SQLiteStore
    private let mapping: ModelMapping
    private let keyOffsets: [Int64]
    private let oldTables: HistoryTables

    /// Returns nil if the old store has no history.
    init?(of old: SQLiteStore, to new: SQLiteStore, _ mapping: ModelMapping, keyOffsets: [Int64]) {
        guard let tables = old.history else { return nil }
        self.old = old
        self.new = new
        self.mapping = mapping
        self.keyOffsets = keyOffsets
        oldTables = tables
    }

    func copy() throws {
        try new.connection.transaction(.immediate) {
            try new.createHistory()
            let present = try PresentTables(old.connection, try old.connection.schema())
            try copyTable(HistoryTables.string, present)
            try copyTable(HistoryTables.transaction, present)
            try copyChanges()
            for table in HistoryTables.all where present[table.name] != nil {
                let last = try old.lastHistoryKey(table)
                try new.connection.run("UPDATE Z_PRIMARYKEY SET Z_MAX = ? WHERE Z_ENT = ?", [last, table.number])
            }
        }
    }

    /// Copies the columns that both tables have.
    private func copyTable(_ table: HistoryTables.Table, _ present: PresentTables) throws {
        guard let oldColumns = present[table.name] else { return }
        let columns = table.columnNames.filter(oldColumns.contains)
        guard columns.contains("Z_PK") else { return }
        let places = columns.map { _ in "?" }.joined(separator: ", ")
        let list = columns.joined(separator: ", ")
        try new.connection.withStatement("INSERT INTO \(table.name) (\(list)) VALUES (\(places))") { insert in
            try old.connection.withStatement("SELECT \(list) FROM \(table.name) ORDER BY Z_PK") { select in
                while try select.step() {
                    for column in columns.indices { try insert.bind(column: column, of: select, at: column + 1) }
                    try insert.run()
                }
            }
        }
    }

    /// How the changes of one older entity are copied.
    private struct Plan {
        let number: Int
        let keyOffset: Int64
        /// The newer names of the properties, by the older names.
        let names: [String: String]
        /// For each tombstone column, the older one with the same attribute.
        let tombstones: [Int?]
    }

    private func copyChanges() throws {
        guard let newTables = new.history else { return }
        let plans = mapping.old.entities.map { plan(of: $0, newTables) }
        let oldCount = oldTables.tombstoneCount
        let oldColumns =
            ["Z_PK", "Z_ENT", "Z_OPT", "ZCHANGETYPE", "ZENTITYPK", "ZTRANSACTIONID", "ZENTITY"]
            + [oldTables.hasColumns ? "ZCOLUMNS" : "NULL"] + (0..<oldCount).map(HistoryTables.tombstoneColumn)
        let newColumns =
            ["Z_PK", "Z_ENT", "Z_OPT", "ZCHANGETYPE", "ZENTITYPK", "ZTRANSACTIONID", "ZENTITY", "ZCOLUMNS"]
            + newTables.tombstoneColumns
        let places = newColumns.map { _ in "?" }.joined(separator: ", ")
        let sql = "INSERT INTO ACHANGE (\(newColumns.joined(separator: ", "))) VALUES (\(places))"
        try new.connection.withStatement(sql) { insert in
            try old.connection.withStatement(
                "SELECT \(oldColumns.joined(separator: ", ")) FROM ACHANGE ORDER BY Z_PK"
            ) { select in
                while try select.step() {
                    let number = select.integer(at: 6)
                    guard number > 0, number <= Int64(plans.count) else { continue }
                    let entity = Int(number) - 1
                    guard plans.indices.contains(entity), let plan = plans[entity] else { continue }
                    for column in 0..<6 where column != 4 {
                        try insert.bind(column: column, of: select, at: column + 1)
                    }
                    try insert.bind(select.integer(at: 4) &+ plan.keyOffset, at: 5)
                    try insert.bind(Int64(plan.number), at: 7)
                    if let bitmap = try bitmap(select, entity, plan, newTables) {
                        try insert.bind(blob: bitmap, at: 8)
                    } else {
                        try insert.bind(nil as Int64?, at: 8)
                    }
                    for (place, source) in plan.tombstones.enumerated() {
                        if let source {
                            try insert.bind(column: 8 + source, of: select, at: 9 + place)
                        } else {
                            try insert.bind(nil as Int64?, at: 9 + place)
                        }
                    }
                    try insert.run()
                }
            }
        }
    }

    private func plan(of entity: Schema.Entity, _ newTables: HistoryTables) -> Plan? {
        guard let new = mapping.newEntity(of: entity.index), let sources = mapping.entities[entity.index] else {
            return nil
        }
        func first(_ name: String) -> String { name.split(separator: ".").first.map(String.init) ?? name }
        var names: [String: String] = [:]
        let newEntity = mapping.new.entities[new]
        for attribute in newEntity.attributes {
            if case .attribute(let source) = sources.sources[attribute.slot] {
                names[first(source.name)] = first(attribute.name)
            }
        }
        for relationship in newEntity.relationships {
            if case .relationship(let source) = sources.sources[relationship.slot] {
                names[source.name] = relationship.name
            }
        }
        let kept = oldTables.entities[entity.index].tombstones
        var tombstones = [Int?](repeating: nil, count: newTables.tombstoneCount)
        for (place, attribute) in newTables.entities[new].tombstones.enumerated() {
            guard tombstones.indices.contains(place), case .attribute(let source) = sources.sources[attribute.slot]
            else { continue }
            let found = kept.firstIndex { $0.slot == source.slot }
            tombstones[place] = found.flatMap { $0 < oldTables.tombstoneCount ? $0 : nil }
        }
        return Plan(
            number: newEntity.number, keyOffset: keyOffsets[entity.index], names: names, tombstones: tombstones)
    }

    /// The bits of the changed properties in the newer version; nil if the older ones are unknown.
    private func bitmap(
        _ select: Statement, _ entity: Int, _ plan: Plan, _ newTables: HistoryTables
    ) throws -> [UInt8]? {
        guard select.type(at: 7) == .blob else { return nil }
        guard let names = oldTables.entities[entity].names(in: Array(try select.blob(at: 7))) else { return nil }
        let newEntity = newTables.entities[plan.number - 1]
        return newEntity.bitmap(ofNames: Set(names.compactMap { plan.names[$0] }))
    }
}
