import GranaryBase
package import GranaryCoordination
import GranaryModel
import GranaryPredicates
import GranarySQLite

extension SQLiteStore {
    package func prepare(_ search: StoreSearch) throws -> (any PreparedSearch)? {
        guard let first = search.entities.first, schema.entities.indices.contains(first),
            let plan = sql.roots[schema.entities[first].root]
        else { return nil }
        var failure: (any Error)?
        let builder = SearchSQL(schema: schema, layout: layout, identifier: identifier, now: search.now) {
            do { return try self.readsAsStored($0, column: $1, as: $2) } catch {
                failure = failure ?? error
                return false
            }
        }
        let scope = SearchSQL.Scope(alias: plan.table, entity: schema.entities[first])
        let entities = SearchSQL.entityCondition(search.entities, alias: plan.table)
        // Rows that belong to no entity of the model are not read, but a table of one hierarchy is counted whole, as
        // Core Data does: SQLite counts it without reading the rows.
        let isWhole = search.entities == schema.entities[plan.root].family
        var conditions: [String] = []
        var rest: ObjectPredicate?
        if let predicate = search.predicate {
            let split = builder.split(predicate, scope)
            rest = split.rest
            if let condition = split.condition { conditions.append(condition) }
        }
        // Not a parameter, because the parameters of the conditions and of the order have their numbers already.
        if let after = search.afterKey { conditions.append("\(plan.table).Z_PK > \(after)") }
        // Parameters have numbers, so the order can follow the conditions that it was translated after.
        let order = builder.attempt { builder.orderTerms(search.order, scope) }
        if let failure { throw failure }
        if order != nil {
            for descriptor in search.order where descriptor.comparison != .standard {
                try register(descriptor.comparison)
            }
        }
        let prepared = try SQLiteSearch(
            store: self, plan: plan, condition: ([entities] + conditions).joined(separator: " AND "),
            counted: (isWhole ? conditions : [entities] + conditions).joined(separator: " AND "),
            order: ((order ?? []) + ["\(plan.table).Z_PK"]).joined(separator: ", "),
            parameters: builder.parameters, rest: rest, isOrdered: order != nil, entities: search.entities,
            isByKey: (order ?? []).isEmpty)
        try verify(plan.table, for: .allRows)
        for table in builder.relatedTables.sorted(by: utf8Less) { try verify(table, for: .indexes) }
        return try prepared.isCompilable() ? prepared : nil
    }

    private func register(_ comparison: ObjectSortDescriptor.Comparison) throws {
        try translating {
            try connection.register(collation: SearchSQL.collation(comparison)) { left, right in
                compareTexts(left, right, comparison)
            }
        }
    }
}

extension SearchSQL {
    /// The terms of an ORDER BY; nil if SQL cannot sort by one of them.
    fileprivate func orderTerms(_ order: [ObjectSortDescriptor], _ scope: Scope) -> [String]? {
        var terms: [String] = []
        for descriptor in order {
            guard let term = term(descriptor.keyPath, from: scope) else { return nil }
            switch term.kind {
            case .number, .real, .date, .uuid, .text: break
            case .null, .object: return nil
            }
            let isText = term.kind == .text && descriptor.comparison != .standard
            let collation = isText ? " COLLATE \(Self.collation(descriptor.comparison))" : ""
            terms.append("\(term.sql)\(collation) \(descriptor.isAscending ? "ASC" : "DESC")")
        }
        return terms
    }

    fileprivate static func collation(_ comparison: ObjectSortDescriptor.Comparison) -> String {
        switch comparison {
        case .standard: "BINARY"
        case .caseInsensitive: "GRANARY_NOCASE"
        case .localized: "GRANARY_LOCALIZED"
        case .localizedCaseInsensitive: "GRANARY_LOCALIZED_NOCASE"
        case .localizedStandard: "GRANARY_LOCALIZED_STANDARD"
        }
    }
}

/// A search as SQL.
private final class SQLiteSearch: PreparedSearch {
    let store: SQLiteStore
    let plan: StoreSQL.RootPlan
    let condition: String
    /// The condition for counting; empty for all rows.
    let counted: String
    let order: String
    let parameters: [SearchSQL.Parameter]
    let rest: ObjectPredicate?
    let isOrdered: Bool
    /// The entities whose rows the search reads.
    private let entities: Range<Int>
    /// Whether the rows come in the order of their keys. Where they do not, the table is damaged.
    private let isByKey: Bool
    /// The numbers of the text tests, in the order of their parameters.
    private var tests: [Int64] = []

    init(
        store: SQLiteStore, plan: StoreSQL.RootPlan, condition: String, counted: String, order: String,
        parameters: [SearchSQL.Parameter], rest: ObjectPredicate?, isOrdered: Bool, entities: Range<Int>,
        isByKey: Bool
    ) throws {
        self.store = store
        self.plan = plan
        self.condition = condition
        self.counted = counted
        self.order = order
        self.parameters = parameters
        self.rest = rest
        self.isOrdered = isOrdered
        self.entities = entities
        self.isByKey = isByKey
        for case .test(let predicate) in parameters { tests.append(try Self.addTest(predicate, to: store)) }
    }

    deinit { for test in tests { store.connection.removeTextTest(test) } }

    private static func addTest(_ predicate: ObjectPredicate, to store: SQLiteStore) throws -> Int64 {
        let compiled = CompiledPredicate(predicate)
        return try translating {
            try store.connection.addTextTest { bytes in
                switch compiled.outcome(with: .string(String(decoding: bytes, as: UTF8.self))) {
                case .holds: true
                case .fails: false
                case .stopped: nil
                }
            }
        }
    }

    /// Whether SQLite can compile the conditions: its parser and its expressions have limits of depth that depend on
    /// how it was built.
    func isCompilable() throws -> Bool {
        guard condition.utf8.count > Self.shortCondition else { return true }
        do throws(SQLiteError) {
            _ = try store.connection.prepare(countQuery)
            return true
        } catch {
            if error.code.primary == .error || error.code.primary == .tooBig { return false }
            throw error.granaryError
        }
    }

    /// The conditions that are too short to exceed a limit.
    private static let shortCondition = 300
    /// Longer statements are not cached.
    private static let longQuery = 16_384

    func read(
        limit: Int?, offset: Int, batchSize: Int, _ body: (inout RowBatch) throws -> Bool
    ) throws {
        let reader = store.reader(plan)
        for table in plan.lookedUpTables { try store.verify(table, for: .keys) }
        try run("\(plan.select)\(source) WHERE \(condition) ORDER BY \(order)", limit, offset) { statement in
            try store.readBatches(statement, reader, batchSize: batchSize, keyOrder, body)
        }
    }

    func count() throws -> Int {
        try run(countQuery) { statement in
            try statement.step() ? Int(clamping: statement.integer(at: 0)) : 0
        }
    }

    /// A damaged index would give other rows than the table has. A search that is read once, by a command, passes over
    /// the table, so that it needs no check of all indexes.
    private var source: String { store.verifiesTables ? " NOT INDEXED" : "" }

    private var keyOrder: KeyOrder? { isByKey && store.verifiesTables ? KeyOrder() : nil }

    private var countQuery: String {
        "SELECT COUNT(*) FROM \(plan.table)" + (counted.isEmpty ? "" : "\(source) WHERE \(counted)")
    }

    func keys(limit: Int?, offset: Int, _ body: (_ entity: Int, _ key: Int64) throws -> Bool) throws {
        let query = "SELECT Z_ENT, \(plan.table).Z_PK FROM \(plan.table)\(source) WHERE \(condition) ORDER BY \(order)"
        var inOrder = keyOrder
        try run(query, limit, offset) { statement in
            while try statement.step() {
                let key = statement.integer(at: 1)
                if let before = inOrder?.add(key) {
                    throw TableDamage.order(plan.table, store.path, key, after: before)
                }
                let entity = try store.entity(statement.integer(at: 0), in: entities, of: plan.table, key: key)
                guard try body(entity, key) else { return }
            }
        }
    }

    private func run<Result>(
        _ query: String, _ limit: Int? = nil, _ offset: Int = 0, _ body: (Statement) throws -> Result
    ) throws -> Result {
        let isWindowed = limit != nil || offset > 0
        // As parameters, so that all pages of a search have the same text.
        let place = parameters.count + 1
        let text = query + (isWindowed ? " LIMIT ?\(place) OFFSET ?\(place + 1)" : "")
        func use(_ statement: Statement) throws -> Result {
            try bind(statement)
            if isWindowed {
                try statement.bind(Int64(limit ?? -1), at: place)
                try statement.bind(Int64(offset), at: place + 1)
            }
            return try body(statement)
        }
        do {
            return try store.naming(plan.table) {
                let connection = store.connection
                guard text.utf8.count <= Self.longQuery else { return try use(connection.prepare(text)) }
                return try connection.withStatement(text, use)
            }
        } catch {
            if store.connection.takeTextTestFailure() { throw PredicateStop.patternLimit.error }
            throw error
        }
    }

    private func bind(_ statement: Statement) throws {
        var tests = tests[...]
        // The last ones may belong to an order that this statement does not have, or to a condition that is false.
        for (index, parameter) in parameters.prefix(statement.parameterCount).enumerated() {
            let place = index + 1
            switch parameter {
            case .integer(let value): try statement.bind(value, at: place)
            case .real(let value): try statement.bind(value, at: place)
            case .text(let bytes): try bytes.withUnsafeBufferPointer { try statement.bindText($0, at: place) }
            case .blob(let bytes): try bytes.withUnsafeBufferPointer { try statement.bindBlob($0, at: place) }
            case .test: try statement.bind(tests.popFirst() ?? 0, at: place)
            }
        }
    }
}
