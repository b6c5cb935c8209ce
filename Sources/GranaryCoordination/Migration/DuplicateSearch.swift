import GranaryBase
import GranaryModel

/// Finds the objects with equal values in the properties of uniqueness constraints that the newer version adds, or whose
/// values the migration changes.
///
/// Memory holds about 140 bytes for each object of such an entity. A digest stands for the values: two different values
/// have the same digest with a probability of 2⁻¹²⁸.
struct DuplicateSearch {
    private let source: any StoreBackend
    private let mapping: ModelMapping
    private let rules: MigrationRules
    private let keyOffsets: [Int64]
    /// The older roots in the order in which their objects are copied.
    private let roots: [Int]
    private let cancellation: Cancellation?
    /// The objects that are dropped.
    private(set) var replacements: ObjectReplacements
    /// The objects that were reported as duplicates, by constraint and older root.
    private var reported: [Schema.UniquenessConstraint: [Int: KeySet]] = [:]

    private static let batchRows = 1000
    /// Equal values of a to-one can make more objects equal, whose references make more objects equal.
    private static let roundLimit = 100

    init(
        _ source: any StoreBackend, _ mapping: ModelMapping, _ rules: MigrationRules, keyOffsets: [Int64],
        roots: [Int], cancellation: Cancellation?
    ) {
        self.source = source
        self.mapping = mapping
        self.rules = rules
        self.keyOffsets = keyOffsets
        self.roots = roots
        self.cancellation = cancellation
        replacements = ObjectReplacements(mapping.old)
    }

    /// Finds the objects to drop, and adds what becomes of their links.
    ///
    /// - Returns: the store without their links; nil if no object is dropped.
    mutating func run(_ problems: inout MigrationProblems) throws -> MergedStore? {
        let constraints = mapping.new.entities.flatMap { entity in
            entity.uniquenessConstraints.filter { $0.owner == entity.index }
        }
        let canBreak = constraints.filter { isAdded($0) || changesValues($0) }
        for constraint in canBreak where toOnes(of: constraint).isEmpty {
            try search(source, constraint, &problems)
        }
        for _ in 0..<Self.roundLimit {
            let count = replacements.count
            replacements.complete()
            let merged = replacements.isEmpty ? nil : try MergedStore(source, mapping, replacements, cancellation)
            for constraint in constraints {
                let toOnes = toOnes(of: constraint)
                guard !toOnes.isEmpty, canBreak.contains(constraint) || isMerged(toOnes, merged) else { continue }
                try search(merged ?? source, constraint, &problems)
            }
            guard replacements.count > count else {
                if let merged { problems.add(merged.links.problems) }
                return merged
            }
        }
        throw GranaryError(
            .refused,
            "objects with the same unique values refer to each other over more than \(Self.roundLimit) objects; remove "
                + "them before the migration")
    }

    /// Whether the references of to-ones can be other ones than in the store.
    private func isMerged(_ toOnes: [Schema.Relationship], _ merged: MergedStore?) -> Bool {
        guard let merged else { return false }
        return toOnes.contains { LinkSource(of: $0, mapping).own.contains(where: merged.links.concerns) }
    }

    private func toOnes(of constraint: Schema.UniquenessConstraint) -> [Schema.Relationship] {
        constraint.properties.compactMap { property in
            guard case .relationship(let index) = property else { return nil }
            return mapping.new.entities[constraint.owner].relationships[index]
        }
    }

    /// Whether the older version does not have the constraint, or not for these objects.
    private func isAdded(_ constraint: Schema.UniquenessConstraint) -> Bool {
        let slots = Set(constraint.properties.map { slot(of: $0, in: mapping.new.entities[constraint.owner]) })
        let origins = mapping.new.entities[constraint.owner].family.compactMap { mapping.oldEntities[$0] }
        // One constraint of the older version has to cover all objects.
        return !mapping.old.entities.contains { entity in
            origins.allSatisfy { mapping.old.entity($0, isKindOf: entity.index) }
                && entity.uniquenessConstraints.contains { old in
                    guard old.owner == entity.index else { return false }
                    let oldSlots = Set(old.properties.map { self.slot(of: $0, in: entity) })
                    return origins.allSatisfy { origin in
                        guard let sources = mapping.entities[origin], sources.sources.count > (slots.max() ?? 0) else {
                            return false
                        }
                        return Set(slots.compactMap { sources.slot(at: $0) }) == oldSlots
                            && oldSlots.count == slots.count
                    }
                }
        }
    }

    /// Whether the migration can make values equal that were not: numbers are converted, NULL is replaced, or code
    /// computes values.
    private func changesValues(_ constraint: Schema.UniquenessConstraint) -> Bool {
        let entity = mapping.new.entities[constraint.owner]
        return entity.family.contains { place in
            guard let old = mapping.oldEntities[place], let sources = mapping.entities[old] else { return false }
            if rules.policies[place] != nil { return true }
            return constraint.properties.contains { property in
                guard case .attribute(let index) = property else { return false }
                let attribute = mapping.new.entities[place].attributes[index]
                if rules.fills[place]?[attribute.slot] != nil { return true }
                guard case .attribute(let source) = sources.sources[attribute.slot] else { return true }
                return source.type != attribute.type
                    || source.description.isOptional && !attribute.description.isOptional
            }
        }
    }

    private func slot(of property: Schema.Slot, in entity: Schema.Entity) -> Int {
        switch property {
        case .attribute(let index): entity.attributes[index].slot
        case .relationship(let index): entity.relationships[index].slot
        }
    }

    // MARK: Search

    /// An object with the values of a digest.
    private struct Holder {
        var root: Int
        var object: ObjectReplacements.Object
        /// Its name in the newer version.
        var name: (entity: Int, key: Int64)
        var rank: Rank
    }

    private mutating func search(
        _ store: any StoreBackend, _ constraint: Schema.UniquenessConstraint, _ problems: inout MigrationProblems
    ) throws {
        let entity = mapping.new.entities[constraint.owner]
        let slots = constraint.properties.map { slot(of: $0, in: entity) }
        // Later constraints see only the objects that earlier ones kept.
        let rows = RowMigration(mapping, rules, keyOffsets: keyOffsets, droppedKeys: replacements.dropped)
        var holders: [ValueDigest: Holder] = [:]
        let origins = Set(entity.family.compactMap { mapping.oldEntities[$0] }.map { mapping.old.entities[$0].root })
        var ignored = (MigrationTally(old: mapping.old.entities.count, new: mapping.new.entities.count), problems)
        for root in roots where origins.contains(root) {
            try store.read(entities: mapping.old.entities[root].family, batchSize: Self.batchRows) { batch in
                try cancellation?.check()
                for (_, migrated) in try rows.migrate(&batch, &ignored.0, &ignored.1) {
                    for row in migrated.rows.indices {
                        let concrete = Int(migrated.rows[row].entity)
                        guard mapping.new.entity(concrete, isKindOf: entity.index),
                            let digest = ValueDigest(row, slots, of: migrated)
                        else { continue }
                        let old = mapping.oldEntities[concrete] ?? 0
                        let choice = choice(for: concrete)
                        let holder = Holder(
                            root: root, object: .init(entity: old, key: migrated.rows[row].key - keyOffsets[old]),
                            name: (concrete, migrated.rows[row].key),
                            rank: Rank(choice, row, of: migrated))
                        guard let other = holders[digest] else {
                            holders[digest] = holder
                            continue
                        }
                        guard let choice else {
                            let isNew = reported[constraint, default: [:]][root, default: KeySet()]
                                .insert(holder.object.key)
                            if isNew { note(.duplicate, constraint, holder, &problems) }
                            continue
                        }
                        let isBetter = Self.isBetter(holder, than: other, choice)
                        let loser = isBetter ? other : holder
                        note(.removedDuplicate, constraint, loser, &problems)
                        replacements.replace(loser.object, by: (isBetter ? holder : other).object)
                        if isBetter { holders[digest] = holder }
                    }
                }
                return true
            }
        }
    }

    /// The choice for an entity or its nearest superentity that has one.
    private func choice(for entity: Int) -> MigrationRules.DuplicateChoice? {
        var next: Int? = entity
        while let place = next {
            if let choice = rules.choices[place] { return choice }
            next = mapping.new.entities[place].superentity
        }
        return rules.passesOver ? .first : nil
    }

    private static func isBetter(_ holder: Holder, than other: Holder, _ choice: MigrationRules.DuplicateChoice) -> Bool
    {
        switch choice {
        case .first: false
        case .last: true
        case .largest: other.rank < holder.rank
        }
    }

    private func note(
        _ kind: MigrationProblem.Kind, _ constraint: Schema.UniquenessConstraint, _ object: Holder,
        _ problems: inout MigrationProblems
    ) {
        problems.add(
            kind, entity: mapping.new.entities[object.name.entity].name,
            property: constraint.names.joined(separator: ", "),
            object: mapping.new.objectName(entity: object.name.entity, key: object.name.key))
    }
}

extension EntityMapping {
    /// The slot of the older property that is the source of a slot.
    fileprivate func slot(at slot: Int) -> Int? {
        switch sources[slot] {
        case .none: nil
        case .attribute(let attribute): attribute.slot
        case .relationship(let relationship): relationship.slot
        }
    }
}

/// A digest of the cells of a constraint.
private struct ValueDigest: Hashable {
    private let first: Int
    private let second: Int

    /// Returns nil if one of the cells is NULL, which never equals another value.
    init?(_ row: Int, _ slots: [Int], of batch: borrowing RowBatch) {
        var hashers = (Hasher(), Hasher())
        hashers.1.combine(1)
        for slot in slots {
            let cell = batch[row, slot]
            switch cell {
            case .null: return nil
            case .integer(let value): Self.add(value, &hashers)
            // SQLite compares numbers of both classes by their values.
            case .real(let value):
                if let whole = Int64(exactly: value) { Self.add(whole, &hashers) } else { Self.add(value, &hashers) }
            case .text(let start, let count), .decimal(let start, let count):
                batch.lend(start, count) { Self.add(bytes: $0, &hashers) }
            case .blob(let start, let count), .file(let start, let count):
                batch.lend(start, count) { Self.add(bytes: $0, &hashers) }
            case .reference(let key, _): Self.add(key, &hashers)
            }
        }
        first = hashers.0.finalize()
        second = hashers.1.finalize()
    }

    private static func add(_ value: some Hashable, _ hashers: inout (Hasher, Hasher)) {
        hashers.0.combine(value)
        hashers.1.combine(value)
    }

    private static func add(bytes: UnsafeBufferPointer<UInt8>, _ hashers: inout (Hasher, Hasher)) {
        add(bytes.count, &hashers)
        hashers.0.combine(bytes: UnsafeRawBufferPointer(bytes))
        hashers.1.combine(bytes: UnsafeRawBufferPointer(bytes))
    }
}

/// The value by which the object to keep is chosen; NULL is the smallest.
private enum Rank: Comparable {
    case none
    case integer(Int64)
    case number(Double)
    case text([UInt8])

    init(_ choice: MigrationRules.DuplicateChoice?, _ row: Int, of batch: borrowing RowBatch) {
        guard case .largest(let attribute) = choice else {
            self = .none
            return
        }
        switch batch[row, attribute.slot] {
        case .null, .reference, .file: self = .none
        case .integer(let value): self = .integer(value)
        case .real(let value): self = .number(value)
        case .decimal(let start, let count):
            self = .number(batch.lend(start, count) { Double(String(decoding: $0, as: UTF8.self)) } ?? 0)
        case .text(let start, let count), .blob(let start, let count):
            self = .text(batch.lend(start, count) { Array($0) })
        }
    }

    static func < (left: Self, right: Self) -> Bool {
        switch (left, right) {
        case (.integer(let a), .integer(let b)): a < b
        case (.number(let a), .number(let b)): a < b
        case (.integer(let a), .number(let b)): Double(a) < b
        case (.number(let a), .integer(let b)): a < Double(b)
        case (.text(let a), .text(let b)): a.lexicographicallyPrecedes(b)
        case (.none, .integer), (.none, .number), (.none, .text): true
        default: false
        }
    }
}
