/// Who inherits from whom in a model that is not checked yet, in time and memory linear in its entities.
///
/// Entities are numbers here: their places in the model. A name stands for the first entity that has it.
struct EntityTree {
    /// The superentity of each entity; nil for a root, where there is none of that name, and on a cycle.
    let parents: [Int?]
    /// All entities, each after its superentity and before those of another branch.
    let order: [Int]
    /// The entities that inherit from themselves, in the model's order.
    let cyclic: [Int]

    private let indexes: [String: Int]
    /// Where each entity and its subentities lie in ``order``.
    private let families: [Range<Int>]

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

    /// Whether `index` is `ancestor` itself or inherits from it.
    func isKind(_ index: Int, of ancestor: Int) -> Bool {
        families[ancestor].contains(families[index].lowerBound)
    }

    /// Walks up from each entity until it meets a path walked before; meeting its own path is a cycle.
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
        // A stack rather than recursion: inheritance may be as deep as the model's author likes.
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
