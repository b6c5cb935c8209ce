import Foundation
import GranaryModel
import TestSupport
import Testing

/// Nested objects of records. Those with equal keys and equal values are one object.
struct ImportNestedTests {
    private static let model = ManagedObjectModel(entities: [
        EntityDescription(
            "Patient",
            [
                .attribute("name", .string, .required), .toOne("injury", "Injury", inverse: "patients"),
                .toMany("tags", "Tag", inverse: "patients"), .toMany("visits", "Visit", inverse: "patient"),
            ]),
        EntityDescription(
            "Injury",
            [
                .attribute("name", .string, .required), .attribute("level", .decimal),
                .toMany("patients", "Patient", inverse: "injury"), .toOne("ward", "Ward", inverse: "injuries"),
            ], unique: [["name"]]),
        EntityDescription(
            "Tag",
            [
                .attribute("label", .string), .attribute("size", .integer16),
                .toMany("patients", "Patient", inverse: "tags"),
            ]),
        EntityDescription(
            "Visit",
            [
                .attribute("day", .string), .attribute("hour", .integer16),
                .toOne("patient", "Patient", inverse: "visits"),
            ]),
        EntityDescription(
            "Ward",
            [
                .attribute("title", .string), .attribute("beds", .integer16),
                .toMany("injuries", "Injury", inverse: "ward"),
            ]),
    ])

    private let run: CommandRun

    init() throws {
        run = try CommandRun()
        try run.writeModel(Self.model)
    }

    private func importing(_ json: String, _ more: [String] = []) async throws -> CommandRun.Result {
        try await run.importing(json, as: "in.json", entity: "Patient", more)
    }

    private func count(_ entity: String) throws -> Int { try run.rows("S.sqlite", entity, "$id").count }

    @Test("Nested objects with equal keys and values are one object; the order of members does not matter")
    func merged() async throws {
        let result = try await importing(
            """
            [{"name": "Ann", "injury": {"name": "Burn", "level": 2}},
             {"name": "Bob", "injury": {"level": 2.0, "name": "Burn"}},
             {"name": "Cid", "injury": {"name": "Cut", "level": 1}}]
            """)
        #expect(result.code == 0, "\(result.messages)")
        #expect(try count("Injury") == 2)
        #expect(try run.rows("S.sqlite", "Patient", "name,injury") == ["Ann,Burn", "Bob,Burn", "Cid,Cut"])
    }

    @Test("The order of members does not matter at any depth, nor how a number is written")
    func deepOrder() async throws {
        let result = try await importing(
            """
            [{"name": "Ann", "injury": {"name": "Burn", "ward": {"title": "A", "beds": 4}}},
             {"name": "Bob", "injury": {"ward": {"beds": 4.0, "title": "A"}, "name": "Burn"}}]
            """)
        #expect(result.code == 0, "\(result.messages)")
        #expect(try count("Injury") == 1)
        #expect(try count("Ward") == 1)
    }

    @Test("Keys of different attributes are different keys")
    func keysOfRelationships() async throws {
        let result = try await importing(
            """
            [{"name": "Ann", "tags": [{"label": "7", "size": 1}], "visits": [{"day": "7", "hour": 1}]},
             {"name": "Bob", "tags": [{"label": "7", "size": 1}], "visits": [{"day": "8", "hour": 7}]}]
            """, ["--key", "tags=label", "--key", "visits=hour"])
        #expect(result.code == 0, "\(result.messages)")
        #expect(try count("Tag") == 1)
        #expect(try count("Visit") == 2)
    }

    @Test("The values of a nested object include the objects nested in it")
    func deep() async throws {
        func json(_ beds: Int) -> String {
            """
            [{"name": "Ann", "injury": {"name": "Burn", "ward": {"title": "A", "beds": 4}}},
             {"name": "Bob", "injury": {"name": "Burn", "ward": {"title": "A", "beds": \(beds)}}}]
            """
        }
        let refused = try await importing(json(5))
        #expect(refused.code == 65 && refused.messages.contains("[unique.duplicate]"), "\(refused.messages)")
        let result = try await importing(json(4))
        #expect(result.code == 0, "\(result.messages)")
        #expect(try (count("Injury"), count("Ward")) == (1, 1))
    }

    @Test("Equal keys with different values are rejected, with both places")
    func different() async throws {
        let refused = try await importing(
            """
            [{"name": "Ann", "injury": {"name": "Burn", "level": 2}},
             {"name": "Bob", "injury": {"name": "Burn", "level": 3}}]
            """)
        #expect(refused.code == 65)
        #expect(
            refused.messages.contains("in.json:2:") && refused.messages.contains("in.json:1"), "\(refused.messages)")
        #expect(refused.messages.contains("[unique.duplicate]"))
    }

    /// Without a key each nested object is an object; --key RELATIONSHIP=ATTRIBUTE sets a key.
    func named() async throws {
        let json = """
            [{"name": "Ann", "tags": [{"label": "a", "size": 1}, {"label": "b", "size": 2}, {"label": "a", "size": 1}]},
             {"name": "Bob", "tags": [{"label": "a", "size": 1}]}]
            """
        #expect(try await importing(json).code == 0)
        #expect(try count("Tag") == 4)
        let keyed = try await importing(json, ["--key", "tags=label"])
        #expect(keyed.code == 0, "\(keyed.messages)")
        #expect(try count("Tag") == 6)
        #expect(keyed.messages.contains("nested 2"), "\(keyed.messages)")
        for (key, hint) in [
            ("tgas=label", "did you mean \"tags\""), ("tags=lable", "did you mean"),
            ("tags", "Patient.tags is a to-many relationship"),
        ] {
            let wrong = try await importing(json, ["--key", key])
            #expect(wrong.code == 64 && wrong.messages.contains(hint), "\(wrong.messages)")
        }
    }

    @Test("A nested object that can have one owner is rejected for the second")
    func exclusive() async throws {
        let refused = try await importing(
            """
            [{"name": "Ann", "visits": [{"day": "Mon", "hour": 9}]}, {"name": "Bob", "visits": [{"day": "Mon", "hour": 9}]}]
            """, ["--key", "visits=day,hour"])
        #expect(refused.code == 65 && refused.messages.contains("relationship.taken"), "\(refused.messages)")
    }

    /// Unlike the key of a rejected row itself (docs/decisions/0017).
    @Test("A nested object of a rejected record holds no key")
    func rejectedRecord() async throws {
        let result = try await importing(
            """
            [{"name": null, "injury": {"name": "Burn", "level": 2}}, {"name": "Bob", "injury": {"name": "Burn", "level": 2}}]
            """, ["--mode", "keep-good"])
        #expect(result.code == 1, "\(result.messages)")
        #expect(
            result.ledger.hasSuffix("rejected 1") && !result.messages.contains("[unique.duplicate]"),
            "\(result.messages)")
    }

    /// Advice for nested objects can be followed.
    func advice() async throws {
        let json = #"[{"name": "Ann", "tags": [{"label": "a", "size": 1}]}]"#
        #expect(try await importing(#"[{"name": "Ann"}]"#).code == 0)
        let refused = try await importing(json, ["--key", "name", "--on-conflict", "update"])
        #expect(
            refused.code == 65 && refused.messages.contains("with --key tags=ATTRIBUTE, or leave"),
            "\(refused.messages)")
        let followed = try await importing(json, ["--key", "name", "--on-conflict", "update", "--key", "tags=label"])
        #expect(followed.code == 0, "\(followed.messages)")
        let again = try await importing(json, ["--key", "name", "--on-conflict", "update", "--key", "tags=label"])
        #expect(again.code == 0 && again.ledger.contains("unchanged 1"), "\(again.messages)")
    }
}
