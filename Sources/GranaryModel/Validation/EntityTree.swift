/// The inheritance of entities in a model that is not checked yet, in time and memory linear in the number of entities.
///
/// Entities are identified by their indexes in the model. A name means the first entity with that name.
struct EntityTree {
    /// The superentity of each entity; nil for a root, an unknown superentity, and an entity on a cycle.
    let parents: [Int?]
    /// All entities in depth-first order.
    let order: [Int]
    /// The entities that inherit from themselves, in the model's order.
    let cyclic: [Int]

    private let indexes: [String: Int]
    /// The range of each entity and its subentities in ``order``.
    let families: [Range<Int>]

    init(_ entities: [EntityDescription]) {
        let indexes = Dictionary(entities.enumerated().map { ($1.name, $0) }) { first, _ in first }
        var parents = entities.map { entity in entity.superentityName.flatMap { indexes[$0] } }
        let cyclic = Self.cyclic(parents)
        for index in cyclic { parents[index] = nil }
        let walk = Self.walk(parents)
        self.indexes = indexes
        self.parents = parents
        self.cyclic = cyclic
        order = walk.order
        families = walk.families
    }

    func index(of name: String) -> Int? { indexes[name] }

    /// Whether `index` is `ancestor` or inherits from it.
    func isKind(_ index: Int, of ancestor: Int) -> Bool {
        families[ancestor].contains(families[index].lowerBound)
    }

    /// Walks up from each entity until it reaches an earlier path; reaching its own path is a cycle.
    private static func cyclic(_ parents: [Int?]) -> [Int] {
        var walks = [Int?](repeating: nil, count: parents.count)
        var result: [Int] = []
        for start in parents.indices where walks[start] == nil {
            var next: Int? = start
            while let index = next, walks[index] == nil {
                walks[index] = start
                next = parents[index]
            }
            guard let first = next, walks[first] == start else { continue }
            var index = first
            repeat {
                result.append(index)
                index = parents[index] ?? first
            } while index != first
        }
        return result.sorted()
    }

    private static func walk(_ parents: [Int?]) -> (order: [Int], families: [Range<Int>]) {
        var children = [[Int]](repeating: [], count: parents.count)
        for (index, parent) in parents.enumerated() {
            if let parent { children[parent].append(index) }
        }
        var order: [Int] = []
        var starts = [Int](repeating: 0, count: parents.count)
        // A stack instead of recursion, because inheritance can be deep.
        var stack = Array(parents.indices.filter { parents[$0] == nil }.reversed())
        while let index = stack.popLast() {
            starts[index] = order.count
            order.append(index)
            stack.append(contentsOf: children[index].reversed())
        }
        var ends = starts.map { $0 + 1 }
        for index in order.reversed() {
            if let parent = parents[index] { ends[parent] = max(ends[parent], ends[index]) }
        }
        return (order, zip(starts, ends).map { $0..<$1 })
    }
}
