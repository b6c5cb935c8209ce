import GranaryBase
package import GranaryCoordination
package import GranaryModel
import GranarySQLite

/// The links of to-many relationships.
extension SQLiteStore {
    package func readLinks(
        of relationship: Schema.Relationship, owners: [Int64]?, _ body: (Link) throws -> Void
    ) throws {
        try readLinks(relationship, owners, withBroken: false, body)
    }

    package func readStoredLinks(
        of relationship: Schema.Relationship, owners: [Int64], _ body: (Link) throws -> Void
    ) throws {
        try readLinks(relationship, owners, withBroken: true, body)
    }

    private func readLinks(
        _ relationship: Schema.Relationship, _ owners: [Int64]?, withBroken: Bool, _ body: (Link) throws -> Void
    ) throws {
        func sql(for choice: OwnerChoice) -> String? { linkQuery(relationship, choice, withBroken: withBroken) }
        guard let query = sql(for: owners == nil ? .all : .one), let list = sql(for: .list),
            let place = layout.linkPlace(of: relationship)
        else { return }
        let table = layout.tableName(of: place)
        let members = layout.tableName(of: relationship.memberEntity)
        let family = schema.entities[schema.entities[relationship.memberEntity].root].family
        try verify(table, for: .indexes)
        if table != members { try verify(members, for: .keys) }
        try readingOnce(owners?.count ?? 1, of: table) {
            if let owners, owners.count > 1, try scans(table, query) {
                return try connection.withStatement(list) { statement in
                    let keys = Set(owners).sorted().map(String.init).joined(separator: ",")
                    try statement.bind("[\(keys)]", at: 1)
                    try readLinks(statement, family, members, body)
                }
            }
            try connection.withStatement(query) { statement in
                guard let owners else { return try readLinks(statement, family, members, body) }
                for owner in Set(owners).sorted() {
                    statement.reset()
                    try statement.bind(owner, at: 1)
                    try readLinks(statement, family, members, body)
                }
            }
        }
    }

    /// Whether a query for one owner reads the whole table of the links, because an index is missing. It would do so
    /// for each owner.
    private func scans(_ table: String, _ query: String) throws -> Bool {
        // SQLite's plan has the alias of a table. In ``JoinTable/source`` the table is a part of `j`.
        let isReflexive = layout.joinTables.contains { $0.name == table && $0.isReflexive }
        let names: Set<Substring> = [Substring(table), isReflexive ? "o" : "j"]
        return try connection.withStatement("EXPLAIN QUERY PLAN " + query) { statement in
            while try statement.step() {
                let words = (try statement.string(at: 3) ?? "").split(separator: " ")
                if words.count > 1, words[0] == "SCAN", names.contains(words[1]) { return true }
            }
            return false
        }
    }

    /// - Parameter family: the entities of the table that the destinations are in.
    private func readLinks(
        _ statement: Statement, _ family: Range<Int>, _ table: String, _ body: (Link) throws -> Void
    ) throws {
        // Join tables of old frameworks have no primary key, so they may contain a link twice.
        var last: (owner: Int64, destination: Int64)?
        while try statement.step() {
            let (owner, destination) = (statement.integer(at: 0), statement.integer(at: 2))
            if let last, last == (owner, destination) { continue }
            last = (owner, destination)
            let entity = try entity(statement.integer(at: 1), in: family, of: table, key: destination)
            try body(Link(owner: owner, entity: entity, destination: destination))
        }
    }

    /// The owners whose links a query reads.
    private enum OwnerChoice {
        case all, one
        /// The parameter is a JSON array.
        case list

        /// The condition on the owner's column.
        func term(_ column: String) -> String? {
            switch self {
            case .all: nil
            case .one: "\(column) = ?"
            case .list: "\(column) IN (SELECT value FROM json_each(?))"
            }
        }
    }

    /// The query for links. Objects without an order key come last, sorted by their keys.
    ///
    /// - Parameter withBroken: whether rows of a join table count that lead to no object.
    private func linkQuery(
        _ relationship: Schema.Relationship, _ choice: OwnerChoice, withBroken: Bool = false
    ) -> String? {
        switch layout.linkPlace(of: relationship) {
        case .foreignKey(let table, let column, _, let order)?:
            let sort = ([column] + [order].compactMap { $0.map { "\($0) NULLS LAST" } } + ["Z_PK"])
            return "SELECT \(column), Z_ENT, Z_PK FROM \(layout.tables[table].name) WHERE "
                + (choice.term(column) ?? "\(column) IS NOT NULL") + memberCondition(relationship)
                + " ORDER BY \(sort.joined(separator: ", "))"
        case .join(let table, let owner, let destination, let order)?:
            let join = layout.joinTables[table].source
            let other = layout.tableName(of: relationship.destination)
            let sort =
                ["j.\(owner)"] + [order].compactMap { $0.map { "j.\($0) NULLS LAST" } } + ["j.\(destination)"]
            let entity = withBroken ? "IFNULL(d.Z_ENT, \(relationship.destination + 1))" : "d.Z_ENT"
            let kind = withBroken ? "LEFT JOIN" : "JOIN"
            return "SELECT j.\(owner), \(entity), j.\(destination) FROM \(join) j \(kind) \(other) d ON d.Z_PK = "
                + "j.\(destination) " + (choice.term("j.\(owner)").map { "WHERE \($0) " } ?? "")
                + "ORDER BY \(sort.joined(separator: ", "))"
        case nil: return nil
        }
    }

    package func readBrokenLinks(
        of relationship: Schema.Relationship, _ body: (BrokenLink) throws -> Void
    ) throws {
        guard let query = brokenLinkQuery(relationship), let place = layout.linkPlace(of: relationship) else { return }
        let table = layout.tableName(of: place)
        try verify(table, for: .indexes)
        try naming(table) {
            try connection.withStatement(query) { statement in
                while try statement.step() {
                    try body(
                        BrokenLink(
                            owner: statement.integer(at: 0), destination: statement.integer(at: 1),
                            lacksOwner: statement.integer(at: 2) != 0, lacksDestination: statement.integer(at: 3) != 0))
                }
            }
        }
    }

    package func oneSidedReferences(of relationship: Schema.Relationship) throws -> Int {
        guard let column = layout.column(of: relationship), let inverse = relationship.inverse else { return 0 }
        let own = layout.tableName(of: relationship.owner)
        let other = layout.tableName(of: relationship.destination)
        let family = schema.entities[relationship.owner].family
        var condition = "d.Z_PK IS NULL"
        let mirror = schema.entities[inverse.owner].relationships[inverse.relationship]
        if !mirror.isToMany, let name = layout.column(of: mirror) { condition += " OR d.\(name) IS NOT o.Z_PK" }
        let query =
            "SELECT COUNT(*) FROM \(own) o LEFT JOIN \(other) d ON d.Z_PK = o.\(column) WHERE o.\(column) IS NOT NULL "
            + "AND o.Z_ENT BETWEEN \(family.lowerBound + 1) AND \(family.upperBound) AND (\(condition))"
        return try translating { Int(clamping: try connection.integer(query) ?? 0) }
    }

    /// The query for links without an owner or a destination; nil if each link is a value of an existing row. It looks
    /// each key up once: SQLite takes the different keys from an index.
    private func brokenLinkQuery(_ relationship: Schema.Relationship) -> String? {
        let owners = layout.tableName(of: relationship.owner)
        func lost(_ column: String, of table: String, in objects: String, _ condition: String = "") -> String {
            "SELECT k FROM (SELECT DISTINCT \(column) AS k FROM \(table)\(condition)) "
                + "WHERE NOT EXISTS (SELECT 1 FROM \(objects) o WHERE o.Z_PK = k)"
        }
        switch layout.linkPlace(of: relationship) {
        case .foreignKey(let table, let column, _, _)? where relationship.inverse == nil:
            let name = layout.tables[table].name
            let condition = "\(column) IS NOT NULL\(memberCondition(relationship))"
            return "SELECT \(column), Z_PK, 1, 0 FROM \(name) WHERE \(condition) AND \(column) IN ("
                + lost(column, of: name, in: owners, " WHERE \(condition)") + ") ORDER BY 1, 2"
        case .join(let table, let owner, let destination, _)?:
            let join = layout.joinTables[table].source
            let others = layout.tableName(of: relationship.destination)
            // In a relationship that is its own inverse, the other direction of a link has it too.
            let mirror =
                destination == StoreLayout.reflexiveColumn
                ? " AND (j.\(owner) = j.\(destination) OR NOT EXISTS (SELECT 1 FROM \(join) m "
                    + "WHERE m.\(owner) = j.\(destination) AND m.\(destination) = j.\(owner)))" : ""
            return """
                WITH a(k) AS MATERIALIZED (\(lost(owner, of: join, in: owners))),
                b(k) AS MATERIALIZED (\(lost(destination, of: join, in: others)))
                SELECT j.\(owner), j.\(destination), j.\(owner) IN a\(mirror), j.\(destination) IN b FROM \(join) j
                WHERE (EXISTS (SELECT 1 FROM a) OR EXISTS (SELECT 1 FROM b))
                AND (j.\(owner) IN a OR j.\(destination) IN b) ORDER BY 1, 2
                """
        case .foreignKey?, nil: return nil
        }
    }

    /// An additional WHERE term that selects rows of the relationship's member entity; empty if all rows of the table
    /// qualify. Rows of sibling entities may have values from an earlier model in the column. Core Data never reads
    /// them.
    private func memberCondition(_ relationship: Schema.Relationship) -> String {
        let entity = schema.entities[relationship.memberEntity]
        guard entity.superentity != nil else { return "" }
        return " AND Z_ENT BETWEEN \(entity.family.lowerBound + 1) AND \(entity.family.upperBound)"
    }
}
