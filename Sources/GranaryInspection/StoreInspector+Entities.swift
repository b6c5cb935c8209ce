import Foundation
import GranaryBase
import GranaryCoordination
import GranaryCoreDataStore
import GranaryModel
import GranarySQLite

extension StoreInspector {
    /// The characters of a name that are read: each subentity repeats its parent's name.
    private static let nameLimit = 1000

    /// One row of `Z_PRIMARYKEY`.
    private struct EntityRow {
        let number: Int
        let name: String
        let parent: Int
        let lastKey: Int64
    }

    private func entityRows() throws -> [EntityRow] {
        let sql = """
            SELECT Z_ENT, substr(Z_NAME, 1, \(Self.nameLimit)), Z_SUPER, Z_MAX FROM Z_PRIMARYKEY WHERE Z_ENT > 0
            AND Z_ENT < \(LayoutCheck.firstHistoryNumber) ORDER BY Z_ENT LIMIT \(EntityNumbers.limit)
            """
        let statement = try connection.prepare(sql)
        var rows: [EntityRow] = []
        while try statement.step() {
            rows.append(
                EntityRow(
                    number: Int(clamping: statement.integer(at: 0)), name: statement.lossyText(at: 1),
                    parent: Int(clamping: statement.integer(at: 2)), lastKey: statement.integer(at: 3)))
        }
        return rows
    }

    func addEntities(to summary: inout StoreSummary, _ store: SQLiteStore?) throws {
        guard let columns = present["Z_PRIMARYKEY"],
            ["Z_ENT", "Z_NAME", "Z_SUPER", "Z_MAX"].allSatisfy(columns.contains)
        else {
            summary.addProblem("the table Z_PRIMARYKEY lacks columns that Core Data requires")
            return
        }
        let all = try entityRows()
        let byNumber = Dictionary(all.map { ($0.number, $0) }) { first, _ in first }
        var seen: Set<Int> = []
        let rows = all.filter { seen.insert($0.number).inserted }
        if rows.count < all.count { summary.addProblem("Z_PRIMARYKEY has several rows for one entity number") }
        let names = store.map { Self.names(of: rows, in: $0.schema) } ?? [:]
        var counts: [Int: Int] = [:]
        var missing: Set<Int> = []
        var roots: [Int: Int] = [:]
        for row in rows { roots[row.number] = root(of: row, byNumber, known: roots) }
        for row in rows where roots[row.number] == row.number {
            let table = table(of: row, store, names)
            guard let columns = present[table], ["Z_PK", "Z_ENT"].allSatisfy(columns.contains) else {
                summary.addProblem(
                    "the table \(Diagnostic.shortened(table)) of \(Diagnostic.shortened(row.name)) is missing")
                missing.insert(row.number)
                continue
            }
            try count(table, row, roots, &counts, &summary)
        }
        let hashes = metadata.versionHashes
        for row in rows {
            let root = roots[row.number] ?? row.number
            let entity = store.flatMap { self.entity(row, $0.schema, names) }
            let parent = byNumber[row.parent]
            let name = entity?.name ?? row.name
            summary.entities.append(
                .init(
                    name: name, storedName: name == row.name ? nil : row.name, number: row.number,
                    parent: parent.map { row in store.flatMap { self.entity(row, $0.schema, names)?.name } ?? row.name
                    },
                    // An inferred model does not know which entities are abstract.
                    isAbstract: summary.model == .inferred ? nil : entity?.isAbstract,
                    count: missing.contains(root) ? nil : counts[row.number, default: 0], hash: hashes[name],
                    attributes: entity.map { attributes(of: $0, store) },
                    relationships: entity.map { relationships(of: $0, store) }))
        }
    }

    /// The model's names for the entities of the rows, by number.
    private static func names(of rows: [EntityRow], in schema: Schema) -> [Int: String] {
        let numbers = EntityNumbers(
            rows: rows.map { EntityNumbers.Row(number: $0.number, name: $0.name, parent: $0.parent) })
        return Dictionary(numbers.numbers(for: schema.model).map { ($0.value, $0.key) }) { first, _ in first }
    }

    /// The model's entity of a row, which keeps its old name if a migration renames the entity.
    private func entity(_ row: EntityRow, _ schema: Schema, _ names: [Int: String]) -> Schema.Entity? {
        if schema.entities.indices.contains(row.number - 1) {
            let entity = schema.entities[row.number - 1]
            if names[row.number] == entity.name || EntityNumbers.isName(row.name, of: entity) { return entity }
        }
        return schema.entity(named: row.name)
    }

    private func table(of row: EntityRow, _ store: SQLiteStore?, _ names: [Int: String]) -> String {
        guard let store, let entity = entity(row, store.schema, names) else { return "Z" + row.name.uppercased() }
        return store.layout.tableName(of: entity.index)
    }

    private func attributes(of entity: Schema.Entity, _ store: SQLiteStore?) -> [StoreSummary.Attribute] {
        entity.attributes.filter(\.isPersistent).map { attribute in
            StoreSummary.Attribute(
                name: attribute.name, type: attribute.type.name,
                column: store?.layout.column(of: attribute))
        }
    }

    private func relationships(of entity: Schema.Entity, _ store: SQLiteStore?) -> [StoreSummary.Relationship] {
        entity.relationships.filter(\.isPersistent).map { relationship in
            StoreSummary.Relationship(
                name: relationship.name, destination: relationship.description.destinationEntityName,
                toMany: relationship.isToMany, ordered: relationship.description.isOrdered,
                inverse: relationship.inverse.flatMap { inverse in
                    store?.schema.entities[inverse.owner].relationships[inverse.relationship].name
                })
        }
    }

    /// The number of an entity's root entity. A damaged store may have cycles, so the number of steps is limited to the
    /// number of entities.
    private func root(of row: EntityRow, _ byNumber: [Int: EntityRow], known: [Int: Int]) -> Int {
        var row = row
        for _ in byNumber {
            if let root = known[row.number] { return root }
            guard row.parent != 0, let parent = byNumber[row.parent] else { return row.number }
            row = parent
        }
        return row.number
    }

    private func count(
        _ table: String, _ root: EntityRow, _ roots: [Int: Int], _ counts: inout [Int: Int],
        _ summary: inout StoreSummary
    ) throws {
        // Reading through an index would hide damage of the table. In a table that was made by hand, keys and numbers
        // can be texts, which SQLite sorts after all numbers.
        let isKeyed = try !KeyCheck.keyedTables([table], connection).isEmpty
        let statement = try connection.prepare(
            "SELECT CAST(Z_PK AS INTEGER), Z_ENT, CASE typeof(Z_ENT) WHEN 'integer' THEN NULL "
                + "ELSE substr(Z_ENT, 1, 100) END "
                + "FROM \(SQL.quoteIdentifier(table)) NOT INDEXED" + (isKeyed ? " ORDER BY Z_PK" : ""))
        var found: [Int64: Int] = [:]
        var strange: [String: Int] = [:]
        var lastKey: Int64 = 0
        var all: Int64 = 0
        try TableDamage.naming(table, path) {
            var order = KeyOrder()
            while try statement.step() {
                let (key, number) = (statement.integer(at: 0), statement.integer(at: 1))
                if isKeyed, let before = order.add(key) { throw TableDamage.order(table, path, key, after: before) }
                all += 1
                lastKey = max(lastKey, key)
                if statement.type(at: 1) == .integer, roots[Int(clamping: number)] == root.number {
                    found[number, default: 0] += 1
                } else {
                    let text = Self.strangeNumber(statement)
                    if strange[text] != nil || strange.count < 100 { strange[text, default: 0] += 1 }
                }
            }
            try TableDamage.compareCount(table, path, rows: all, connection)
        }
        for (number, rows) in found { counts[Int(clamping: number)] = rows }
        for (text, rows) in strange.sorted(by: { utf8Less($0.key, $1.key) }) {
            summary.addProblem("\(Diagnostic.shortened(table)) has \(rows) row\(rows == 1 ? "" : "s") \(text)")
        }
        if !isKeyed {
            for problem in try KeyCheck.problems(of: table, connection) { summary.addProblem(problem.message) }
        }
        if lastKey > root.lastKey {
            summary.addProblem(
                "\(Diagnostic.shortened(root.name)): Z_MAX \(root.lastKey) is lower than the largest key \(lastKey); "
                    + "Core Data would assign used keys")
        }
    }

    /// What a row has as `Z_ENT` (the second column; the third is its text) that is not an entity of its table.
    private static func strangeNumber(_ statement: Statement) -> String {
        let text = Diagnostic.shortened(statement.lossyText(at: 2))
        return switch statement.type(at: 1) {
        case .integer: "of Z_ENT \(statement.integer(at: 1)), which is not an entity of this table"
        case .null: "whose Z_ENT is NULL"
        case .real: "whose Z_ENT is real \"\(text)\" instead of an integer"
        case .text: "whose Z_ENT is text \"\(text)\" instead of an integer"
        case .blob: "whose Z_ENT is blob \"\(text)\" instead of an integer"
        }
    }
}
