import GranaryBase
import GranaryCoordination
import GranaryModel

/// Compares two stores: first pairs all objects, then compares the objects of each pair.
struct StoreComparison {
    let a: DiffSide
    let b: DiffSide
    let plan: DiffPlan
    let index: PairIndex
    private let cancellation: Cancellation?
    private var counts: [StoreDiffSummary.Entity]
    /// The number of objects of the second store that are read at once. It is lower if they are large.
    private var chunkRows = 64

    private static let batchRows = 512
    /// The smallest number of objects of which a hint can follow.
    private static let fewest = 5
    private static let largestChunk = 256
    /// The number of bytes of a chunk above which the next one has fewer objects.
    private static let chunkBytes = 2 << 20

    init(a: DiffSide, b: DiffSide, plan: DiffPlan, index: PairIndex, cancellation: Cancellation?) {
        self.a = a
        self.b = b
        self.plan = plan
        self.index = index
        self.cancellation = cancellation
        counts = plan.entities.map { StoreDiffSummary.Entity($0.name) }
    }

    mutating func run(_ report: (ObjectDifference) throws -> Void) throws -> StoreDiffSummary {
        // The objects to which keys refer are paired first.
        for refers in [false, true] {
            for (number, entity) in plan.entities.enumerated() where entity.key.relationships.isEmpty != refers {
                try addObjects(number, .a, a, entity.a, entity.key.inA, target: targetInA)
                try addObjects(number, .b, b, entity.b, entity.key.inB, target: targetInB)
            }
            try index.match(cancellation)
        }
        for number in plan.entities.indices where plan.isCompared(plan.entities[number].name) {
            try compare(number, report)
        }
        return try summary()
    }

    private func addObjects(
        _ number: Int, _ place: PairIndex.Side, _ side: DiffSide, _ entity: Schema.Entity, _ key: DiffKey.Side,
        target: (Int, Int64) throws -> LinkTarget
    ) throws {
        try side.read(entity: entity, batchSize: Self.batchRows) { batch in
            try cancellation?.check()
            for row in batch.rows.indices {
                try index.add(
                    place, entity: number, key: try PairingKey.bytes(of: key, row: row, in: batch, target: target),
                    object: batch.rows[row].key, lacksKey: !key.isEmpty)
            }
        }
    }

    private func summary() throws -> StoreDiffSummary {
        var summary = StoreDiffSummary()
        summary.schema = plan.differences
        summary.links = try linkDifferences()
        summary.entities = zip(plan.entities, counts)
            .filter { !$0.0.isAbstract && plan.isCompared($0.0.name) }.map(\.1)
        for entity in plan.onlyInA {
            var count = StoreDiffSummary.Entity(entity.name)
            count.onlyInA = try a.labelled { try a.store.count(entity: entity.index) }
            summary.entities.append(count)
        }
        for entity in plan.onlyInB {
            var count = StoreDiffSummary.Entity(entity.name)
            count.onlyInB = try b.labelled { try b.store.count(entity: entity.index) }
            summary.entities.append(count)
        }
        for number in index.unkeyed.keys.sorted() where plan.isCompared(plan.entities[number].name) {
            let count = index.unkeyed[number] ?? 0
            let key = plan.entities[number].key.names.joined(separator: ", ")
            summary.warnings.append(
                Diagnostic(
                    .uniqueDuplicate,
                    "\(count) object\(count == 1 ? " has" : "s have") a key (\(key)) that contains NULL or is not "
                        + "unique; \(count == 1 ? "it was" : "they were") paired by $id",
                    severity: .warning, entity: plan.entities[number].name))
        }
        summary.warnings += hints(summary.entities)
        return summary
    }

    /// Hints to pair objects by a key, for entities whose objects were paired by `$id` and nearly all differ.
    private func hints(_ counts: [StoreDiffSummary.Entity]) -> [Diagnostic] {
        counts.compactMap { count in
            let isIdentified = plan.entities.contains { $0.name == count.name && $0.key.isEmpty && !$0.isKeyGiven }
            // One side can be a part of the other one.
            let fewer = count.same + count.changed + min(count.onlyInA, count.onlyInB)
            guard isIdentified, fewer >= Self.fewest, count.same <= fewer / 10 else { return nil }
            return Diagnostic(
                .uniqueDuplicate,
                "nearly all objects differ, and they were paired by $id; if A and B do not have the same primary keys, "
                    + "pair them by attributes",
                severity: .note, entity: count.name, help: "--key \(count.name)=ATTRIBUTE")
        }
    }

    /// Compares the links that lead from no object. Those that lead to no object are members of lists.
    private func linkDifferences() throws -> [StoreDiffSummary.LinkDifference] {
        var found: [StoreDiffSummary.LinkDifference] = []
        for entity in plan.entities where plan.isCompared(entity.name) {
            for relationship in entity.relationships
            where relationship.a.isToMany && relationship.a.owner == entity.a.index {
                try cancellation?.check()
                var (left, right) = (ListDigest(), ListDigest())
                try a.labelled {
                    try a.store.readBrokenLinks(of: relationship.a) { link in
                        guard link.lacksOwner else { return }
                        let target = try targetInA(relationship.a.destination, link.destination)
                        left.add(target, of: link.owner)
                    }
                }
                try b.labelled {
                    try b.store.readBrokenLinks(of: relationship.b) { link in
                        guard link.lacksOwner else { return }
                        right.add(targetInB(relationship.b.destination, link.destination), of: link.owner)
                    }
                }
                guard left != right else { continue }
                found.append(
                    .init(entity: entity.name, property: relationship.name, a: left.count, b: right.count))
            }
        }
        return found
    }

    // MARK: - Objects

    private mutating func compare(_ number: Int, _ report: (ObjectDifference) throws -> Void) throws {
        let pairs = try index.pairs(entity: number)
        // The closure of the read cannot change a property of a struct that it captures.
        var comparison = self
        try a.read(entity: plan.entities[number].a, batchSize: Self.batchRows) { batch in
            var start = 0
            while start < batch.rows.count {
                let end = min(start + comparison.chunkRows, batch.rows.count)
                try comparison.compare(number, batch, start..<end, pairs, report)
                start = end
            }
        }
        self = comparison
        try reportRest(number, report)
    }

    /// Compares some rows of the first store.
    private mutating func compare(
        _ number: Int, _ batch: borrowing RowBatch, _ rows: Range<Int>, _ pairs: PairCursor,
        _ report: (ObjectDifference) throws -> Void
    ) throws {
        try cancellation?.check()
        let entity = plan.entities[number]
        var partners: [Int64?] = []
        for row in rows {
            guard let pair = try pairs.next(), pair.object == batch.rows[row].key else { throw a.damage(entity.a) }
            partners.append(pair.partner)
        }
        let others = try b.read(root: entity.b.root, keys: partners.compactMap { $0 }.sorted())
        let places = Dictionary(zip(others.rows.map(\.key), others.rows.indices)) { first, _ in first }
        chunkRows =
            others.bytes.count > Self.chunkBytes ? max(1, chunkRows / 4) : min(Self.largestChunk, chunkRows * 2)
        var owners: [(a: Int64, b: Int64)] = []
        for (row, partner) in zip(rows, partners) {
            if let partner { owners.append((batch.rows[row].key, partner)) }
        }
        let lists = try listDigests(entity, owners)
        for (row, partner) in zip(rows, partners) {
            guard let partner else {
                counts[number].onlyInA += 1
                try report(ObjectDifference(.onlyInA, try a.object(row: row, in: batch)))
                continue
            }
            guard let other = places[partner] else { throw b.damage(entity.b) }
            let properties = try differences(entity, batch, row, others, other, lists)
            if properties.isEmpty {
                counts[number].same += 1
            } else {
                counts[number].changed += 1
                try report(
                    ObjectDifference(
                        .changed, try a.object(row: row, in: batch), idInB: others.objectName(row: other, b.schema),
                        properties: properties))
            }
        }
    }

    /// Reports the objects that only the second store has.
    private mutating func reportRest(_ number: Int, _ report: (ObjectDifference) throws -> Void) throws {
        let rest = try index.objectsOnlyInB(entity: number)
        let entity = plan.entities[number].b
        var isAtEnd = false
        while !isAtEnd {
            try cancellation?.check()
            var keys: [(entity: Int, key: Int64)] = []
            while keys.count < Self.largestChunk {
                guard let next = try rest.next() else {
                    isAtEnd = true
                    break
                }
                keys.append((entity.index, next.object))
            }
            for object in try b.objects(keys) {
                counts[number].onlyInB += 1
                try report(ObjectDifference(.onlyInB, object))
            }
        }
    }

    // MARK: - Properties

    /// The digests of the to-many relationships of some objects, by the owners' primary keys in each store.
    private struct Lists {
        var a: [Int64: ListDigest] = [:]
        var b: [Int64: ListDigest] = [:]
    }

    private func differences(
        _ entity: DiffPlan.Entity, _ batch: borrowing RowBatch, _ row: Int, _ others: borrowing RowBatch, _ other: Int,
        _ lists: [String: Lists]
    ) throws -> [ObjectDifference.Property] {
        var found: [ObjectDifference.Property] = []
        for attribute in entity.attributes
        where !ObjectDifference.Value.isSame(attribute, batch, row, others, other) {
            found.append(
                .init(
                    name: attribute.name, isOrdered: false, a: .init(of: attribute.a, row: row, in: batch),
                    b: .init(of: attribute.b, row: other, in: others)))
        }
        for relationship in entity.relationships {
            let (left, right): (ObjectDifference.Value, ObjectDifference.Value)
            if relationship.a.isToMany {
                let (key, otherKey) = (batch.rows[row].key, others.rows[other].key)
                let list = lists[relationship.name]
                guard list?.a[key] != list?.b[otherKey] else { continue }
                left = try members(a, relationship.a, key, isOrdered: relationship.isOrdered)
                right = try members(b, relationship.b, otherKey, isOrdered: relationship.isOrdered)
            } else {
                let cells = (batch[row, relationship.a.slot], others[other, relationship.b.slot])
                if try isSame(cells.0, cells.1) { continue }
                let owners = (a: (batch.rows[row].key, entity.a.root), b: (others.rows[other].key, entity.b.root))
                if try isCountedAtOtherEnd(relationship, cells, owners) { continue }
                left = try destination(a, cells.0)
                right = try destination(b, cells.1)
            }
            found.append(.init(name: relationship.name, isOrdered: relationship.isOrdered, a: left, b: right))
        }
        return found
    }

    // MARK: - Relationships

    private func isSame(_ left: StoredCell, _ right: StoredCell) throws -> Bool {
        switch (left, right) {
        case (.null, .null): true
        case (.reference(let key, let entity), .reference(let otherKey, let otherEntity)):
            try targetInA(Int(entity), key) == targetInB(Int(otherEntity), otherKey)
        default: false
        }
    }

    private func targetInA(_ entity: Int, _ key: Int64) throws -> LinkTarget {
        guard let number = plan.numbersInA[entity] else {
            return LinkTarget(kind: .foreignInA, entity: entity, key: key)
        }
        switch try index.partner(entity: number, object: key) {
        case .paired(let partner): return LinkTarget(kind: .common, entity: number, key: partner)
        case .none:
            // An export of one entity has none of the objects that it refers to, so their `$id`s compare.
            let isMissing =
                try !plan.isCompared(plan.entities[number].name)
                && b.read(root: plan.entities[number].b.root, keys: [key]).rows.isEmpty
            return LinkTarget(kind: isMissing ? .common : .onlyInA, entity: number, key: key)
        // A reference to nothing equals one with the same key.
        case .unknown: return LinkTarget(kind: .common, entity: number, key: key)
        }
    }

    private func targetInB(_ entity: Int, _ key: Int64) -> LinkTarget {
        guard let number = plan.numbersInB[entity] else {
            return LinkTarget(kind: .foreignInB, entity: entity, key: key)
        }
        return LinkTarget(kind: .common, entity: number, key: key)
    }

    /// - Parameter owners: the primary keys of pairs of objects.
    private func listDigests(_ entity: DiffPlan.Entity, _ owners: [(a: Int64, b: Int64)]) throws -> [String: Lists] {
        var found: [String: Lists] = [:]
        guard !owners.isEmpty else { return found }
        for relationship in entity.relationships where relationship.a.isToMany {
            var lists = Lists()
            let isOrdered = relationship.isOrdered
            try a.readLinks(of: relationship.a, owners: owners.map(\.a)) { link in
                let target = try targetInA(link.entity, link.destination)
                lists.a[link.owner, default: ListDigest()].add(target, isOrdered: isOrdered)
            }
            try b.readLinks(of: relationship.b, owners: owners.map(\.b)) { link in
                let target = targetInB(link.entity, link.destination)
                lists.b[link.owner, default: ListDigest()].add(target, isOrdered: isOrdered)
            }
            found[relationship.name] = lists
        }
        return found
    }

    private func destination(_ side: DiffSide, _ cell: StoredCell) throws -> ObjectDifference.Value {
        switch cell {
        case .null: return .null
        case .reference(let key, let entity):
            guard let object = try side.objects([(Int(entity), key)]).first else { return .null }
            return .object(object)
        default: return .invalid("the cell is not a reference to an object")
        }
    }

    private func members(
        _ side: DiffSide, _ relationship: Schema.Relationship, _ owner: Int64, isOrdered: Bool
    ) throws -> ObjectDifference.Value {
        var first: [(entity: Int, key: Int64)] = []
        var count = 0
        try side.readLinks(of: relationship, owners: [owner]) { link in
            count += 1
            if first.count < ObjectDifference.listLimit { first.append((link.entity, link.destination)) }
        }
        return .objects(try side.objects(first), count: count)
    }
}
