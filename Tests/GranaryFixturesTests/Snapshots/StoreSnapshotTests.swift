import Foundation
import GranaryBase
import GranaryContexts
import GranaryCoordination
import GranaryFormats
import GranaryModel
import GranaryPredicates
import TestSupport
import Testing

@testable import GranaryFixtures

@Suite struct StoreSnapshotTests {
    @Test("Objects are sorted by key, references are keys, NULL is omitted", arguments: FixtureStorage.allCases)
    func text(storage: FixtureStorage) async throws {
        let patients = Seed.text(
            #"[{"name": "Ann", "age": 7, "injury": "Burn", "photo": "AAEC"}, {"name": "B\"o\nb"}]"#, format: .json,
            entity: "Patient")
        let fixture = Clinic.fixture(
            .terms("Fracture%Burn", entity: "Injury", attribute: "name", ordinal: "key"), patients, storage: storage)
        let text = try await fixture.withClone { try await StoreSnapshot.text(of: $0) }
        #expect(
            text == #"""
                Injury "Burn"
                  key: 1
                  name: "Burn"

                Injury "Fracture"
                  key: 0
                  name: "Fracture"

                Patient/p1
                  age: 7
                  name: "Ann"
                  photo: AAEC
                  injury: "Burn"

                Patient/p2
                  name: "B\"o\nb"

                """#)
    }

    @Test("Lists keep their order only if the relationship is ordered")
    func lists() async throws {
        let model = ManagedObjectModel(entities: [
            EntityDescription(
                "Tag", [.attribute("name", .string), .toMany("notes", "Note", inverse: "tags")], unique: [["name"]]),
            EntityDescription(
                "Note",
                [
                    .toMany("tags", "Tag", inverse: "notes"),
                    .toMany("steps", "Step", inverse: "note", .ordered),
                ]),
            EntityDescription(
                "Step", [.attribute("name", .string), .toOne("note", "Note", inverse: "steps")], unique: [["name"]]),
        ])
        let fixture = Fixture(
            model: .value(model),
            origin: .seeds([
                .text("name\nb\na\n", format: .csv, entity: "Tag"),
                .text("name\nx\ny\nz\n", format: .csv, entity: "Step"),
                .text("tags,steps\nb;a,z;x\n", format: .csv, entity: "Note"),
            ]), classes: [:], transformers: nil, storage: .inMemory)
        let text = try await fixture.withClone { try await StoreSnapshot.text(of: $0) }
        #expect(text.contains("  steps: [\"z\", \"x\"]\n"))
        #expect(text.contains("  tags: [\"a\", \"b\"]\n"))
    }

    @Test("Ignored properties are omitted, and an ignored key does not name objects")
    func ignored() async throws {
        try await Clinic.fixture(Clinic.injuries, Clinic.patients).withClone { container in
            let text = try await StoreSnapshot.text(of: container, ignoring: ["Patient.age", "Injury.name"])
            #expect(
                text == """
                    Injury/p1
                      key: 0

                    Injury/p2
                      key: 1

                    Patient/p1
                      name: "Ann"
                      injury: "Injury/p1"

                    Patient/p2
                      name: "Bob"

                    """)
            for name in ["Patient.size", "Patient", "Doctor.name", ""] {
                let error = await #expect(throws: GranaryError.self) {
                    try await StoreSnapshot.text(of: container, ignoring: [name])
                }
                #expect(error?.code == .usage)
            }
        }
    }

    @Test("References are by id if a referenced object has the key NULL")
    func nullKey() async throws {
        let model = ManagedObjectModel(entities: [
            EntityDescription("Note", [.toOne("tag", "Tag", inverse: "notes")]),
            EntityDescription(
                "Tag", [.attribute("name", .string), .toMany("notes", "Note", inverse: "tag")], unique: [["name"]]),
        ])
        let fixture = Fixture(
            model: .value(model), origin: .seeds([]), classes: [:], transformers: nil, storage: .inMemory)
        let text = try await fixture.withClone { container in
            try await container.perform { context in
                let note = try context.insert(into: "Note")
                try note.setObject(try context.insert(into: "Tag"), forKey: "tag")
                try context.save()
            }
            return try await StoreSnapshot.text(of: container)
        }
        #expect(text == "Note/p1\n  tag: \"Tag/p1\"\n\nTag/p1\n")
    }

    @Test("An object with a key that is referred to by id shows its id")
    func identifiersOfKeys() async throws {
        let model = ManagedObjectModel(entities: [
            EntityDescription("Note", [.toOne("person", "Person", inverse: "notes")]),
            EntityDescription(
                "Person",
                [
                    .attribute("first", .string), .attribute("last", .string),
                    .toMany("notes", "Note", inverse: "person"),
                ], unique: [["first", "last"]]),
        ])
        /// Two persons, and a note that refers to the first one.
        func text(_ persons: [(first: String, last: String)]) async throws -> String {
            let fixture = Fixture(
                model: .value(model), origin: .seeds([]), classes: [:], transformers: nil, storage: .inMemory)
            return try await fixture.withClone { container in
                for (first, last) in persons {
                    try await container.perform { context in
                        let person = try context.insert(into: "Person")
                        try person.setValue(.string(first), forKey: "first")
                        try person.setValue(.string(last), forKey: "last")
                        try context.save()
                    }
                }
                try await container.perform { context in
                    let persons = try context.fetchAll("Person")
                    let person = persons.first { $0.objectID.uriRepresentation.lastPathComponent == "p1" }
                    try context.insert(into: "Note").setObject(person, forKey: "person")
                    try context.save()
                }
                return try await StoreSnapshot.text(of: container)
            }
        }
        let annFirst = try await text([("Ann", "Lee"), ("Bob", "Fox")])
        #expect(
            annFirst == """
                Note/p1
                  person: "Person/p1"

                Person "Ann", "Lee"
                  $id: "Person/p1"
                  first: "Ann"
                  last: "Lee"

                Person "Bob", "Fox"
                  $id: "Person/p2"
                  first: "Bob"
                  last: "Fox"

                """)
        // The same persons, but the note refers to the other one.
        let bobFirst = try await text([("Bob", "Fox"), ("Ann", "Lee")])
        #expect(annFirst != bobFirst)
    }

    @Test("Ids are shown of keyed objects if another key is ignored")
    func identifiersBesideIgnoredKeys() async throws {
        let text = try await Clinic.fixture(Clinic.injuries, Clinic.patients).withClone {
            try await StoreSnapshot.text(of: $0, ignoring: ["Ward.title"])
        }
        #expect(text.hasPrefix("Injury \"Burn\"\n  $id: \"Injury/p1\"\n  key: 0\n"))
        #expect(text.contains("  injury: \"Injury/p1\"\n"))
    }

    @Test("The limit counts the whole text")
    func limit() async throws {
        try await Clinic.fixture(Clinic.injuries, Clinic.patients).withClone { container in
            let text = try await StoreSnapshot.text(of: container)
            // There is no empty line before the first object.
            let size = text.utf8.count + 1
            let whole = try await StoreSnapshot.text(of: container, maximumBytes: size)
            #expect(whole == text)
            let error = await #expect(throws: GranaryError.self) {
                try await StoreSnapshot.text(of: container, maximumBytes: size - 1)
            }
            #expect(error?.diagnostics.map(\.code) == [.limitExceeded])
        }
    }

    @Test("Values of every type")
    func values() async throws {
        let model = ManagedObjectModel(entities: [
            EntityDescription(
                "Value",
                [
                    .attribute("a", .boolean), .attribute("b", .double), .attribute("c", .decimal),
                    .attribute("d", .date),
                    .attribute("e", .date), .attribute("f", .uuid), .attribute("g", .uri), .attribute("h", .binary),
                ])
        ])
        let fixture = Fixture(
            model: .value(model), origin: .seeds([]), classes: [:], transformers: nil, storage: .inMemory)
        let uuid = try #require(UUID(uuidString: "E621E1F8-C36C-495A-93FC-0C247A3E6E5F"))
        let uri = try #require(URL(string: "https://example.com/a"))
        let text = try await fixture.withClone { container in
            let empty = try await StoreSnapshot.text(of: container)
            #expect(empty == "no objects\n")
            try await container.perform { context in
                let value = try context.insert(into: "Value")
                let values: [(String, AttributeValue)] = [
                    ("a", .boolean(true)), ("b", .double(0.1)), ("c", .decimal(Decimal(12))),
                    ("d", .date(Date(timeIntervalSinceReferenceDate: 0.5))),
                    ("e", .date(Date(timeIntervalSinceReferenceDate: 1e12))), ("f", .uuid(uuid)), ("g", .uri(uri)),
                    ("h", .binary(Data(repeating: 0, count: 49))),
                ]
                for (name, content) in values { try value.setValue(content, forKey: name) }
                try context.save()
            }
            return try await StoreSnapshot.text(of: container)
        }
        let lines = LineDiff.lines(text)
        #expect(lines.prefix(5) == ["Value/p1", "  a: true", "  b: 0.1", "  c: 12", "  d: 2001-01-01T00:00:00.5Z"])
        #expect(lines.dropFirst(5).first?.hasPrefix("  e: 1") == true)
        #expect(lines.dropFirst(6).prefix(2) == ["  f: \(uuid.uuidString)", "  g: \"https://example.com/a\""])
        #expect(lines.last?.hasPrefix("  h: 49 bytes, SHA-256 ") == true)
    }
}
