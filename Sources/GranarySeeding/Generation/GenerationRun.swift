import GranaryBase
import GranaryCoordination
import GranaryModel

/// Generates objects and writes them, inside a transaction.
final class GenerationRun {
    private let request: GenerationRequest
    private let store: any PersistentStore
    private let writer: any StoreWriter
    private let cancellation: Cancellation?
    private var batch = RowBatch()
    /// Whether values can be in use by stored objects.
    private var checksStore = false
    /// The stored objects whose links changed.
    private var touched: [Int: Set<Int64>] = [:]

    /// The number of rows that are written at once.
    private static let batchRows = 512
    private static let batchBytes = 4 << 20
    /// The number of times that a value is drawn again if it breaks a rule.
    private static let attempts: UInt64 = 16

    init(
        _ request: GenerationRequest, store: any PersistentStore, writer: any StoreWriter, cancellation: Cancellation?
    ) {
        self.request = request
        self.store = store
        self.writer = writer
        self.cancellation = cancellation
    }

    /// - Parameter beforeRows: called when all is planned and checked, before the first row is written.
    /// - Returns: the numbers of objects.
    /// - Throws: ``GranaryError``: `refused` if the model cannot be satisfied; as reading and writing throw.
    func run(beforeRows: () throws -> Void = {}) throws -> [GenerationReport.Entity] {
        let plan = try GenerationPlan(request, store: store, cancellation: cancellation) { [writer] root in
            try writer.reserveKeys(root: root, count: 0)
        }
        guard !plan.objects.isEmpty else { return [] }
        checksStore = plan.objects.storesAny
        // With stored objects, unique values are searched in the indexes.
        if !checksStore, try !store.mayRefuseRows() { writer.deferIndexes() }
        try beforeRows()
        writer.expect(rows: Int(clamping: plan.objects.count))
        for kind in plan.kinds { try insert(kind) }
        try writer.finishRows()
        let links = GeneratedLinkWriter(store: store, writer: writer, cancellation: cancellation)
        for link in plan.links { try links.write(link) { note($0) } }
        for (root, keys) in touched.sorted(by: { $0.key < $1.key }) {
            try writer.raiseVersions(root: root, keys: keys.sorted())
        }
        for (root, key) in plan.objects.lastKeys { try writer.reserveKeys(root: root, through: key) }
        try writer.completeOrder()
        for kind in plan.kinds { try checkDerived(kind.kind) }
        return plan.objects.kinds.map { GenerationReport.Entity(name: $0.entity.name, count: Int(clamping: $0.count)) }
    }

    private func note(_ object: ObjectSpan.Object) {
        touched[store.schema.entities[Int(object.entity)].root, default: []].insert(object.key)
    }

    // MARK: Rows

    private func insert(_ kind: GenerationPlan.Kind) throws {
        let entity = kind.kind.entity
        for offset in 0..<kind.kind.count {
            let row = batch.appendRow(
                entity: entity.index, key: kind.kind.firstKey + Int64(offset), version: 1, slotCount: entity.slotCount)
            let number = kind.kind.stored + offset
            for column in kind.columns { try fill(column, number, row, entity) }
            for reference in kind.references { refer(reference, kind.kind, offset, number, row) }
            try fill(kind.groups, row, entity)
            try checkReferences(row, entity)
            if batch.rows.count >= Self.batchRows || batch.bytes.count >= Self.batchBytes { try flush() }
        }
        try flush()
    }

    private func flush() throws {
        try cancellation?.check()
        guard !batch.isEmpty else { return }
        try writer.insert(batch)
        batch.removeAll()
    }

    private func fill(
        _ column: GenerationPlan.Column, _ number: UInt64, _ row: Int, _ entity: Schema.Entity
    ) throws {
        let attribute = column.attribute
        var problem: Violation?
        for attempt in 0..<Self.attempts {
            guard let value = column.value(number, attempt: attempt) else {
                problem = attribute.validator.violations(of: .null).first
                guard problem == nil else { break }
                return
            }
            problem = value.withBorrowed { borrowed in
                let found = attribute.validator.violations(of: borrowed).first
                if found == nil { batch.set(borrowed, row: row, slot: attribute.slot) }
                return found
            }
            if problem == nil { return }
        }
        throw GranaryError(
            .internalDefect,
            "\(entity.name).\(attribute.name): a generated value breaks a rule: \(problem?.message ?? "")")
    }

    private func refer(
        _ reference: GenerationPlan.Reference, _ kind: GeneratedObjects.Kind, _ offset: UInt64, _ number: UInt64,
        _ row: Int
    ) {
        let plan = reference.plan
        let destination =
            reference.isFirst
            ? plan.destination(of: kind, offset, number: number, reference.stream) : plan.origin(of: kind, offset)
        guard let object = destination else { return }
        batch[row, reference.slot] = .reference(key: object.key, entity: object.entity)
        // The table notes its own stored objects.
        if case .random = plan.mode, plan.second.isStored, plan.inverse != nil { note(object) }
    }

    /// Checks that no required reference is missing.
    private func checkReferences(_ row: Int, _ entity: Schema.Entity) throws(GranaryError) {
        for relationship in entity.relationships
        where !relationship.isToMany && relationship.isPersistent && !relationship.description.isOptional
            && batch[row, relationship.slot] == .null
        {
            throw GranaryError(
                .internalDefect, "\(entity.name).\(relationship.name): a generated object lacks a required reference")
        }
    }

    // MARK: Unique values

    private func fill(_ groups: [UniqueGroup], _ row: Int, _ entity: Schema.Entity) throws {
        for group in groups { try advance(group, row, entity) }
        guard checksStore else { return }
        while let taken = try groups.first(where: { group in
            try !store.keys(matching: group.constraint, in: batch, row: row).isEmpty
        }) {
            try cancellation?.check()
            try advance(taken, row, entity)
        }
    }

    /// Gives the object the next values of a group that satisfy the rules.
    private func advance(_ group: UniqueGroup, _ row: Int, _ entity: Schema.Entity) throws {
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
            if try isValid(group, row) { return }
            guard isNew else {
                throw GranaryError(
                    .internalDefect,
                    "\(entity.name).\(group.constraint.names.joined(separator: ", ")): a generated value breaks a rule")
            }
        }
    }

    private func isValid(_ group: UniqueGroup, _ row: Int) throws -> Bool {
        for digit in group.digits {
            guard case .attribute(let attribute, _, _) = digit else { continue }
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
