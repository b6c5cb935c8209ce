import TestSupport
import Testing

@testable import GranaryModel

@Suite struct EntityTreeTests {
    /// Random forests with cycles, missing superentities and equal names, against walking up one step at a time.
    @Test(arguments: 0..<200)
    func agreesWithWalkingUp(_ seed: Int) {
        var random = SeededGenerator(seed: UInt64(seed))
        let count = Int.random(in: 1...12, using: &random)
        let entities = (0..<count).map { _ in
            var entity = EntityDescription(name: "E\(Int.random(in: 0..<count, using: &random))")
            let parent = Int.random(in: -4..<count + 2, using: &random)
            entity.superentityName = parent < 0 ? nil : "E\(parent)"
            return entity
        }
        let tree = EntityTree(entities)

        func parent(_ index: Int) -> Int? { entities.firstIndex { $0.name == entities[index].superentityName } }
        func path(_ index: Int) -> [Int] {
            var path = [index]
            while let last = path.last, let next = parent(last), path.count <= count { path.append(next) }
            return path
        }
        let cyclic = entities.indices.filter { path($0).dropFirst().contains($0) }
        #expect(tree.cyclic == cyclic)
        #expect(tree.parents == entities.indices.map { cyclic.contains($0) ? nil : parent($0) })
        #expect(tree.order.sorted() == Array(entities.indices))
        for index in entities.indices {
            var ancestors = [index]
            while let last = ancestors.last, !cyclic.contains(last), let next = parent(last) { ancestors.append(next) }
            for other in entities.indices {
                #expect(tree.isKind(index, of: other) == ancestors.contains(other))
            }
        }
        #expect(tree.index(of: "E0") == entities.firstIndex { $0.name == "E0" })
    }
}
