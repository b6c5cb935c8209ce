import GranaryBase
import GranaryCoordination
import GranaryCoreDataStore
import GranaryModel
import GranarySQLite

/// Checks the three columns that every row has: the key, the entity number and the version.
struct RowCheck {
    let checked: CheckedStore

    func run(_ findings: inout StoreFindings) throws {
        for table in checked.layout.tables where checked.rowTable(of: table.root) != nil {
            let family = checked.schema.entities[table.root].family
            // An inferred model does not know which entities are abstract.
            let abstract = checked.isInferred ? [] : family.filter { checked.schema.entities[$0].isAbstract }
            var conditions = [
                "Z_PK < 1", "Z_ENT IS NULL", "typeof(Z_ENT) <> 'integer'",
                "Z_ENT NOT BETWEEN \(family.lowerBound + 1) AND \(family.upperBound)", "Z_OPT IS NULL",
                "typeof(Z_OPT) <> 'integer'", "Z_OPT < 1", "Z_OPT = \(Int64.max)",
            ]
            if !abstract.isEmpty {
                conditions.append("Z_ENT IN (\(abstract.map { "\($0 + 1)" }.joined(separator: ", ")))")
            }
            let name = SQL.quoteIdentifier(table.name)
            let query = """
                SELECT Z_PK, Z_ENT, Z_OPT, typeof(Z_ENT), typeof(Z_OPT) FROM \(name)
                WHERE \(conditions.joined(separator: " OR ")) ORDER BY Z_PK
                """
            try checked.each(query) { check($0, table.name, family, &findings) }
        }
    }

    private func check(_ row: Statement, _ table: String, _ family: Range<Int>, _ findings: inout StoreFindings) {
        let key = row.integer(at: 0)
        let number = row.integer(at: 1)
        let isNumber = row.lossyText(at: 3) == "integer"
        let entity =
            isNumber && number > Int64(family.lowerBound) && number <= Int64(family.upperBound)
            ? checked.schema.entities[Int(number) - 1] : nil
        if let entity {
            if entity.isAbstract, !checked.isInferred {
                findings.add(
                    .storeCorrupt, "p\(key) belongs to an abstract entity, which cannot have objects",
                    entity: entity.name, table: table, key: key, column: "Z_ENT",
                    advice: StoreAdvice.deleteObject)
            }
        } else {
            let found = isNumber ? "Z_ENT \(number)" : "a Z_ENT that is not a number"
            findings.add(
                .storeCorrupt, "p\(key) has \(found), which is not an entity of its table", table: table, key: key,
                column: "Z_ENT", advice: StoreAdvice.restore)
        }
        if key < 1 {
            findings.add(
                .storeCorrupt, "p\(key): the smallest valid key is 1", entity: entity?.name, table: table, key: key,
                column: "Z_PK", advice: StoreAdvice.restore)
        }
        let version = row.integer(at: 2)
        if row.lossyText(at: 4) != "integer" || version < 1 || version == .max {
            let found = row.isNull(at: 2) ? "NULL" : "\(version)"
            findings.add(
                .storeCorrupt, "p\(key): its version (Z_OPT) is \(found), which is not valid", entity: entity?.name,
                table: table, key: key, column: "Z_OPT",
                // An export does not read a row with such a number.
                advice: version < 0 || version == .max ? StoreAdvice.restore : StoreAdvice.copyObjects)
        }
    }
}
