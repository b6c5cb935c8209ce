import Foundation
import GranaryBase
import GranaryCoordination
import GranaryCoreDataStore
import GranaryModel
import GranaryPredicates
import TestSupport
import Testing

@testable import GranarySubset

/// Proposals by the values of a store.
@Suite struct AnonymisationContentTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    @Test(arguments: [
        ("ann@home.example", ContentKind.email), ("DE89 3704 0044 0532 0130 00", .iban),
        ("gb82WEST12345698765432", .iban),
        ("4242 4242 4242 4242", .cardNumber), ("378282246310005", .cardNumber), ("192.168.0.17", .address),
        ("2001:db8::8a2e:370:7334", .address), ("52.5200, 13.4050", .coordinates), ("+49 30 123456", .phone),
        ("(030) 1234-567", .phone), ("0171/5551234", .phone), ("Ann Miller", .name), ("Müller", .name),
    ])
    func kinds(text: String, kind: ContentKind) {
        let found = ContentKind.allCases.first { $0.matches(text[...]) }
        #expect(found == kind || text == "Ann Miller" && found == nil, "\(String(describing: found))")
    }

    @Test(arguments: [
        "ann@home", "@home.example", "DE89 3704 0044 0532 0130 01", "4242 4242 4242 4241", "0000000000000000",
        "192.168.0.256", "1.2.3", "52.5, 13.4", "12345678", "2024-05-01", "0.12345678", "Open Ticket", "a note",
        "10:30:00", "AB-123",
    ])
    func otherTexts(text: String) {
        #expect(ContentKind.allCases.filter { $0.matches(text[...]) }.isEmpty)
    }

    private static let names = ["a", "b", "c", "d", "e", "lat"]

    private func store(_ count: Int) throws -> SQLiteStore {
        var thing = EntityDescription("Thing", Self.names.dropLast().map { .attribute($0, .string) })
        thing.attributes.append(.init(name: "lat", type: .double))
        let schema = try ManagedObjectModel(entities: [thing]).resolved()
        let store = try SQLiteStore.create(path: folder.url.appending(path: "S.sqlite").path, schema: schema)
        try store.transaction { writer in
            var batch = RowBatch()
            for number in 0..<count {
                let row = batch.appendRow(entity: 0, key: Int64(number + 1), version: 1, slotCount: 6)
                let values: [String: AttributeValue] = [
                    "a": .string("person\(number)@home.example"), "b": .string(number % 3 == 0 ? "-" : "Emma"),
                    "c": .string(number == 5 ? "write to (ann@home.example)." : "nothing here"),
                    "d": .string("word"), "lat": .double(52.123456 + Double(number) / 100_000),
                ]
                for attribute in schema.entities[0].attributes {
                    values[attribute.name]?.withBorrowed { batch.set($0, row: row, slot: attribute.slot) }
                }
            }
            try writer.insert(batch)
        }
        return store
    }

    private func check(_ text: String, _ count: Int) throws -> AnonymisationCheck {
        let store = try store(count)
        let rules = try AnonymisationRules(path: try folder.write(text, to: "rules.yaml").path)
        var check = AnonymisationCheck(rules, store.schema)
        try check.look(into: store)
        return check
    }

    @Test func proposalsFollowFromValues() throws {
        let found = try check("", 12).undecided
        #expect(
            found.map(\.proposal) == [
                "generate email", "generate name", "replace", "replace", "replace", "noise -1..1",
            ])
        #expect(found[0].reason == "12 of 12 values looked at are e-mail addresses")
        #expect(found[1].reason == "8 of 12 values looked at are names of persons")
        #expect(found[2].reason == "1 of 12 values looked at contain e-mail addresses")
        #expect(found[3].reason == "a text can contain anything")
        #expect(found[5].reason.contains("coordinates"))
    }

    @Test func aBoundedNumberOfObjectsIsLookedAt() throws {
        let found = try check("", 300).undecided
        #expect(found[0].reason == "200 of 200 values looked at are e-mail addresses")
    }

    @Test func keptValuesThatLookPersonalAreNoted() throws {
        let text = Self.names.map { "Thing.\($0): \($0 == "b" ? "null" : "keep")\n" }.joined()
        let found = try check(text, 12)
        #expect(found.undecided.isEmpty && found.problems.isEmpty)
        #expect(found.doubts.map(\.property) == ["a", "c", "lat"])
        #expect(found.doubts.allSatisfy { $0.severity == .note })
    }

    /// A store's entities can have other numbers than those of the model alone.
    @Test func entitiesAreFoundByName() throws {
        let store = try store(3)
        var model = store.schema.model
        model.entities.insert(EntityDescription("Another", [.attribute("a", .string)]), at: 0)
        var check = AnonymisationCheck(AnonymisationRules(), try model.resolved())
        try check.look(into: store)
        #expect(check.undecided.first { $0.attribute == "Thing.a" }?.proposal == "generate email")
        #expect(check.undecided.first { $0.attribute == "Another.a" }?.proposal == "replace")
    }
}
