import Foundation
import GranaryBase
import GranaryCoordination
import GranaryCoreDataStore
import GranaryModel
import GranaryPredicates
import TestSupport
import Testing

@testable import GranarySubset
@testable import SeedingTestSupport

/// A decision for each attribute.
@Suite struct AnonymisationRulesTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private static var model: ManagedObjectModel {
        var person = EntityDescription(
            "Person",
            [
                .attribute("name", .string, .required), .attribute("email", .string), .attribute("age", .integer16),
                .attribute("note", .string, .length(0...20)), .attribute("badge", .string),
            ])
        person.uniquenessConstraints = [["badge"]]
        var employee = EntityDescription("Employee", [.attribute("room", .string)])
        employee.superentityName = "Person"
        return ManagedObjectModel(entities: [person, employee])
    }

    private func rules(_ text: String) throws -> AnonymisationRules {
        try AnonymisationRules(path: try folder.write(text, to: "rules.yaml").path)
    }

    private static let all = """
        Person.name: replace
        Person.email: hash
        Person.age: keep
        Person.note: "constant: -"
        Person.badge: replace
        Employee.room: null

        """

    private func check(_ text: String) throws -> AnonymisationCheck {
        AnonymisationCheck(try rules(text), try Self.model.resolved())
    }

    @Test func aFileThatDecidesOnAllIsFine() throws {
        let found = try check(Self.all)
        #expect(found.undecided.isEmpty && found.problems.isEmpty && found.decided == 6)
    }

    @Test func anEmptyFileGetsAProposalForEach() throws {
        let found = try check("\n")
        #expect(
            found.undecided.map { "\($0.attribute) \($0.proposal)" } == [
                "Person.name replace", "Person.email replace", "Person.age keep", "Person.note replace",
                "Person.badge replace", "Employee.room replace",
            ])
        #expect(found.undecided[1].reason.contains("email"))
    }

    @Test func aSubentityCanHaveADecisionOfItsOwn() throws {
        let rules = try rules(Self.all + "Employee.name: keep\n")
        let schema = try Self.model.resolved()
        #expect(AnonymisationCheck(rules, schema).problems.isEmpty)
        let employee = try #require(schema.entity(named: "Employee"))
        let name = try #require(employee.attribute(named: "name"))
        #expect(rules.decision(on: name, of: employee, schema) == .keep)
        let person = try #require(schema.entity(named: "Person"))
        #expect(rules.decision(on: try #require(person.attribute(named: "name")), of: person, schema) == .replace)
    }

    @Test(arguments: [
        ("Person.name: null", "required"), ("Person.badge: \"constant: x\"", "unique"), ("Person.age: hash", "String"),
        ("Person.age: \"constant: 3\"", "String"), ("Person.nme: keep", "did you mean \"Person.name\""),
    ])
    func decisionsThatCannotBe(text: String, message: String) throws {
        let key = text.split(separator: ":")[0]
        let others = Self.all.split(separator: "\n").filter { !$0.hasPrefix(key) }.joined(separator: "\n")
        let found = try check(others + "\n\(text)\n")
        #expect(found.problems.contains { $0.message.contains(message) }, "\(found.problems)")
    }

    @Test(arguments: ["Person.name: replcae", "Person.name: [keep]", "- keep", "Person.name: keep\nPerson.name: null"])
    func wrongFilesAreRefused(text: String) throws {
        let error = #expect(throws: GranaryError.self) { try rules(text) }
        #expect(error?.code == .refused && error?.diagnostics.first?.position != nil)
    }

    private func people() throws -> SQLiteStore {
        let schema = try Self.model.resolved()
        let store = try SQLiteStore.create(path: folder.url.appending(path: "S.sqlite").path, schema: schema)
        let person = try #require(schema.entity(named: "Person"))
        let employee = try #require(schema.entity(named: "Employee"))
        try store.transaction { writer in
            var batch = RowBatch()
            for number in 0..<20 {
                let entity = number % 2 == 0 ? person : employee
                let row = batch.appendRow(
                    entity: entity.index, key: Int64(number + 1), version: 1, slotCount: entity.slotCount)
                for attribute in entity.attributes {
                    let value: AttributeValue =
                        attribute.type == .integer16
                        ? .integer(Int64(number)) : .string("\(attribute.name) \(number % 3) Markermark")
                    let stored = attribute.name == "badge" ? AttributeValue.string("badge\(number)x") : value
                    stored.withBorrowed { batch.set($0, row: row, slot: attribute.slot) }
                }
            }
            try writer.insert(batch)
        }
        return store
    }

    private func subset(_ text: String, key: [UInt8]?) throws -> (values: [String: [AttributeValue?]], path: String) {
        let store = try people()
        let path = folder.url.appending(path: "\(UUID().uuidString).sqlite").path
        let target = try SQLiteStore.create(path: path, schema: store.schema)
        var options = SubsetOptions()
        options.selections = [.init("Person")]
        options.rules = try rules(text)
        options.hashKey = try key.map { try KeyedHash(key: $0) }
        _ = try Subset(options: options).run(from: store, into: target)
        try target.publish()
        let opened = try SQLiteStore.open(path: path, schema: store.schema, readOnly: true)
        var values: [String: [AttributeValue?]] = [:]
        try opened.read(entities: 0..<2, batchSize: 100) { batch in
            for row in batch.rows.indices {
                let entity = opened.schema.entities[Int(batch.rows[row].entity)]
                for attribute in entity.attributes {
                    values[attribute.name, default: []].append(try batch.value(row: row, of: attribute))
                }
            }
            return true
        }
        return (values, path)
    }

    @Test func eachDecisionIsApplied() throws {
        let key = Array("0123456789abcdef01".utf8)
        let (values, path) = try subset(Self.all, key: key)
        #expect(values["age"]?.compactMap { $0 }.count == 20)
        #expect(values["room"]?.allSatisfy { $0 == nil } == true)
        #expect(values["note"]?.allSatisfy { $0 == .string("-") } == true)
        #expect(Set(values["badge"] ?? []).count == 20)
        let hashes = Set((values["email"] ?? []).compactMap { $0 })
        #expect(hashes.count == 3)
        // Computed with Python's hmac and hashlib.
        let expected = try KeyedHash(key: key)
        let text = Array("email 0 Markermark".utf8)
        #expect(hashes.contains(.string(text.withUnsafeBytes { expected.text(of: $0) })))
        let bytes = try Data(contentsOf: URL(filePath: path))
        #expect(bytes.range(of: Data("Markermark".utf8)) == nil)
    }

    @Test func whatIsUndecidedIsNotWritten() throws {
        let text = Self.all.replacing("Person.email: hash\n", with: "")
        let error = #expect(throws: GranaryError.self) { try subset(text, key: nil) }
        #expect(error?.code == .refused && error?.diagnostics.first?.property == "email")
        let key = #expect(throws: GranaryError.self) { try subset(Self.all, key: nil) }
        #expect(key?.code == .usage)
        // A hash has 32 digits.
        let long = Self.all.replacing("\"constant: -\"", with: "hash")
        let violation = #expect(throws: GranaryError.self) { try subset(long, key: Array(repeating: 7, count: 20)) }
        #expect(violation?.code == .refused)
    }

    /// RFC 4231, test cases 1, 2 and 6.
    @Test(arguments: [
        (
            [UInt8](repeating: 0x0b, count: 20), "Hi There",
            "b0344c61d8db38535ca8afceaf0bf12b881dc200c9833da726e9376c2e32cff7"
        ),
        (
            [UInt8](repeating: 0xaa, count: 131), "Test Using Larger Than Block-Size Key - Hash Key First",
            "60e431591ee0b67f0d8a26aacbf5b77f8e0bc6213728c5140546040f0ee37f54"
        ),
    ])
    func theHashIsThatOfTheRFC(key: [UInt8], text: String, expected: String) throws {
        let hash = try KeyedHash(key: key)
        let bytes = Array(text.utf8).withUnsafeBytes { hash.bytes(of: $0) }
        #expect(bytes.map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }.joined() == expected)
        #expect(throws: GranaryError.self) { try KeyedHash(key: Array("short".utf8)) }
    }

    @Test(arguments: 0..<UInt64(6)) func noPlantedMarkerIsInTheOutput(seed: UInt64) throws {
        let trial = try AnonymisationTrial(seed: seed)
        #expect(trial.leaks.isEmpty, "\(trial.leaks)\n\(trial.rules)")
    }
}

/// As ``AnonymisationRulesTests``, with more stores.
@Suite struct AnonymisationRulesLongTests {
    /// 200 random models with random rules and subsets.
    @Test(arguments: 0..<20) func noPlantedMarkerIsInTheOutput(part: Int) throws {
        var (written, gone) = (0, 0)
        for seed in 0..<10 {
            let trial = try AnonymisationTrial(seed: UInt64(500 + part * 10 + seed))
            #expect(trial.leaks.isEmpty, "\(trial.leaks)\n\(trial.rules)")
            if trial.isWritten { written += 1 }
            gone += trial.gone
        }
        #expect(written >= 5 && gone > 0)
        print("\(written) of 10 random stores were anonymised; \(gone) markers had to go")
    }
}
