package import GranaryBase
package import GranaryModel

/// Copies all objects from one store into an empty store, of the same model or of a newer version of it, in batches:
/// first rows with their keys and versions, then the links that are not stored in rows.
package struct StoreCopy {
    private static let batchSize = 1000

    private let source: any StoreBackend
    private let destination: any StoreBackend
    private let mapping: ModelMapping
    private let rules: MigrationRules
    private let hooks: MigrationHooks
    private let cancellation: Cancellation?

    /// What a copy kept, changed and dropped.
    package struct Result: Sendable {
        package let tally: MigrationTally
        /// What the rules allow to lose or to keep invalid.
        package let remarks: [MigrationProblem]
        /// The number that was added to the keys of each older entity's objects.
        package let keyOffsets: [Int64]
    }

    /// The underlying error of a refused copy, or of a refused migration in several steps.
    package struct Refusal: Error {
        /// The steps that could not be checked.
        package struct Unchecked: Sendable {
            /// The index of the first one. Those after it are not checked either.
            package let from: Int
            package let reason: String
        }

        package internal(set) var problems: [MigrationProblem]
        package internal(set) var unchecked: Unchecked?

        mutating func add(_ other: Refusal, step: Int) {
            problems += other.problems.map { problem in
                var problem = problem
                problem.step = step
                return problem
            }
        }
    }

    /// - Parameter mapping: nil if both stores have the same model.
    package init(
        source: any StoreBackend, destination: any StoreBackend, mapping: ModelMapping? = nil,
        rules: MigrationRules = MigrationRules(), hooks: MigrationHooks = MigrationHooks(),
        cancellation: Cancellation? = nil
    ) {
        self.source = source
        self.destination = destination
        self.mapping = mapping ?? ModelMapping(from: source.schema, to: source.schema)
        self.rules = rules
        self.hooks = hooks
        self.cancellation = cancellation
    }

    /// - Throws: ``GranaryError`` with code `refused` if the destination cannot hold a value, or if objects do not fit
    ///   the newer version, with a diagnostic for each kind of problem of each property; any error from the stores.
    @discardableResult
    package func run() throws -> Result {
        let result = try source.reading { try copy() }
        try destination.setUserMetadata(source.metadata.userEntries)
        return result
    }

    private func copy() throws -> Result {
        let keyOffsets = try keyOffsets()
        var problems = MigrationProblems()
        var duplicates = DuplicateSearch(
            self.source, mapping, rules, keyOffsets: keyOffsets, roots: oldRoots(), cancellation: cancellation)
        let merged = try duplicates.run(&problems)
        let source = merged ?? self.source
        let rows = RowMigration(
            mapping, rules, keyOffsets: keyOffsets, droppedKeys: duplicates.replacements.dropped,
            missingFiles: (self.source as? any ExternalFileReading)?.missingFiles, changedLinks: merged?.links.changed)
        var tally = MigrationTally(old: mapping.old.entities.count, new: mapping.new.entities.count)
        if rows.isIdentity { tally.reported = rules.reported }
        let total = try hooks.progress.map { _ in
            try mapping.old.entities.reduce(0) { try $0 + source.count(entity: $1.index) }
        }
        var done = 0
        func report(indexesAreBuilt: Bool = false) {
            guard let total else { return }
            hooks.progress?(MigrationProgress(objects: done, of: total, indexesAreBuilt: indexesAreBuilt))
        }
        report()
        var read: [Int: Int] = [:]
        for entity in mapping.old.entities where !entity.isAbstract { read[entity.index] = 0 }
        try destination.transaction { writer in
            if try !destination.mayRefuseRows() { writer.bulk?.deferIndexes() }
            // Given values stay, also those that a trigger computes.
            try writer.bulk?.suspendCounts(includingTimes: true)
            try writer.chooseLoader(nil)
            var writesRows = isFine(problems)
            for root in oldRoots() {
                try source.read(entities: mapping.old.entities[root].family, batchSize: Self.batchSize) { batch in
                    try cancellation?.check()
                    done += batch.rows.count
                    report()
                    try checkFit(batch, &problems)
                    for row in batch.rows { read[Int(row.entity), default: 0] += 1 }
                    guard !rows.isIdentity else {
                        try writer.insert(batch)
                        for row in batch.rows { tally.kept[Int(row.entity)] += 1 }
                        return true
                    }
                    for (_, migrated) in try rows.migrate(&batch, &tally, &problems) where writesRows {
                        try writer.insert(migrated)
                    }
                    if writesRows { writesRows = isFine(problems) }
                    return true
                }
            }
            for (table, count) in try source.strayRows(read: read) {
                problems.add(.strayRows, entity: table, property: nil, count: Int(clamping: count), object: nil)
            }
            writesRows = writesRows && isFine(problems)
            if writesRows { try writer.bulk?.finishRows() }
            report(indexesAreBuilt: true)
            var links = LinkMigration(
                source, mapping, rows, writer: writesRows ? writer : nil, cancellation: cancellation)
            try links.run(&problems)
            if mapping.old !== mapping.new {
                try RelationshipCounts(
                    source: source, mapping: mapping, rows: rows, changed: merged?.links.changed ?? [:],
                    cancellation: cancellation
                ).check(&problems)
            }
            try refuse(problems)
            if mapping.old !== mapping.new { try writer.completeOrder() }
            try reserveKeys(keyOffsets, writer)
            try writer.bulk?.resumeCounts()
            try hooks.finish?(OpenTransaction(destination, writer))
            for run in source.importLedger.runs { try writer.recordRun(run) }
        }
        return Result(tally: tally, remarks: problems.all, keyOffsets: keyOffsets)
    }

    // MARK: Problems

    private func isError(_ problem: MigrationProblem) -> Bool {
        ![.removedDuplicate, .turnedLinks].contains(problem.kind) && !rules.accepted.contains(problem.kind)
    }

    private func isFine(_ problems: MigrationProblems) -> Bool { !problems.all.contains(where: isError) }

    private func refuse(_ problems: MigrationProblems) throws(GranaryError) {
        let marked = problems.all.map { problem in
            var problem = problem
            problem.isError = isError(problem)
            return problem
        }
        guard marked.contains(where: \.isError) else { return }
        throw GranaryError(
            .refused, "the objects do not fit the newer version of the model",
            diagnostics: marked.map { $0.refusalDiagnostic() }, underlying: Refusal(problems: marked))
    }

    // MARK: Keys

    /// The older roots; first those whose objects keep their primary keys and come first in their table.
    private func oldRoots() -> [Int] {
        let roots = mapping.old.entities.filter { $0.root == $0.index }.map(\.index)
        func isFirst(_ root: Int) -> Bool {
            mapping.newEntities[root].map { mapping.new.entities[$0].root == $0 } ?? false
        }
        return roots.filter(isFirst) + roots.filter { !isFirst($0) }
    }

    /// The number to add to the keys of each older entity's objects: not 0 if several hierarchies become one.
    private func keyOffsets() throws -> [Int64] {
        var offsets = [Int64](repeating: 0, count: mapping.old.entities.count)
        let origins = Dictionary(grouping: mapping.old.entities) { entity in
            mapping.newEntity(of: entity.index).map { mapping.new.entities[$0].root }
        }
        guard origins.contains(where: { $0.key != nil && Set($0.value.map(\.root)).count > 1 }) else { return offsets }
        // The next free key of each newer root.
        var ends: [Int: Int64] = [:]
        for root in oldRoots() {
            let last = try largestKey(root: root)
            var starts: [Int: Int64] = [:]
            for old in mapping.old.entities[root].family {
                guard let new = mapping.newEntity(of: old) else { continue }
                let newRoot = mapping.new.entities[new].root
                let start = starts[newRoot] ?? ends[newRoot] ?? 0
                starts[newRoot] = start
                offsets[old] = start
            }
            for (newRoot, start) in starts {
                let (end, overflow) = start.addingReportingOverflow(last)
                guard !overflow else {
                    throw GranaryError(
                        .refused, "there are no keys left for the objects of \(mapping.new.entities[newRoot].name)")
                }
                ends[newRoot] = end
            }
        }
        return offsets
    }

    /// The last allocated key, or a larger one of a row that another program has inserted.
    private func largestKey(root: Int) throws -> Int64 {
        var last = try source.lastKey(root: root)
        try source.read(entities: mapping.old.entities[root].family, batchSize: Self.batchSize) { batch in
            last = max(last, batch.rows.last?.key ?? 0)
            return true
        }
        return last
    }

    /// Keys of deleted objects are not reused.
    private func reserveKeys(_ keyOffsets: [Int64], _ writer: any StoreWriter) throws {
        for root in oldRoots() {
            let last = try source.lastKey(root: root)
            guard last > 0 else { continue }
            for old in mapping.old.entities[root].family {
                guard let new = mapping.newEntity(of: old) else { continue }
                let (end, overflow) = last.addingReportingOverflow(keyOffsets[old])
                if !overflow { try writer.reserveKeys(root: mapping.new.entities[new].root, through: end) }
            }
        }
    }

    /// The writer would refuse the same values, but without naming the object. Values of another storage class than their
    /// attribute's are damage, which a migration does not carry over.
    private func checkFit(_ batch: borrowing RowBatch, _ problems: inout MigrationProblems) throws(GranaryError) {
        let schema = source.schema
        let keepsDecimals = destination.keepsExactDecimals
        for row in batch.rows.indices {
            let entity = schema.entities[Int(batch.rows[row].entity)]
            for attribute in entity.attributes where attribute.isPersistent {
                switch (batch[row, attribute.slot], attribute.type) {
                case (.null, _), (.integer, .integer16), (.integer, .integer32), (.integer, .integer64),
                    (.integer, .boolean), (.integer, .double), (.integer, .float), (.integer, .date),
                    (.integer, .decimal), (.text, .string), (.text, .uri), (.blob, .binary), (.file, _),
                    (.blob, .transformable), (.blob, .uuid):
                    break
                case (.decimal(let start, let count), .decimal):
                    if keepsDecimals { break }
                    let digits = batch.lend(start, count) { String(decoding: $0, as: UTF8.self) }
                    throw batch.refusal(
                        row: row, property: attribute.name, schema, .valuePrecision,
                        "\(digits) has more digits than the store's column can hold (a double)")
                case (.real(let value), .double), (.real(let value), .float), (.real(let value), .date),
                    (.real(let value), .decimal):
                    if value.isFinite || keepsDecimals { break }
                    throw batch.refusal(
                        row: row, property: attribute.name, schema, .valueRange,
                        "\(value) is not a number that a store can hold")
                default:
                    if mapping.old === mapping.new { break }
                    problems.add(
                        .damaged, entity: entity.name, property: attribute.name,
                        object: batch.objectName(row: row, schema))
                }
            }
        }
    }
}
