import GranaryBase
import GranaryCoordination
import GranaryModel
import GranaryRecords

/// Finds the objects of a subset: the chosen ones, their neighbours, and all that these need.
///
/// The result does not depend on the order of the work. First, objects are followed along to-one relationships until no
/// new object is found. Then each object whose to-many relationship has too few objects in the subset gets the first
/// missing ones. This step looks at the same state of the subset for all objects. Both steps are repeated until no
/// object needs another one.
struct SubsetClosure {
    /// The numbers of an entity's objects by the reason why they were taken.
    struct Counts: Sendable, Equatable {
        var chosen = 0
        var needed = 0
        var followed = 0
        var neighbours: [Int: Int] = [:]
    }

    private enum Reason {
        case chosen, needed, followed
        case neighbour(step: Int)
    }

    private let store: any StoreBackend
    private let plan: SubsetPlan
    private let cancellation: Cancellation?
    private(set) var selection: SubsetSelection
    private(set) var counts: [Counts]
    /// The keys that are not read yet, by the index of the root entity. Without empty sets, because a chain of objects
    /// is followed one by one.
    private var pending: [Int: KeySet] = [:]
    /// The objects whose required to-many relationships are not checked yet, by the index of the entity.
    private var unchecked: [KeySet]
    private var reading = BatchSize()
    /// The number of times that optional to-many relationships got further objects. Each time reads all of them.
    private var rounds = 0
    /// The objects that virtual references can name, by the index of the reference.
    private var virtual: [VirtualReferenceIndex] = []
    /// Why each object was taken; nil if nobody asks.
    private(set) var origins: SubsetOrigins?
    /// The objects whose followed relationships were read, by the index of the entity.
    private var followedOwners: [KeySet]

    private static let roundLimit = 1000

    private var schema: Schema { plan.schema }

    /// The number of owners whose links are read at once.
    static let ownerBatch = 256

    /// - Parameter explains: whether to keep why each object was taken.
    init(_ store: any StoreBackend, plan: SubsetPlan, explains: Bool = false, cancellation: Cancellation?) {
        self.store = store
        self.plan = plan
        self.cancellation = cancellation
        selection = SubsetSelection(schema: plan.schema)
        counts = Array(repeating: Counts(), count: plan.schema.entities.count)
        unchecked = Array(repeating: KeySet(), count: plan.schema.entities.count)
        followedOwners = unchecked
        origins = explains ? SubsetOrigins(plan.schema) : nil
    }

    /// Finds all objects.
    ///
    /// - Parameter depth: the number of steps along to-many relationships.
    mutating func run(depth: Int) throws {
        virtual = try plan.allVirtualReferences.map { reference in
            try VirtualReferenceIndex(reference, store, cancellation)
        }
        var frontier = none
        for (index, (search, choice)) in zip(plan.searches, plan.choices).enumerated() {
            for (entity, key) in choice.chosen(try store.keys(search)) {
                frontier[entity].insert(key)
                let root = schema.entities[entity].root
                origins?.note(key, root: root, .chosen(selection: index))
            }
        }
        let ranks = try plan.followings.map { try $0.ranks(store) }
        var visited = frontier
        try take(frontier, .chosen)
        try follow(frontier, ranks)
        var step = 0
        while step < depth, frontier.contains(where: { !$0.isEmpty }) {
            step += 1
            frontier = try neighbours(of: frontier, &visited)
            try take(frontier, .neighbour(step: step))
            try follow(frontier, ranks)
        }
    }

    /// A warning for each virtual reference with values that name no object.
    var missingReferences: [Diagnostic] {
        zip(plan.allVirtualReferences, virtual).compactMap { reference, index in
            index.missing > 0 ? reference.warning(missing: index.missing, schema) : nil
        }
    }

    private var none: [KeySet] { Array(repeating: KeySet(), count: schema.entities.count) }

    // MARK: Objects

    /// Takes objects, by the index of their entity, and all that they need.
    private mutating func take(_ objects: [KeySet], _ reason: Reason) throws {
        var new: [Int: KeySet] = [:]
        for entity in schema.entities {
            for key in objects[entity.index] where selection.request(key, root: entity.root) {
                new[entity.root, default: KeySet()].insert(key)
            }
        }
        try read(new, reason)
        repeat {
            while !pending.isEmpty {
                let next = pending
                pending = [:]
                try read(next, .needed)
            }
            try checkCounts()
        } while !pending.isEmpty
    }

    /// Reads rows by their keys, and asks for the objects that they refer to.
    private mutating func read(_ keys: [Int: KeySet], _ reason: Reason) throws {
        for (root, set) in keys.sorted(by: { $0.key < $1.key }) {
            var batch: [Int64] = []
            for key in set {
                batch.append(key)
                guard batch.count >= reading.rows else { continue }
                try read(batch, root, reason)
                batch.removeAll(keepingCapacity: true)
            }
            try read(batch, root, reason)
        }
    }

    private mutating func read(_ keys: [Int64], _ root: Int, _ reason: Reason) throws {
        guard !keys.isEmpty else { return }
        try cancellation?.check()
        let batch = try store.read(root: root, keys: keys)
        reading.note(batch)
        for row in batch.rows.indices {
            let (entity, key) = (Int(batch.rows[row].entity), batch.rows[row].key)
            // A row of an abstract entity is no object.
            guard !schema.entities[entity].isAbstract else { continue }
            selection.add(key, entity: entity)
            note(entity, reason)
            if !plan.required[entity].isEmpty { unchecked[entity].insert(key) }
            for reference in plan.references[entity] {
                guard case .reference(let target, _) = batch[row, reference.slot] else { continue }
                note(target, reference.root, of: entity, key, reference.name, .toOne)
                request(target, root: reference.root)
            }
            for reference in plan.virtualReferences[entity] {
                for target in try virtual[reference.index].targets(of: reference, row, batch) {
                    note(target, reference.root, of: entity, key, reference.name, .virtual)
                    request(target, root: reference.root)
                }
            }
        }
    }

    private mutating func note(_ entity: Int, _ reason: Reason) {
        switch reason {
        case .chosen: counts[entity].chosen += 1
        case .needed: counts[entity].needed += 1
        case .followed: counts[entity].followed += 1
        case .neighbour(let step): counts[entity].neighbours[step, default: 0] += 1
        }
    }

    private mutating func request(_ key: Int64, root: Int) {
        if selection.request(key, root: root) { pending[root, default: KeySet()].insert(key) }
    }

    /// Notes why an object is taken, unless it is taken already.
    private mutating func note(
        _ key: Int64, _ root: Int, of owner: Int, _ ownerKey: Int64, _ relationship: String, _ why: SubsetOrigins.Why
    ) {
        guard origins != nil, !selection.requested[root].contains(key) else { return }
        origins?.note(key, root: root, .link(entity: owner, key: ownerKey, relationship: relationship, why: why))
    }

    // MARK: To-many relationships

    /// Takes the members of followed relationships, of objects and of the objects that this adds.
    private mutating func follow(_ objects: [KeySet], _ ranks: [[Int64: Int]?]) throws {
        guard !plan.followings.isEmpty else { return }
        var owners = objects
        while owners.contains(where: { !$0.isEmpty }) {
            var next = none
            for entity in schema.entities where !owners[entity.index].isEmpty {
                var new = KeySet()
                for key in owners[entity.index] where followedOwners[entity.index].insert(key) { new.insert(key) }
                for (following, ranks) in zip(plan.followings, ranks) where following.owners.contains(entity.index) {
                    try addMembers(following, ranks, of: new, entity, to: &next)
                }
            }
            try take(next, .followed)
            owners = next
        }
    }

    private mutating func addMembers(
        _ following: SubsetFollowing, _ ranks: [Int64: Int]?, of owners: KeySet, _ entity: Schema.Entity,
        to next: inout [KeySet]
    ) throws {
        try owners.forEachBatch(of: Self.ownerBatch) { owners in
            try cancellation?.check()
            var chosen: [Link] = []
            var members: [Link] = []
            try store.readLinks(of: following.relationship, owners: owners) { link in
                if let owner = members.first?.owner, owner != link.owner {
                    chosen += following.chosen(members, ranks)
                    members.removeAll(keepingCapacity: true)
                }
                members.append(link)
            }
            chosen += following.chosen(members, ranks)
            for link in chosen {
                next[link.entity].insert(link.destination)
                note(
                    link.destination, schema.entities[link.entity].root, of: entity.index, link.owner,
                    following.relationship.name, .followed)
            }
        }
    }

    /// The objects that to-many relationships of `objects` contain and that no earlier step visited.
    private mutating func neighbours(of objects: [KeySet], _ visited: inout [KeySet]) throws -> [KeySet] {
        var next = none
        for entity in schema.entities where !objects[entity.index].isEmpty {
            for relationship in plan.neighbours[entity.index] {
                var links: [Link] = []
                try objects[entity.index].forEachBatch(of: Self.ownerBatch) { owners in
                    try cancellation?.check()
                    try store.readLinks(of: relationship, owners: owners) { link in
                        guard visited[link.entity].insert(link.destination) else { return }
                        next[link.entity].insert(link.destination)
                        if origins != nil { links.append(link) }
                    }
                }
                for link in links {
                    note(
                        link.destination, schema.entities[link.entity].root, of: entity.index, link.owner,
                        relationship.name, .neighbour)
                }
            }
        }
        return next
    }

    /// Asks for further objects of to-many relationships that have too few.
    private mutating func checkCounts() throws {
        for entity in plan.counted {
            let new = unchecked[entity]
            unchecked[entity] = KeySet()
            for relationship in plan.required[entity] { try fill(relationship, new) }
        }
        let count = pending.values.reduce(0) { $0 + $1.count }
        // Such a relationship is checked again for all objects, because it may have been empty before.
        for entity in plan.counted {
            for relationship in plan.conditional[entity] { try fill(relationship, selection.found[entity]) }
        }
        guard pending.values.reduce(0, { $0 + $1.count }) > count else { return }
        rounds += 1
        guard rounds <= Self.roundLimit else {
            throw GranaryError(
                Diagnostic(
                    .limitExceeded,
                    "after \(Self.roundLimit) rounds, optional to-many relationships with a minimum count still have too "
                        + "few objects in the subset; choose their objects too"))
        }
    }

    private mutating func fill(_ demand: SubsetDemand, _ owners: KeySet) throws {
        let relationship = demand.relationship
        let root = schema.entities[relationship.destination].root
        var wanted: [(owner: Int64, key: Int64)] = []
        try owners.forEachBatch(of: Self.ownerBatch) { owners in
            try cancellation?.check()
            var list = MemberList(demand)
            try store.readLinks(of: relationship, owners: owners) { link in
                if link.owner != list.owner {
                    wanted += list.lacking.map { (list.owner ?? 0, $0) }
                    list = MemberList(demand, owner: link.owner)
                }
                list.add(link.destination, isTaken: selection.contains(link.destination, entity: link.entity))
            }
            wanted += list.lacking.map { (list.owner ?? 0, $0) }
        }
        for (owner, key) in wanted {
            if let entity = selection.entity(of: owner, in: schema.entities[relationship.owner].family) {
                note(key, root, of: entity, owner, relationship.name, demand.why)
            }
            request(key, root: root)
        }
    }
}
