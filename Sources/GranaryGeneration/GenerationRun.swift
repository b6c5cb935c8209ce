package import GranaryBase
package import GranaryCoordination
import GranaryModel

/// Generates objects and writes them, inside a transaction.
package final class GenerationRun {
    private let request: GenerationRequest
    private let store: any StoreBackend
    private let writer: any StoreWriter
    private let cancellation: Cancellation?
    /// The number of objects of each entity that are written, for a preview; nil for all. All are planned.
    private let rowLimit: UInt64?
    /// Threads that draw the values of batches.
    private let workers = OrderedWorkers<GenerationWork>(limit: nil)
    /// Whether values can be in use by stored objects.
    private var checksStore = false
    /// Nil if all unique values are planned.
    private var uniqueCheck: UniqueCheck?
    /// The stored objects whose links changed.
    private var touched: [Int: Set<Int64>] = [:]

    /// The number of rows that are written at once.
    private static let batchRows = 512
    private static let batchBytes = 4 << 20
    /// The number of rows in the first batch of an entity, whose size determines that of the others.
    private static let firstRows = 16

    package init(
        _ request: GenerationRequest, store: any StoreBackend, writer: any StoreWriter, cancellation: Cancellation?,
        rowLimit: UInt64? = nil
    ) {
        self.rowLimit = rowLimit
        self.request = request
        self.store = store
        self.writer = writer
        self.cancellation = cancellation
    }

    /// - Parameter beforeRows: called when all is planned and checked, before the first row is written.
    /// - Returns: the numbers of objects.
    /// - Throws: ``GranaryError``: `refused` if the model cannot be satisfied; as reading and writing throw.
    package func run(beforeRows: () throws -> Void = {}) throws -> [EntityCount] {
        defer { workers.stop() }
        let plan = try GenerationPlan(request, store: store, cancellation: cancellation) { [writer] root in
            try writer.reserveKeys(root: root, count: 0)
        }
        guard !plan.objects.isEmpty else { return [] }
        checksStore = plan.objects.storesAny
        uniqueCheck = plan.checked.isEmpty ? nil : UniqueCheck(plan.checked, store: store)
        // With stored objects, unique values are searched in the indexes.
        if !checksStore, try !store.mayRefuseRows() { writer.bulk?.deferIndexes() }
        try beforeRows()
        writer.bulk?.expect(rows: Int(clamping: plan.objects.count))
        for (index, kind) in plan.kinds.enumerated() {
            let others = plan.kinds[(index + 1)...]
            try insert(kind, isContinued: others.contains { $0.continues(kind) })
        }
        try writer.bulk?.finishRows()
        let links = GeneratedLinkWriter(store: store, writer: writer, cancellation: cancellation)
        if let rowLimit {
            for link in plan.links { try links.write(link, ofFirst: rowLimit, plan.objects.kinds) }
            return plan.objects.kinds.map { EntityCount(name: $0.entity.name, count: Int(clamping: $0.count)) }
        }
        for link in plan.links { try links.write(link) { note($0) } }
        for (root, keys) in touched.sorted(by: { $0.key < $1.key }) {
            try writer.raiseVersions(root: root, keys: keys.sorted())
        }
        for (root, key) in plan.objects.lastKeys { try writer.reserveKeys(root: root, through: key) }
        try writer.completeOrder()
        for kind in plan.kinds { try checkDerived(kind.kind) }
        return plan.objects.kinds.map { EntityCount(name: $0.entity.name, count: Int(clamping: $0.count)) }
    }

    private func note(_ object: ObjectSpan.Object) {
        touched[store.schema.entities[Int(object.entity)].root, default: []].insert(object.key)
    }

    // MARK: Rows

    /// - Parameter isContinued: whether the unique values of a later kind continue after those of this one, so that a
    ///   preview makes the objects which it does not write, too.
    private func insert(_ kind: GenerationPlan.Kind, isContinued: Bool) throws {
        let entity = kind.kind.entity
        let required = entity.relationships.filter {
            !$0.isToMany && $0.isPersistent && !$0.description.isOptional
        }
        let limit = rowLimit ?? .max
        // Unique values are set later, and a changed row must be encoded again.
        let encoder = !kind.hasLateValues ? writer.bulk?.rowEncoder : nil
        var pending: [GenerationWork] = []
        var free: [GenerationWork] = []
        // The largest mean number of bytes of a row in a batch; nil before the first one.
        var rowBytes: Int?
        func finishFirst() throws {
            try cancellation?.check()
            let work = pending.removeFirst()
            workers.finish(work)
            if let failure = work.failure { throw failure }
            for object in work.touched { note(object) }
            for row in work.batch.rows.indices {
                let number = kind.kind.stored + UInt64(work.batch.rows[row].key - kind.kind.firstKey)
                try fill(kind, number, row, of: &work.batch)
                for follower in kind.lateFollowers { try follower.fill(number, row, of: &work.batch, entity) }
                if kind.hasLateValues {
                    for value in kind.computed { try value.fill(number, row, of: &work.batch, entity) }
                }
                try check(required, row, of: work.batch, entity)
                try uniqueCheck?.check(number, row, of: work.batch, entity, checksStore: checksStore)
            }
            rowBytes = max(rowBytes ?? 1, work.batch.bytes.count / max(1, work.batch.rows.count))
            if work.first < limit { try writer.insert(work.batch) }
            free.append(work)
        }
        var offset: UInt64 = 0
        let count = isContinued ? kind.kind.count : min(kind.kind.count, limit)
        while offset < count {
            while pending.count >= (rowBytes == nil ? 1 : workers.capacity) { try finishFirst() }
            let rows = UInt64(rowBytes.map { max(1, min(Self.batchRows, Self.batchBytes / $0)) } ?? Self.firstRows)
            // A batch is written as a whole, or not at all.
            let end = offset + min(rows, (offset < limit ? min(count, limit) : count) - offset)
            let work = free.popLast() ?? GenerationWork(kind, encoder: encoder)
            work.begin(offset..<end)
            pending.append(work)
            workers.submit(work)
            offset = end
        }
        while !pending.isEmpty { try finishFirst() }
    }

    /// Checks that no required reference is missing.
    private func check(
        _ required: [Schema.Relationship], _ row: Int, of batch: RowBatch, _ entity: Schema.Entity
    ) throws(GranaryError) {
        for relationship in required where batch[row, relationship.slot] == .null {
            throw GranaryError(
                .internalDefect, "\(entity.name).\(relationship.name): a generated object lacks a required reference")
        }
    }

    // MARK: Unique values

    private func fill(
        _ kind: GenerationPlan.Kind, _ number: UInt64, _ row: Int, of batch: inout RowBatch
    ) throws {
        let entity = kind.kind.entity
        for group in kind.groups { try advance(group, row, of: &batch, entity) }
        try fillAddresses(kind, number, row, of: &batch)
        guard checksStore else { return }
        while let taken = try (kind.groups + kind.addressGroups).first(where: { group in
            try !store.keys(matching: group.constraint, in: batch, row: row).isEmpty
        }) {
            try cancellation?.check()
            try advance(taken, row, of: &batch, entity)
            // Other values of a group can be other names.
            if !taken.hasAddress { try fillAddresses(kind, number, row, of: &batch) }
        }
    }

    /// Sets the names that follow from unique names, and the addresses that follow from all names.
    private func fillAddresses(
        _ kind: GenerationPlan.Kind, _ number: UInt64, _ row: Int, of batch: inout RowBatch
    ) throws {
        for follower in kind.lateNames { try follower.fill(number, row, of: &batch, kind.kind.entity) }
        for group in kind.addressGroups { try advance(group, row, of: &batch, kind.kind.entity) }
    }

    /// Gives the object the next values of a group that satisfy the rules.
    private func advance(
        _ group: UniqueGroup, _ row: Int, of batch: inout RowBatch, _ entity: Schema.Entity
    ) throws {
        while true {
            let isNew = group.advance()
            group.fill(row, of: &batch)
            if !isNew {
                guard let slot = group.nullSlot else {
                    let names = group.constraint.names.joined(separator: ", ")
                    throw GranaryError(
                        Diagnostic(
                            .uniqueExists, "\(names) must be unique, and all values that can be generated are in use",
                            entity: entity.name, property: names,
                            coreDataCode: Diagnostic.Code.uniqueExists.coreDataCode))
                }
                batch[row, slot] = .null
            }
            if try isValid(group, row, of: batch) { return }
            guard isNew else {
                throw GranaryError(
                    .internalDefect,
                    "\(entity.name).\(group.constraint.names.joined(separator: ", ")): a generated value breaks a rule")
            }
        }
    }

    private func isValid(_ group: UniqueGroup, _ row: Int, of batch: RowBatch) throws -> Bool {
        for digit in group.digits {
            guard let attribute = digit.attribute else { continue }
            let isValid = try batch.withValue(row: row, of: attribute) { value in
                attribute.validator.violations(of: value).isEmpty
            }
            guard isValid else { return false }
        }
        return true
    }

    // MARK: Derived attributes

    /// Checks the derived attributes of generated objects, which the store has computed.
    private func checkDerived(_ kind: GeneratedObjects.Kind) throws {
        let derived = kind.entity.attributes.filter {
            $0.isPersistent && $0.description.derivationExpression != nil && $0.description.hasRules
        }
        guard !derived.isEmpty else { return }
        let entities = kind.entity.index..<kind.entity.index + 1
        var last = kind.firstKey - 1
        while true {
            try cancellation?.check()
            let rows = try store.read(entities: entities, after: last, limit: Self.batchRows)
            guard let end = rows.rows.last?.key else { return }
            last = end
            for row in rows.rows.indices {
                for attribute in derived {
                    let problem = try rows.withCheckedValue(row: row, of: attribute, store.schema) { value in
                        attribute.validator.violations(of: value).first
                    }
                    guard let found = problem else { continue }
                    throw GranaryError(
                        Diagnostic(
                            found.code,
                            "nothing was generated: the derived value of an object breaks a rule: \(found.message)",
                            entity: kind.entity.name, property: attribute.name, coreDataCode: found.coreDataCode))
                }
            }
        }
    }
}

extension AttributeDescription {
    /// Whether any value can break a rule besides that of its type.
    fileprivate var hasRules: Bool {
        !isOptional || minimumValue != nil || maximumValue != nil || minimumLength != nil || maximumLength != nil
            || regularExpression != nil || !validationRules.isEmpty
    }
}
