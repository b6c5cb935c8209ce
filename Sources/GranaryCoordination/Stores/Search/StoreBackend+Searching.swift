import GranaryBase
import GranaryModel
package import GranaryPredicates

extension StoreBackend {
    /// Reads the objects of a search in its order, in batches; `body` returns false to stop.
    ///
    /// The store tests the conditions that it can translate; the others are tested here. If the store cannot sort, the
    /// sort keys and primary keys of all matching objects are kept in memory, or of as many as the window needs.
    ///
    /// - Throws: ``GranaryError`` if the store cannot be read or contradicts the model; any error from `body`.
    package func search(
        _ search: StoreSearch, batchSize: Int, _ body: (inout RowBatch) throws -> Bool
    ) throws {
        if search.limit == 0 { return }
        if search.isPlain { return try read(entities: search.entities, batchSize: batchSize, body) }
        try StoreSearchRun(self, search, batchSize: batchSize).rows(body)
    }

    /// Returns the number of objects that a search finds.
    package func count(_ search: StoreSearch) throws -> Int {
        try StoreSearchRun(self, search, batchSize: 500).count()
    }

    /// Returns the entities and primary keys of the objects that a search finds, in its order.
    package func keys(_ search: StoreSearch) throws -> [(entity: Int, key: Int64)] {
        if search.limit == 0 { return [] }
        return try StoreSearchRun(self, search, batchSize: 500).keys()
    }

    /// Calls `body` with the values of expressions for each object that a search finds, in its order; `body` returns
    /// false to stop. The expressions are resolved by a ``PredicateResolver``.
    package func values(
        of expressions: [ObjectExpression], _ search: StoreSearch, _ body: ([PredicateOperand?]) throws -> Bool
    ) throws {
        let compiled = expressions.map { CompiledExpression($0, now: search.now) }
        let cache = RowSubject.Cache(self)
        try self.search(search, batchSize: 500) { batch in
            let rows = copy batch
            for row in rows.rows.indices {
                let subject = RowSubject(cache: cache, batch: rows, row: row)
                let values = try compiled.map { try $0.value(on: subject) }
                try cache.check()
                guard try body(values) else { return false }
            }
            return true
        }
    }
}

/// One execution of a search.
private struct StoreSearchRun {
    let store: any StoreBackend
    let search: StoreSearch
    let batchSize: Int
    let prepared: (any PreparedSearch)?
    /// The condition to test here.
    let test: CompiledPredicate?
    /// Whether the rows of the store come in the search's order.
    let isOrdered: Bool
    let cache: RowSubject.Cache

    init(_ store: any StoreBackend, _ search: StoreSearch, batchSize: Int) throws {
        self.store = store
        self.search = search
        self.batchSize = batchSize
        prepared = try store.prepare(search)
        test = (prepared == nil ? search.predicate : prepared?.rest).map { CompiledPredicate($0, now: search.now) }
        isOrdered = search.order.isEmpty || prepared?.isOrdered ?? false
        cache = RowSubject.Cache(store)
    }

    /// Reads rows in the store's order; with `limit` the store applies the window.
    private func read(
        limit: Int? = nil, offset: Int = 0, _ body: (inout RowBatch) throws -> Bool
    ) throws {
        func checked(_ batch: inout RowBatch) throws -> Bool {
            try Cancellation.current?.check()
            return try body(&batch)
        }
        if let prepared {
            return try prepared.read(limit: limit, offset: offset, batchSize: batchSize, checked)
        }
        guard let after = search.afterKey else {
            return try store.read(entities: search.entities, batchSize: batchSize, checked)
        }
        // Rows come in the order of their keys.
        try store.read(entities: search.entities, batchSize: batchSize) { batch in
            let first = batch.rows.firstIndex { $0.key > after } ?? batch.rows.count
            guard first > 0 else { return try checked(&batch) }
            guard first < batch.rows.count else { return true }
            var part = batch.selecting(Array(first..<batch.rows.count), schema: store.schema)
            return try checked(&part)
        }
    }

    /// Whether the store answers the whole search.
    private var isComplete: Bool { prepared != nil && test == nil && isOrdered }

    // MARK: - Results

    func rows(_ body: (inout RowBatch) throws -> Bool) throws {
        if isComplete { return try read(limit: search.limit, offset: search.offset, body) }
        guard isOrdered else { return try readSorted(try sortedKeys(), body) }
        var place = 0
        try read { batch in
            let rows = copy batch
            var chosen: [Int] = []
            for row in rows.rows.indices where try holds(rows, row) {
                if place >= search.offset { chosen.append(row) }
                place += 1
                if place == search.end { break }
            }
            let isLast = place == search.end
            guard !chosen.isEmpty else { return !isLast }
            if chosen.count == rows.rows.count { return try body(&batch) && !isLast }
            var part = rows.selecting(chosen, schema: store.schema)
            return try body(&part) && !isLast
        }
    }

    func count() throws -> Int {
        if test == nil, prepared != nil || search.afterKey == nil {
            let all = try prepared?.count() ?? search.entities.reduce(0) { try $0 + store.count(entity: $1) }
            return search.window(of: all)
        }
        var count = 0
        try read { batch in
            let rows = copy batch
            for row in rows.rows.indices where try holds(rows, row) {
                count += 1
                if count == search.end { return false }
            }
            return true
        }
        return search.window(of: count)
    }

    func keys() throws -> [(entity: Int, key: Int64)] {
        var found: [(entity: Int, key: Int64)] = []
        if isComplete, let prepared {
            try prepared.keys(limit: search.limit, offset: search.offset) { entity, key in
                found.append((entity, key))
                return true
            }
            return found
        }
        guard isOrdered else { return try sortedKeys() }
        try rows { batch in
            for row in batch.rows.indices { found.append((Int(batch.rows[row].entity), batch.rows[row].key)) }
            return true
        }
        return found
    }

    private func holds(_ batch: RowBatch, _ row: Int) throws -> Bool {
        guard let test else { return true }
        let outcome = test.outcome(on: RowSubject(cache: cache, batch: batch, row: row))
        try cache.check()
        return try outcome.holds
    }

    /// About how many bytes of values are read at once.
    private static let batchBytes = 8 << 20

    // MARK: - Sorting in memory

    private struct Candidate {
        let values: [AttributeValue?]
        let entity: Int
        let key: Int64
    }

    /// The keys of the objects in the window, in the search's order.
    private func sortedKeys() throws -> [(entity: Int, key: Int64)] {
        let order = SortOrder(search.order)
        let paths = search.order.map { CompiledExpression(.keyPath($0.keyPath)) }
        func isBefore(_ left: Candidate, _ right: Candidate) -> Bool {
            let result = order.order(left.values, right.values)
            return result == 0 ? left.key < right.key : result < 0
        }
        var candidates: [Candidate] = []
        // With a window, the candidates that cannot be inside are dropped from time to time.
        let limit = search.end.map { end in end.addingReportingOverflow(max(end, 10_000)) }
        try read { batch in
            let rows = copy batch
            for row in rows.rows.indices where try holds(rows, row) {
                let subject = RowSubject(cache: cache, batch: rows, row: row)
                let values = try paths.map { try $0.value(on: subject).flatMap(\.attribute) }
                try cache.check()
                candidates.append(Candidate(values: values, entity: subject.entity, key: subject.key))
            }
            if let limit, let end = search.end, !limit.overflow, candidates.count > limit.partialValue {
                candidates.sort(by: isBefore)
                candidates.removeLast(candidates.count - end)
            }
            return true
        }
        candidates.sort(by: isBefore)
        let rest = candidates.dropFirst(search.offset)
        return (search.limit.map { rest.prefix($0) } ?? rest).map { ($0.entity, $0.key) }
    }

    /// Reads rows by their keys, in the order of the keys.
    private func readSorted(
        _ keys: [(entity: Int, key: Int64)], _ body: (inout RowBatch) throws -> Bool
    ) throws {
        guard let first = search.entities.first else { return }
        let root = store.schema.entities[first].root
        var start = 0
        // Rows with large values are read one by one.
        var size = max(1, batchSize)
        while start < keys.count {
            let part = keys[start..<min(start + size, keys.count)].map(\.key)
            let batch = try store.read(root: root, keys: part)
            let places = Dictionary(zip(batch.rows.map(\.key), batch.rows.indices)) { first, _ in first }
            var sorted = batch.selecting(part.compactMap { places[$0] }, schema: store.schema)
            guard try body(&sorted) else { return }
            start += part.count
            let average = max(1, batch.bytes.count / max(1, part.count))
            size = max(1, min(batchSize, Self.batchBytes / average))
        }
    }
}

extension RowBatch {
    /// The batch with only some of its rows, in a given order.
    fileprivate func selecting(_ chosen: [Int], schema: Schema) -> RowBatch {
        // The caller may keep the batch, so the values of many other rows would stay in memory.
        guard chosen.count > rows.count / 2 else {
            var part = RowBatch()
            for row in chosen {
                part.append(row, of: self, slotCount: schema.entities[Int(rows[row].entity)].slotCount)
            }
            return part
        }
        var part = self
        // A row's header says where its cells are, so the cells can stay.
        part.rows = chosen.map { rows[$0] }
        return part
    }
}

extension PredicateOperand {
    /// The attribute value; nil for NULL, objects and collections.
    package var attribute: AttributeValue? { if case .value(let value) = self { value } else { nil } }
}
