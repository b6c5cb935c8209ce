import GranaryBase
import GranaryCoordination
import GranaryModel

/// The objects to generate: for each concrete entity their number and their keys.
struct GeneratedObjects: Sendable {
    struct Kind: Sendable {
        let entity: Schema.Entity
        /// The number of objects to generate.
        let count: UInt64
        /// The number of stored objects of the entity, without subentities. Generated objects are numbered after them.
        let stored: UInt64
        /// The key of the first object.
        var firstKey: Int64 = 0
    }

    let schema: Schema
    /// The entities with objects to generate, in the order of the schema.
    private(set) var kinds: [Kind] = []
    /// The number of stored objects of each entity.
    private let storedCounts: [UInt64]

    /// - Parameters:
    ///   - counts: checked by ``check(_:_:)``.
    init(counts: [String: Int], fillsUp: Bool, store: any StoreBackend) throws {
        schema = store.schema
        var storedCounts: [UInt64] = []
        for entity in schema.entities {
            storedCounts.append(entity.isAbstract ? 0 : UInt64(max(0, try store.count(entity: entity.index))))
        }
        self.storedCounts = storedCounts
        for entity in schema.entities {
            let wanted = UInt64(max(0, counts[entity.name] ?? 0))
            let stored = storedCounts[entity.index]
            let count = fillsUp ? wanted - min(wanted, stored) : wanted
            if count > 0 { kinds.append(Kind(entity: entity, count: count, stored: stored)) }
        }
    }

    /// Checks the counts.
    ///
    /// - Throws: ``GranaryError`` with code `usage` for unknown and abstract entities and invalid numbers.
    static func check(_ counts: [String: Int], _ schema: Schema) throws(GranaryError) {
        var total = 0
        for (name, count) in counts.sorted(by: { $0.key < $1.key }) {
            guard let entity = schema.entity(named: name) else {
                throw GranaryError(
                    .usage,
                    "the model has no entity \"\(Diagnostic.shortened(name))\""
                        + NearestText.hint(for: name, in: schema.entities.map(\.name)))
            }
            guard !entity.isAbstract else {
                let concrete = entity.family.map { schema.entities[$0] }.filter { !$0.isAbstract }.map(\.name)
                throw GranaryError(
                    .usage,
                    "\(name) is abstract and has no objects"
                        + (concrete.isEmpty ? "" : "; its concrete subentities are \(concrete.joined(separator: ", "))")
                )
            }
            guard count >= 0 else { throw GranaryError(.usage, "the count of \(name) is negative") }
            let (sum, overflow) = total.addingReportingOverflow(count)
            guard !overflow, sum <= GenerationRequest.maximumCount else {
                throw GranaryError(
                    .usage, "more than \(GenerationRequest.maximumCount) objects cannot be generated in one run")
            }
            total = sum
        }
    }

    var isEmpty: Bool { kinds.isEmpty }
    var count: UInt64 { kinds.reduce(0) { $0 + $1.count } }

    /// The number of stored objects of an entity and its subentities.
    func storedCount(ofFamily entity: Int) -> UInt64 {
        schema.entities[entity].family.reduce(0) { $0 + storedCounts[$1] }
    }

    var storesAny: Bool { storedCounts.contains { $0 > 0 } }

    func count(ofFamily entity: Int) -> UInt64 { span(ofFamily: entity).count }

    /// Sets the keys. Objects of a hierarchy have consecutive keys, in the order of their entities.
    mutating func setKeys(_ firstKey: (_ root: Int) throws -> Int64) throws {
        var next: [Int: Int64] = [:]
        for index in kinds.indices {
            let root = kinds[index].entity.root
            let key = try next[root] ?? firstKey(root)
            let (end, overflow) = key.addingReportingOverflow(Int64(kinds[index].count))
            guard !overflow, end < Int64.max else {
                throw GranaryError(.refused, "there are no keys left for \(kinds[index].entity.name)")
            }
            kinds[index].firstKey = key
            next[root] = end
        }
    }

    /// The last key of each hierarchy with generated objects.
    var lastKeys: [(root: Int, key: Int64)] {
        var last: [Int: Int64] = [:]
        for kind in kinds { last[kind.entity.root] = kind.firstKey + Int64(kind.count) - 1 }
        return last.sorted { $0.key < $1.key }.map { (root: $0.key, key: $0.value) }
    }

    /// The generated objects of an entity and its subentities.
    func span(ofFamily entity: Int) -> ObjectSpan {
        let family = schema.entities[entity].family
        return ObjectSpan(kinds: kinds.filter { family.contains($0.entity.index) })
    }
}
