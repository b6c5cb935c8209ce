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

    @Test("Several broken rules are an error 1560 with the single errors")
    func severalRules() async throws {
        let error = try await error(name: nil, age: 200)
        #expect(error.code == 1560)
        let details = try #require(error.userInfo["NSDetailedErrors"] as? [any Error])
        #expect(Set(details.map { ($0 as NSError).code }) == [1570, 1610])
        #expect(details.allSatisfy { ($0 as NSError).domain == "NSCocoaErrorDomain" })
    }

    @Test(
        "An error without a broken rule has the code of its kind",
        arguments: [
            (GranaryError.Code.unreadable, 260), (.uncreatable, 512), (.inputOutput, 134_070), (.busy, 134_090),
            (.interrupted, 3072), (.usage, 134_060), (.internalDefect, 134_060), (.refused, 134_060),
        ])
    func codesOfKinds(kind: GranaryError.Code, code: Int) {
        let error = GranaryError(kind, "a message", underlying: CancellationError())
        #expect(error.coreDataCode == nil && error.errorCode == code)
        #expect((error as NSError).code == code)
        #expect(GranaryError.errorDomain == "NSCocoaErrorDomain")
        #expect(error.errorDescription == "a message" && error.description == "a message")
        #expect(error.errorUserInfo[NSUnderlyingErrorKey] is CancellationError)
    }

    @Test("The codes of errors that are not validation errors")
    func otherCodes() {
        for (code, number) in [
            (Diagnostic.Code.objectGone, 133_000), (.objectConflict, 133_020), (.storeMismatch, 134_100),
            (.historyExpired, 134_301), (.storeCorrupt, 259), (.csvSyntax, 134_060),
        ] {
            #expect(Diagnostic(code, "a message").errorCode == number)
        }
        #expect(Diagnostic.Code.valueMissing.coreDataCode == 1570 && Diagnostic.Code.csvSyntax.coreDataCode == nil)
        #expect(Diagnostic.errorDomain == "NSCocoaErrorDomain")
    }

    @Test("The description of a single diagnostic names the place, the property, the value and the object")
    func descriptionOfOneDiagnostic() {
        let diagnostic = Diagnostic(
            .valueTooLarge, "the maximum is 130", at: SourcePosition(file: "a.csv", line: 2, column: 5),
            entity: "Patient", property: "age", object: "x-coredata://1/Patient/p3", value: "200", coreDataCode: 1610)
        let text = "a.csv:2:5: Patient.age: the maximum is 130 (value: 200) (x-coredata://1/Patient/p3)"
        #expect(diagnostic.errorDescription == text)
        #expect(diagnostic.errorUserInfo["NSValidationErrorKey"] as? String == "age")
        let error = GranaryError(diagnostic)
        #expect(error.code == .refused && error.coreDataCode == 1610 && error.errorDescription == text)
        #expect(diagnostic.description == "a.csv:2:5: error: Patient.age: the maximum is 130 [value.tooLarge]")
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
