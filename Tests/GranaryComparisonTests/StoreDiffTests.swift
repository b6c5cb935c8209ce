import Foundation
import GranaryBase
import GranaryCoordination
import GranaryModel
import GranaryPredicates
import Testing
@testable import GranaryComparison
@testable import SeedingTestSupport

/// The comparison of stores in memory, object by object.
@Suite struct StoreDiffTests {
    // MARK: - Values

    private static let date = Date(timeIntervalSinceReferenceDate: 0.3)

    /// Two different values of each type, and values that only look the same.
    private static let values: [(String, AttributeValue?, AttributeValue?)] = [
        ("small", 1, 2), ("middle", 1, 2), ("large", .integer(.max), .integer(.max - 1)), ("small", 0, nil),
        ("price", .decimal(1.5), .decimal(1.25)), ("price", .decimal(0), nil),
        ("exact", .double(0.3), .double(0.1 + 0.2)), ("exact", .double(0), nil),
        ("rough", .float(0.1), .float(Float(0.1).nextUp)), ("name", "", nil), ("name", "é", "e\u{301}"),
        ("name", "a", "A"), ("name", "a", "a "), ("flag", true, false), ("flag", false, nil),
        ("day", .date(date), .date(Date(timeIntervalSinceReferenceDate: 0.1 + 0.2))), ("day", .date(date), nil),
        ("data", .binary(Data()), nil), ("data", .binary(Data([1])), .binary(Data([1, 0]))),
        ("shape", .binary(Data([1])), .binary(Data([2]))),
        ("code", .uuid(UUID(uuid: (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1))), nil),
        ("link", URL(string: "https://example.org/a").map { AttributeValue.uri($0) }, nil),
    ]

    @Test(arguments: values.indices)
    func `A value that differs in one bit is a difference`(_ index: Int) throws {
        let (name, left, right) = Self.values[index]
        func store(_ value: AttributeValue?) throws -> InMemoryStore {
            let store = try ExportSamples.store(ExportSamples.everyType)
            var values: [String: AttributeValue] = ["middle": 7, "exact": .double(1.5)]
            values[name] = value
            try ExportSamples.insert("Thing", 1, values, into: store)
            return store
        }
        let run = try DiffRun.of(try store(left), try store(right))
        #expect(run.lines == ["changed Thing/p1: \(name)"])
        let property = try #require(run.differences.first?.properties.first)
        #expect(property.a == left.map { ObjectDifference.Value.value($0) } ?? .null)
        #expect(property.b == right.map { ObjectDifference.Value.value($0) } ?? .null)
        #expect(run.counts == ["Thing 0 1 0 0"] && !run.summary.isEqual && run.summary.differences == 1)
        for value in [left, right] {
            let same = try DiffRun.of(try store(value), try store(value))
            #expect(same.lines.isEmpty && same.summary.isEqual)
        }
    }

    @Test func `Large binary data is reported by its digest`() throws {
        func store(_ last: UInt8) throws -> InMemoryStore {
            let store = try ExportSamples.store(ExportSamples.everyType)
            let data = Data(repeating: 7, count: 5_000) + [last]
            try ExportSamples.insert("Thing", 1, ["data": .binary(data)], into: store)
            return store
        }
        let run = try DiffRun.of(try store(1), try store(2))
        guard case .data(let count, let digest)? = run.differences.first?.properties.first?.a else {
            Issue.record("\(run.differences)")
            return
        }
        #expect(count == 5_001 && digest.count == 64)
        #expect(try DiffRun.of(try store(1), try store(1)).summary.isEqual)
    }

    // MARK: - Relationships

    private static let changes: [(String, @Sendable (InMemoryStore) throws -> Void, lines: [String])] = [
        ("nothing", { _ in }, []),
        (
            "a member fewer", { try ExportSamples.link("Employee", 1, "tags", to: [("Tag", 1)], in: $0) },
            ["changed Employee/p1: tags"]
        ),
        (
            "another order of a set",
            { try ExportSamples.link("Employee", 1, "tags", to: [("Tag", 2), ("Tag", 1)], in: $0) }, []
        ),
        (
            "another order of a list",
            {
                try ExportSamples.link(
                    "Employee", 1, "friends", to: [("Customer", 2), ("Employee", 3)], in: $0)
            }, ["changed Employee/p1: friends"]
        ),
        (
            "a new member", { try ExportSamples.link("Customer", 2, "tags", to: [("Tag", 2)], in: $0) },
            ["changed Customer/p2: tags"]
        ),
        (
            "a new object", { try ExportSamples.insert("Tag", 3, ["word": "third"], into: $0) }, ["onlyInB Tag/p3"]
        ),
        (
            "a new destination",
            {
                try ExportSamples.insert("Tag", 3, ["word": "third"], into: $0)
                try ExportSamples.link("Customer", 2, "tags", to: [("Tag", 3)], in: $0)
            }, ["changed Customer/p2: tags", "onlyInB Tag/p3"]
        ),
        (
            "another to-one",
            { try ExportSamples.link("Department", 1, "staff", to: [("Employee", 1)], in: $0) },
            ["changed Employee/p1: department", "changed Employee/p3: department"]
        ),
    ]

    @Test(arguments: changes.indices)
    func `Links differ if their destinations are not pairs`(_ index: Int) throws {
        let (title, change, lines) = Self.changes[index]
        let (first, second) = (try ExportSamples.companyStore(), try ExportSamples.companyStore())
        try change(second)
        #expect(try Set(DiffRun.of(first, second).lines) == Set(lines), "\(title)")
        let back = lines.map { $0.replacing("onlyInB", with: "onlyInA") }
        #expect(try Set(DiffRun.of(second, first).lines) == Set(back), "\(title)")
    }

    @Test func `Destinations are named by their key`() throws {
        let (first, second) = (try ExportSamples.companyStore(), try ExportSamples.companyStore())
        try ExportSamples.link("Employee", 1, "tags", to: [("Tag", 1)], in: second)
        let property = try #require(try DiffRun.of(first, second).differences.first?.properties.first)
        func tag(_ key: Int, _ word: AttributeValue) -> ObjectDifference.Object {
            ObjectDifference.Object(entity: "Tag", id: "Tag/p\(key)", key: [word])
        }
        #expect(property.a == .objects([tag(1, "new"), tag(2, "a;b")], count: 2))
        #expect(property.b == .objects([tag(1, "new")], count: 1))
        #expect(!property.isOrdered)
    }

    // MARK: - Keys

    @Test func `Objects with equal keys are pairs, whatever their primary keys`() throws {
        let first = try ExportSamples.companyStore()
        let second = try ExportSamples.store(ExportSamples.company)
        try ExportSamples.insert("Department", 7, ["name": "R;D"], to: ["head": ("Employee", 3)], into: second)
        try ExportSamples.insert("Department", 9, ["name": "Sales"], into: second)
        try ExportSamples.insert(
            "Employee", 1, ["name": "Ann", "salary": .decimal(12.5)], to: ["department": ("Department", 7)],
            into: second)
        try ExportSamples.insert("Customer", 2, ["name": "Bob", "vip": true], into: second)
        try ExportSamples.insert("Employee", 3, ["name": "Cy"], to: ["department": ("Department", 9)], into: second)
        try ExportSamples.insert("Tag", 2, ["word": "new"], into: second)
        try ExportSamples.insert("Tag", 1, ["word": "a;b"], into: second)
        try ExportSamples.link("Employee", 1, "tags", to: [("Tag", 1), ("Tag", 2)], in: second)
        try ExportSamples.link("Employee", 1, "friends", to: [("Employee", 3), ("Customer", 2)], in: second)
        let run = try DiffRun.of(first, second)
        #expect(run.lines.isEmpty && run.summary.isEqual && run.summary.warnings.isEmpty)
        #expect(run.counts == ["Department 2 0 0 0", "Customer 1 0 0 0", "Employee 2 0 0 0", "Tag 2 0 0 0"])
        #expect(try DiffRun.of(second, first).summary.isEqual)
    }

    private static let people = ManagedObjectModel(entities: [
        EntityDescription("Person", [.attribute("name", .string), .attribute("age", .integer16)])
    ])

    private func people(_ rows: [(Int64, AttributeValue?, AttributeValue)]) throws -> InMemoryStore {
        let store = try ExportSamples.store(Self.people)
        for (key, name, age) in rows {
            var values: [String: AttributeValue] = ["age": age]
            values["name"] = name
            try ExportSamples.insert("Person", key, values, into: store)
        }
        return store
    }

    @Test func `A given key pairs objects, and the rest is paired by id`() throws {
        let first = try people([(1, "Ann", 1), (2, "Bob", 2), (3, "Bob", 3), (4, nil, 4), (5, "Cy", 5)])
        let second = try people([(7, "Ann", 1), (2, "Bob", 2), (3, nil, 3), (4, nil, 9), (6, "Di", 6)])
        let run = try DiffRun.of(first, second, keys: ["Person": ["name"]])
        // Bob is not unique in the first store, so no Bob is paired by name.
        #expect(
            run.lines == [
                "changed Person/p3: name", "changed Person/p4: age", "onlyInA Person/p5", "onlyInB Person/p6",
            ])
        #expect(run.counts == ["Person 2 2 1 1"])
        #expect(run.summary.warnings.map(\.code) == [.uniqueDuplicate])
        #expect(run.summary.warnings.first?.message.hasPrefix("6 objects have a key (name)") == true)
        let ids = try DiffRun.of(first, second)
        #expect(ids.lines.contains("onlyInA Person/p1") && ids.lines.contains("onlyInB Person/p7"))
        #expect(ids.summary.warnings.isEmpty)
    }

    @Test func `A key can have several attributes`() throws {
        let first = try people([(1, "Ann", 1), (2, "Ann", 2)])
        let second = try people([(1, "Ann", 2), (2, "Ann", 1), (3, "Ann", 3)])
        let run = try DiffRun.of(first, second, keys: ["Person": ["name", "age"]])
        #expect(run.lines == ["onlyInB Person/p3"] && run.differences[0].object.key == ["Ann", 3])
    }

    @Test(arguments: [
        ["Persn": ["name"]], ["Person": ["nme"]], ["Person": []], ["Person": ["name", "name"]],
    ])
    func `A key that the models do not have is a mistake`(_ keys: [String: [String]]) throws {
        let store = try people([])
        let error = try #require(throws: GranaryError.self) { try DiffRun.of(store, store, keys: keys) }
        #expect(error.code == .usage && error.message.hasPrefix("the key of "))
        if keys["Person"] == ["nme"] { #expect(error.message.hasSuffix("did you mean \"name\"?")) }
    }

    @Test func `A key applies to subentities`() throws {
        let (first, second) = (try ExportSamples.companyStore(), try ExportSamples.store(ExportSamples.company))
        try ExportSamples.insert("Employee", 9, ["name": "Cy"], into: second)
        let run = try DiffRun.of(first, second, keys: ["Person": ["name"]])
        #expect(run.lines.contains("changed Employee/p3: department") && run.lines.contains("onlyInA Employee/p1"))
        #expect(run.differences.first { $0.kind == .changed }?.idInB == "Employee/p9")
    }

    // MARK: - Models

    @Test func `What only one model has is a difference`() throws {
        let first = try ExportSamples.store(
            ManagedObjectModel(entities: [
                EntityDescription(
                    "A", [.attribute("same", .string), .attribute("gone", .string), .attribute("n", .integer16)]),
                EntityDescription("Old", []),
            ]))
        let second = try ExportSamples.store(
            ManagedObjectModel(entities: [
                EntityDescription(
                    "A", [.attribute("same", .string), .attribute("n", .integer64), .attribute("added", .date)]),
                EntityDescription("New", []),
            ]))
        try ExportSamples.insert("A", 1, ["same": "x", "gone": "y", "n": 1], into: first)
        try ExportSamples.insert("A", 1, ["same": "x", "n": 1], into: second)
        try ExportSamples.insert("A", 2, ["n": 1], into: first)
        try ExportSamples.insert("A", 2, ["n": 2], into: second)
        try ExportSamples.insert("Old", 1, into: first)
        let run = try DiffRun.of(first, second)
        #expect(run.lines == ["changed A/p2: n"])
        #expect(run.counts == ["A 1 1 0 0", "Old 0 0 1 0", "New 0 0 0 0"])
        let schema = run.summary.schema.map {
            "\($0.kind.rawValue) \($0.entity) \($0.property ?? "-") \($0.isCompared)"
        }
        #expect(
            Set(schema) == [
                "onlyInA A gone false", "onlyInB A added false", "different A n true", "onlyInA Old - false",
                "onlyInB New - false",
            ])
        let type = run.summary.schema.first { $0.property == "n" }
        #expect(type?.a == "Integer 16" && type?.b == "Integer 64")
    }

    @Test func `Types that cannot be compared are a difference of the models only`() throws {
        func store(_ type: AttributeType, _ value: AttributeValue) throws -> InMemoryStore {
            let store = try ExportSamples.store(
                ManagedObjectModel(entities: [EntityDescription("A", [.attribute("x", type)])]))
            try ExportSamples.insert("A", 1, ["x": value], into: store)
            return store
        }
        let run = try DiffRun.of(try store(.string, "1"), try store(.integer16, 1))
        #expect(run.lines.isEmpty && !run.summary.isEqual)
        #expect(run.summary.schema.map(\.isCompared) == [false])
    }

    // MARK: - Many objects

    @Test(arguments: [true, false])
    func `Few differences among many objects are found`(_ hasKey: Bool) throws {
        let model = ManagedObjectModel(entities: [
            EntityDescription(
                "Item", [.attribute("code", .string), .attribute("number", .integer32)],
                unique: hasKey ? [["code"]] : [])
        ])
        let count: Int64 = 10_000
        /// With a key, the second store has the objects in the reverse order.
        func store(_ isReversed: Bool, _ numbers: [Int64: Int64]) throws -> InMemoryStore {
            let store = try ExportSamples.store(model)
            let entity = try #require(store.schema.entity(named: "Item"))
            let code = try #require(entity.attribute(named: "code"))
            let number = try #require(entity.attribute(named: "number"))
            var batch = RowBatch()
            for key in 1...count {
                let index = isReversed ? count + 1 - key : key
                let row = batch.appendRow(entity: entity.index, key: key, version: 1, slotCount: entity.slotCount)
                AttributeValue.string("item \(index)").withBorrowed { batch.set($0, row: row, slot: code.slot) }
                batch.set(.integer(numbers[index] ?? index), row: row, slot: number.slot)
            }
            try store.transaction { writer in
                try writer.reserveKeys(root: entity.root, through: count)
                try writer.insert(batch)
            }
            return store
        }
        let run = try DiffRun.of(try store(false, [:]), try store(hasKey, [17: 0, 5_000: 1, 9_999: 2]))
        #expect(
            run.lines == [
                "changed Item/p17: number", "changed Item/p5000: number", "changed Item/p9999: number",
            ])
        #expect(run.counts == ["Item 9997 3 0 0"])
        #expect(run.differences.first?.idInB == (hasKey ? "Item/p9984" : "Item/p17"))
    }
}
