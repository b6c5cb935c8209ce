import GranaryBase
import GranaryContexts
import GranaryCoordination
import GranaryCoreDataStore
import GranaryInspection
import GranaryModel
import StoreTestSupport
import TestSupport
import Testing

/// Random programs of changes, saves and rollbacks, against a list of pairs.
@Suite("Relationships, random programs") struct RelationshipProgramTests {
    struct Setting: Sendable, CustomTestStringConvertible {
        let factory: StoreFactory
        /// Whether every step is checked; without, links are read as late as the program lets them.
        let isChecked: Bool
        let seed: UInt64

        var testDescription: String { "\(factory.name), \(isChecked ? "each step" : "the end") checked, seed \(seed)" }
    }

    /// Most programs run in memory: files take their time.
    static let settings = StoreFactory.all.flatMap { factory in
        settings(factory, 0..<(factory.name == StoreFactory.inMemory.name ? 6 : 1))
    }

    static func settings(_ factory: StoreFactory, _ seeds: Range<UInt64>) -> [Setting] {
        seeds.flatMap { seed in [true, false].map { Setting(factory: factory, isChecked: $0, seed: seed) } }
    }

    @Test("Every inverse is right after every step", arguments: settings)
    func programs(_ setting: Setting) throws { try Self.run(setting) }

    static func run(_ setting: Setting) throws {
        var program = try RelationshipProgram(
            setting.factory, seed: setting.seed,
            relations: LinkTwin.relations.indices.filter {
                setting.isChecked || !LinkTwin.relations[$0].isExclusive
            })
        for _ in 0..<60 {
            try program.step()
            if setting.isChecked { try program.check() }
        }
        try program.check()
        try program.save()
    }
}

struct RelationshipProgram {
    let container: PersistentContainer
    let context: ManagedObjectContext
    /// Which of the twin's relations the program changes.
    let relations: [Int]
    var random: SeededGenerator
    /// The objects by their number in the twin; nil once gone for good.
    var objects: [ManagedObject?] = []
    var live: Set<Int> = []
    var twin = LinkTwin()
    var savedLive: Set<Int> = []
    var savedTwin = LinkTwin()

    init(_ factory: StoreFactory, seed: UInt64, relations: [Int]) throws {
        container = try PersistentContainer(ConformanceModel.model, factory)
        self.relations = relations
        context = container.makeContext()
        random = SeededGenerator(seed: seed)
        for _ in 0..<6 { try insert() }
    }

    mutating func step() throws {
        switch Int.random(in: 0..<100, using: &random) {
        case 0..<6: try insert()
        case 6..<14: try delete()
        case 14..<22: try save()
        case 22..<27: rollback()
        case 27..<31: try reset()
        default: try change()
        }
    }

    private mutating func insert() throws {
        live.insert(objects.count)
        objects.append(try context.insert(into: Bool.random(using: &random) ? "Node" : "Leaf"))
    }

    private mutating func pick() throws -> (Int, ManagedObject)? {
        guard let number = live.sorted().randomElement(using: &random) else { return nil }
        return (number, try #require(objects[number]))
    }

    private mutating func delete() throws {
        guard let (number, object) = try pick() else { return }
        try context.delete(object)
        live.remove(number)
        twin.remove(number)
    }

    private mutating func change() throws {
        guard let index = relations.randomElement(using: &random) else { return }
        let relation = LinkTwin.relations[index]
        let forward = relation.backward == nil || Bool.random(using: &random)
        let name = forward ? relation.forward : relation.backward ?? ""
        guard let (number, object) = try pick(), let (otherNumber, other) = try pick() else { return }
        let (from, to) = forward ? (number, otherNumber) : (otherNumber, number)
        guard forward ? relation.forwardIsMany : relation.backwardIsMany else {
            let isRemoved = Int.random(in: 0..<4, using: &random) == 0
            try object.setObject(isRemoved ? nil : other, forKey: name)
            if isRemoved {
                for old in twin.linked(index, number, forward: forward) {
                    forward ? twin.unlink(index, number, old) : twin.unlink(index, old, number)
                }
            } else {
                twin.link(index, from, to)
            }
            return
        }
        switch Int.random(in: 0..<4, using: &random) {
        case 0:
            try object.remove(other, forKey: name)
            twin.unlink(index, from, to)
        case 1:
            let count = Int.random(in: 0...4, using: &random)
            let numbers = Array(live.sorted().shuffled(using: &random).prefix(count))
            try object.setObjects(numbers.map { try #require(objects[$0]) }, forKey: name)
            twin.replace(index, number, forward: forward, with: numbers)
        default:
            try object.add(other, forKey: name)
            twin.link(index, from, to)
        }
    }

    /// Saves, and looks at the store with other eyes.
    mutating func save() throws {
        try context.save()
        for number in objects.indices where !live.contains(number) { objects[number] = nil }
        savedLive = live
        savedTwin = twin
        #expect(!context.hasChanges)
        let fresh = container.makeContext()
        let ids = try live.sorted().map { try #require(objects[$0]).objectID }
        #expect(try fresh.fetchAll("Node").map(\.objectID) == ids.sorted { ($0.key ?? 0) < ($1.key ?? 0) })
        var seen = objects
        for number in live { seen[number] = try fresh.lookUpObject(with: try #require(objects[number]).objectID) }
        try check(seen)
    }

    private mutating func rollback() {
        context.rollback()
        for number in live.subtracting(savedLive) { objects[number] = nil }
        live = savedLive
        twin = savedTwin
    }

    /// Forgets everything and takes the objects from the store again.
    private mutating func reset() throws {
        let ids = savedLive.map { ($0, objects[$0]?.objectID) }
        context.reset()
        objects = objects.map { _ in nil }
        for (number, id) in ids { objects[number] = try context.lookUpObject(with: try #require(id)) }
        live = savedLive
        twin = savedTwin
    }

    func check() throws { try check(objects) }

    private func check(_ objects: [ManagedObject?]) throws {
        for number in live {
            let object = try #require(objects[number])
            for (index, relation) in LinkTwin.relations.enumerated() {
                try check(object, number, index, relation.forward, forward: true, relation.forwardIsMany, objects)
                guard let backward = relation.backward else { continue }
                try check(object, number, index, backward, forward: false, relation.backwardIsMany, objects)
            }
        }
    }

    private func check(
        _ object: ManagedObject, _ number: Int, _ index: Int, _ name: String, forward: Bool, _ isMany: Bool,
        _ objects: [ManagedObject?]
    ) throws {
        let expected = twin.linked(index, number, forward: forward).map { objects[$0] }
        if !isMany {
            try #require(try object.object(forKey: name) === expected.first ?? nil, "\(name) of \(number)")
        } else if forward, LinkTwin.relations[index].isOrdered {
            try #require(try object.objects(forKey: name) == expected, "\(name) of \(number)")
        } else {
            let found = try object.objects(forKey: name)
            try #require(found.count == expected.count && Set(found) == Set(expected.compactMap { $0 }), "\(name)")
        }
    }
}

/// Further programs.
@Suite struct RelationshipProgramLongTests {
    @Test(arguments: StoreFactory.every.flatMap { RelationshipProgramTests.settings($0, 1..<25) })
    func programs(_ setting: RelationshipProgramTests.Setting) throws { try RelationshipProgramTests.run(setting) }
}
