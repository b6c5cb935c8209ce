import Foundation
import Granary
import Testing

/// Errors as code that was written for Core Data sees them: an `NSError` with its domain, codes and keys.
@Suite("Cocoa errors") struct CocoaErrorTests {
    private let container: PersistentContainer

    init() throws {
        let model = ManagedObjectModel(entities: [
            EntityDescription(
                "Patient", [.attribute("name", .string, .required), .attribute("age", .integer16, .maximum(130))])
        ])
        container = try PersistentContainer(model: model, store: .inMemory)
    }

    private func error(name: String?, age: Int64) async throws -> NSError {
        try await container.perform { context in
            let patient = try context.insert(into: "Patient")
            try patient.setValue(name.map { .string($0) }, forKey: "name")
            try patient.setValue(.integer(age), forKey: "age")
            do { try context.save() } catch { return error as NSError }
            throw GranaryError(.internalDefect, "the save succeeded")
        }
    }

    @Test("One broken rule has the code of the rule and the keys of a validation error")
    func oneRule() async throws {
        let error = try await error(name: "Ann", age: 200)
        #expect(error.domain == "NSCocoaErrorDomain" && error.code == 1610)
        #expect(error.userInfo["NSValidationErrorKey"] as? String == "age")
        #expect(error.userInfo["NSValidationErrorValue"] as? String == "200")
        #expect((error.userInfo["NSValidationErrorObject"] as? URL)?.scheme == "x-coredata")
        #expect((error.userInfo["NSAffectedObjectsErrorKey"] as? [URL])?.count == 1)
        #expect(error.localizedDescription.contains("Patient.age"))
    }

    /// `key: value` gives the code, the predicate and, if the model has a text for the rule, that text.
    @Test(
        "The failed predicate is in the user info, and a rule's own text is the description",
        arguments: [
            ("age", 200, 1610, "SELF <= 130", nil), ("age", -1, 1620, "SELF >= 0", nil),
            ("name", "A", 1670, "length >= 2", nil), ("name", "Annette", 1660, "length <= 5", nil),
            ("name", "ann", 1680, "SELF MATCHES \"[A-Z].*\"", nil),
            ("age", 13, 1550, "SELF != 13", "Thirteen brings bad luck."), ("age", 17, 1550, "SELF != 17", nil),
        ] as [(String, AttributeValue, Int, String, String?)])
    func predicates(_ key: String, _ value: AttributeValue, _ code: Int, _ predicate: String, _ text: String?) throws {
        let model = ManagedObjectModel(entities: [
            EntityDescription(
                "Patient",
                [
                    .attribute("name", .string, .length(2...5), .pattern("[A-Z].*")),
                    .attribute(
                        "age", .integer16, .minimum(0), .maximum(130),
                        .rule(try ObjectPredicate("SELF != 13"), "Thirteen brings bad luck."),
                        .rule(try ObjectPredicate("SELF != 17"), "")),
                ])
        ])
        let context = try PersistentContainer(model: model, store: .inMemory).makeContext()
        let patient = try context.insert(into: "Patient")
        try patient.setValue(value, forKey: key)
        let errors = [
            #expect(throws: GranaryError.self) { try context.save() },
            #expect(throws: GranaryError.self) { try patient.validateValue(value, forKey: key) },
            #expect(throws: GranaryError.self) {
                try context.execute(BatchInsertRequest("Patient", objects: [[key: value]]))
            },
        ]
        for error in errors {
            let found = try #require(error) as NSError
            #expect(found.code == code)
            let failed = found.userInfo["NSValidationErrorPredicate"] as? ObjectPredicate
            #expect(failed?.description == predicate)
            #expect(text == nil || found.localizedDescription == text)
            #expect(text != nil || found.localizedDescription.contains("Patient.\(key)"))
        }
        // Among several, each detail has its own text; the list names their properties.
        try patient.setValue(13, forKey: "age")
        try patient.setValue("a", forKey: "name")
        let several = try #require(throws: GranaryError.self) { try context.save() } as NSError
        let details = try #require(several.userInfo["NSDetailedErrors"] as? [any Error])
        #expect(details.contains { $0.localizedDescription == "Thirteen brings bad luck." })
        #expect(several.localizedDescription.contains("Patient.age: Thirteen brings bad luck."))
    }
}
