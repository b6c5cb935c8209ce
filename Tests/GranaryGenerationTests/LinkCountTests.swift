import GranaryBase
import GranaryCoordination
import GranaryCoreDataStore
import GranaryModel
import GranaryPredicates
import Testing
@testable import GranaryGeneration
@testable import SeedingTestSupport

/// The numbers of linked objects that the user chooses.
@Suite struct LinkCountTests {
    private static let name = PropertyDescription.attribute("name", .string)

    /// A has `b` or `bs`; B has `a` or `as`.
    private static func model(_ a: PropertyDescription?, _ b: PropertyDescription?) -> ManagedObjectModel {
        ManagedObjectModel(entities: [
            EntityDescription("A", [name, a].compactMap { $0 }), EntityDescription("B", [name, b].compactMap { $0 }),
        ])
    }

    private static let oneToMany = model(.toMany("bs", "B", inverse: "a"), .toOne("a", "A", inverse: "bs"))
    private static let requiredOne = model(.toMany("bs", "B", inverse: "a"), .toOne("a", "A", inverse: "bs", .required))
    private static let manyToMany = model(.toMany("bs", "B", inverse: "as"), .toMany("as", "A", inverse: "bs"))

    private func links(_ generated: Generated, _ entity: String, _ name: String) throws -> [Int64: [Int64]] {
        let relationship = try #require(generated.store.schema.entity(named: entity)?.relationship(named: name))
        var links: [Int64: [Int64]] = [:]
        try generated.store.readLinks(of: relationship, owners: nil) {
            links[$0.owner, default: []].append($0.destination)
        }
        return links
    }

    private func frequencies(_ degrees: [Int]) -> [Int: Int] {
        Dictionary(grouping: degrees) { $0 }.mapValues(\.count)
    }

    @Test(
        "Counts of one to many, many to many and without an inverse, by options and by user info",
        arguments: [
            ("3", 3...3, [3: 200]), ("0..5", 0...5, [0: 33, 1: 33, 2: 33, 3: 33, 4: 33, 5: 33]),
            ("0..6 normal", 0...6, [0: 1, 3: 79, 6: 1]), ("0..3 zipf", 0...3, [0: 96, 1: 48, 2: 32, 3: 24]),
            ("0..2 skewed", 0...2, [0: 111, 1: 67, 2: 22]), ("0:50, 1:30, 2:20", 0...2, [0: 100, 1: 60, 2: 40]),
            ("7..9:1, 0:3", 0...9, [0: 150, 7: 17, 8: 17, 9: 17]),
        ] as [(String, ClosedRange<Int>, [Int: Int])])
    func distributions(rule: String, range: ClosedRange<Int>, expected: [Int: Int]) throws {
        for model in [Self.oneToMany, Self.manyToMany, Self.model(.toMany("bs", "B", inverse: nil), nil)] {
            let generated = try Generated.of(model, ["A": 200, "B": 2000]) { $0.linkCounts["A.bs"] = rule }
            #expect(try generated.findings == [], "\(rule)")
            let degrees = try generated.degrees("A", "bs")
            #expect(degrees.allSatisfy(range.contains), "\(rule)")
            let found = frequencies(degrees)
            for (count, number) in expected {
                #expect(abs((found[count] ?? 0) - number) <= number / 3 + 8, "\(rule): \(count): \(found)")
            }
            var described = model
            described.entities[0].relationships[0].userInfo = ["granary.count": .string(rule)]
            let again = try Generated.of(described, ["A": 200, "B": 2000])
            #expect(try links(again, "A", "bs") == links(generated, "A", "bs"))
        }
    }

    @Test("Counts change as little as possible until they add up to what the other end needs")
    func sums() throws {
        for (a, b) in [(100, 250), (100, 130), (100, 480), (100, 500), (100, 100)] {
            let generated = try Generated.of(Self.requiredOne, ["A": a, "B": b]) { $0.linkCounts["A.bs"] = "1..5" }
            let degrees = try generated.degrees("A", "bs")
            #expect(degrees.reduce(0, +) == b && degrees.allSatisfy((1...5).contains), "\(b): \(degrees)")
            #expect(try generated.findings == [])
        }
        // Optional references are NULL, and NULLs do not decide.
        let few = try Generated.of(Self.oneToMany, ["A": 10, "B": 100]) {
            ($0.linkCounts["A.bs"], $0.nullPercent) = ("3", 90)
        }
        #expect(try few.degrees("A", "bs") == Array(repeating: 3, count: 10))
        #expect(try few.degrees("B", "a").count { $0 == 0 } == 70)
        // A rule with a gap: the sum must be one of its sums.
        let gap = try Generated.of(Self.requiredOne, ["A": 10, "B": 25]) { $0.linkCounts["A.bs"] = "0:1, 5:1" }
        #expect(try gap.degrees("A", "bs") == [0, 0, 0, 0, 0, 5, 5, 5, 5, 5])
        let problems = try Generated.problems(Self.requiredOne, ["A": 10, "B": 26]) {
            $0.linkCounts["A.bs"] = "0:1, 5:1"
        }
        #expect(problems.first?.message.contains("add up to the 26 links") ?? false, "\(problems)")
    }

    @Test("The minimum and maximum counts of the model exclude counts of the rule")
    func limits() throws {
        let model = Self.model(
            .toMany("bs", "B", inverse: "as", .count(2, 4)), .toMany("as", "A", inverse: "bs", .count(0, 3)))
        let generated = try Generated.of(model, ["A": 60, "B": 80]) { $0.linkCounts["A.bs"] = "0..9" }
        #expect(try generated.findings == [])
        #expect(Set(try generated.degrees("A", "bs")) == [0, 2, 3, 4])
        let members = try generated.degrees("B", "as")
        #expect((members.max() ?? 0) <= 3 && (members.max() ?? 0) - (members.min() ?? 0) <= 1)
        let required = Self.model(
            .toMany("bs", "B", inverse: "as", .required, .count(2, 4)), .toMany("as", "A", inverse: "bs"))
        let all = try Generated.of(required, ["A": 60, "B": 80]) { $0.linkCounts["A.bs"] = "0..9" }
        #expect(Set(try all.degrees("A", "bs")) == [2, 3, 4])
        // An object cannot be linked to more objects than there are.
        let few = try Generated.of(Self.manyToMany, ["A": 50, "B": 3]) { $0.linkCounts["A.bs"] = "0..9" }
        #expect(Set(try few.degrees("A", "bs")) == [0, 1, 2, 3])
        #expect(try few.findings == [])
        // Members that need two owners, or none.
        let pairs = Self.model(.toMany("bs", "B", inverse: "as"), .toMany("as", "A", inverse: "bs", .count(2, 2)))
        let paired = try Generated.of(pairs, ["A": 40, "B": 1000]) { $0.linkCounts["A.bs"] = "4" }
        #expect(try paired.findings == [])
        #expect(frequencies(try paired.degrees("B", "as")) == [0: 920, 2: 80])
    }

    @Test("Rules at both ends of many to many")
    func bothEnds() throws {
        for seed in UInt64(0)..<6 {
            let generated = try Generated.of(Self.manyToMany, ["A": 60, "B": 90]) {
                $0.randomSeed = seed
                ($0.linkCounts["A.bs"], $0.linkCounts["B.as"]) = ("0..8 zipf", "0:40, 1..3:50, 4..12:10")
            }
            #expect(try generated.findings == [])
            let (a, b) = (try generated.degrees("A", "bs"), try generated.degrees("B", "as"))
            #expect(a.allSatisfy((0...8).contains) && b.allSatisfy((0...12).contains))
            #expect(a.reduce(0, +) == b.reduce(0, +) && a.reduce(0, +) > 50)
            #expect(Set(a).count > 5 && Set(b).count > 3)
        }
        let fixed = try Generated.of(Self.manyToMany, ["A": 6, "B": 4]) {
            ($0.linkCounts["A.bs"], $0.linkCounts["B.as"]) = ("2", "3")
        }
        #expect(try fixed.degrees("A", "bs") == [2, 2, 2, 2, 2, 2] && fixed.degrees("B", "as") == [3, 3, 3, 3])
        let problems = try Generated.problems(Self.manyToMany, ["A": 6, "B": 4]) {
            ($0.linkCounts["A.bs"], $0.linkCounts["B.as"]) = ("2", "4")
        }
        #expect(problems.first?.message.contains("no links have the counts of A.bs and B.as") ?? false, "\(problems)")
    }

    @Test("A pair of count lists has links if and only if Gale and Ryser's condition holds")
    func galeRyser() {
        var state: UInt64 = 7
        func random(_ limit: UInt64) -> UInt64 {
            state = RandomStream.mixed(state &+ 1)
            return state % limit
        }
        var found = (yes: 0, no: 0)
        for _ in 0..<3000 {
            let (m, n) = (Int(random(5)) + 1, Int(random(5)) + 1)
            let first = (0..<m).map { _ in UInt32(random(UInt64(n) + 1)) }
            let second = (0..<n).map { _ in UInt32(random(UInt64(m) + 1)) }
            guard first.reduce(0, +) == second.reduce(0, +) else { continue }
            let rows = first.sorted(by: >)
            let isPossible = (1...m).allSatisfy { k in
                rows.prefix(k).reduce(0, +) <= second.reduce(0) { $0 + min($1, UInt32(k)) }
            }
            let orders = (
                first: Permutation(count: UInt64(m), RandomStream(seed: 1, ["a"])),
                second: Permutation(count: UInt64(n), RandomStream(seed: 1, ["b"]))
            )
            let links = PairedLinks(first, second, orders)
            #expect((links != nil) == isPossible, "\(first) \(second)")
            guard let links else {
                found.no += 1
                continue
            }
            found.yes += 1
            for object in 0..<m {
                let members = links.second(of: UInt64(object))
                #expect(members.count == Int(first[object]) && Set(members).count == members.count)
                for member in members { #expect(links.first(of: member).contains(UInt64(object))) }
            }
            for object in 0..<n { #expect(links.first(of: UInt64(object)).count == Int(second[object])) }
        }
        #expect(found.yes > 100 && found.no > 10, "\(found)")
    }

    @Test("Objects of one entity are a tree, in which each has its number of children")
    func tree() throws {
        let node = ManagedObjectModel(entities: [
            EntityDescription(
                "Node", [.toOne("parent", "Node", inverse: "children"), .toMany("children", "Node", inverse: "parent")])
        ])
        for rule in ["0..3", "0:70, 5:30", "0..40 zipf", "1"] {
            let generated = try Generated.of(node, ["Node": 200]) { $0.linkCounts["Node.children"] = rule }
            #expect(try generated.findings == [])
            // One child of each object is a circle.
            guard rule != "1" else { continue }
            let parents = try parents(generated)
            for start in parents.keys {
                var (next, steps) = (start, 0)
                while let parent = parents[next] {
                    next = parent
                    steps += 1
                    guard steps <= 200 else { break }
                }
                #expect(steps <= 200, "\(rule): a cycle")
                guard steps <= 200 else { return }
            }
        }
    }

    private func parents(_ generated: Generated) throws -> [Int64: Int64] {
        let entity = try #require(generated.store.schema.entity(named: "Node"))
        let slot = try #require(entity.relationship(named: "parent")).slot
        var parents: [Int64: Int64] = [:]
        try generated.store.read(entities: 0..<1, batchSize: 100) { batch in
            for row in batch.rows.indices {
                guard case .reference(let key, _) = batch[row, slot] else { continue }
                parents[batch.rows[row].key] = key
            }
            return true
        }
        return parents
    }

    @Test("Stored owners get new objects by the rule")
    func storedOwners() throws {
        let generated = try Generated.of(Self.requiredOne, ["A": 10])
        try generated.add(["B": 30]) { $0.linkCounts["A.bs"] = "3" }
        #expect(try generated.degrees("A", "bs") == Array(repeating: 3, count: 10))
        #expect(try generated.findings == [])
    }

    @Test("The percentage of NULL of one to-one relationship")
    func nulls() throws {
        let model = Self.model(.toOne("b", "B", inverse: nil), nil)
        let generated = try Generated.of(model, ["A": 400, "B": 3]) { $0.nullPercents["A.b"] = 60 }
        #expect((200...280).contains(try generated.degrees("A", "b").count { $0 == 0 }))
        var described = model
        described.entities[0].relationships[0].userInfo = ["granary.null": .string("0%")]
        #expect(try Generated.of(described, ["A": 400, "B": 3]).degrees("A", "b").allSatisfy { $0 == 1 })
    }

    @Test("Impossible counts are refused by name, and nothing is written")
    func refusals() throws {
        let limited = Self.model(.toMany("bs", "B", inverse: "a", .count(0, 4)), .toOne("a", "A", inverse: "bs"))
        let own = Self.model(.toMany("as", "A", inverse: "as"), nil)
        let unique = ManagedObjectModel(entities: [
            EntityDescription("A", [Self.name, .toMany("bs", "B", inverse: "a")]),
            EntityDescription(
                "B",
                [
                    .attribute("number", .integer16, .required, .minimum(1), .maximum(3)),
                    .toOne("a", "A", inverse: "bs", .required),
                ], unique: [["a", "number"]]),
        ])
        let cases: [(ManagedObjectModel, [String: Int], String, String, String)] = [
            (Self.oneToMany, ["A": 10, "B": 20], "A.bs", "3", "The largest count of A is 6"),
            (Self.requiredOne, ["A": 10, "B": 60], "A.bs", "0..5", "The largest count of B is 50"),
            (Self.oneToMany, ["A": 10, "B": 2], "A.bs", "3", "needs 3 of B, and there are 2"),
            (limited, ["A": 10, "B": 90], "A.bs", "5..7", "no count that the model allows (at least 0, at most 4)"),
            (Self.oneToMany, ["A": 1, "B": 1], "A.bs", "many", "is not a number of objects"),
            (Self.oneToMany, ["A": 1, "B": 1], "A.bs", "5..2", "is not a number of objects"),
            (Self.oneToMany, ["A": 1, "B": 1], "A.bs", "0..2 zpf", "did you mean \"zipf\"?"),
            (Self.oneToMany, ["A": 1, "B": 1], "A.bs", "0, 1", "has no weight"),
            (Self.oneToMany, ["A": 1, "B": 1], "A.bs", "0:0", "all weights are 0"),
            (Self.oneToMany, ["A": 1, "B": 1], "A.bs", "0..2:3, 2:1", "have a common count"),
            (own, ["A": 9], "A.as", "0..3", "must be one number"), (own, ["A": 9], "A.as", "3", "must be even"),
            (own, ["A": 4], "A.as", "6", "needs 6 others, and there are 3"),
            (unique, ["A": 3, "B": 9], "A.bs", "2", "a uniqueness constraint of B chooses the objects"),
        ]
        for (model, counts, name, rule, message) in cases {
            let problems = try Generated.problems(model, counts) { $0.linkCounts[name] = rule }
            #expect(problems.map { "\($0.entity ?? "").\($0.property ?? "")" } == [name], "\(rule): \(problems)")
            #expect(problems.first?.message.contains(message) ?? false, "\(rule): \(problems)")
        }
        let friends = try Generated.of(own, ["A": 10]) { $0.linkCounts["A.as"] = "3" }
        #expect(try friends.degrees("A", "as") == Array(repeating: 3, count: 10))
    }

    @Test("Unknown relationships are wrong usage")
    func usage() throws {
        let cases: [(ManagedObjectModel, String, String)] = [
            (Self.oneToMany, "A.bz", "did you mean \"bs\"?"), (Self.oneToMany, "C.bs", "no entity \"C\""),
            (Self.oneToMany, "B.a", "is no stored to-many relationship"),
            (Self.oneToMany, "A.name", "no such relationship"),
        ]
        for (model, name, message) in cases {
            let error = #expect(throws: GranaryError.self) {
                try Generated.of(model, ["A": 1]) { $0.linkCounts[name] = "1" }
            }
            #expect(error?.code == .usage && error?.message.contains(message) ?? false, "\(String(describing: error))")
        }
        for (name, percent, message) in [("A.bs", 5, "no stored to-one"), ("A.name", 101, "from 0 to 100")] {
            let error = #expect(throws: GranaryError.self) {
                try Generated.of(Self.oneToMany, ["A": 1]) { $0.nullPercents[name] = percent }
            }
            #expect(error?.code == .usage && error?.message.contains(message) ?? false, "\(String(describing: error))")
        }
    }
}
