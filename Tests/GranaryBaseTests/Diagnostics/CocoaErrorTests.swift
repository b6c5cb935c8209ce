import Foundation
import GranaryBase
import Testing

/// What `NSError`, `localizedDescription` and `LocalizedError` have of Granary's errors.
@Suite("Errors as NSError") struct CocoaErrorTests {
    private static let missing = Diagnostic(
        .valueMissing, "a value is required (x-coredata://S/Patient/p1)", entity: "Patient", property: "name",
        object: "x-coredata://S/Patient/p1", coreDataCode: 1570)
    private static let tooLarge = Diagnostic(
        .valueTooLarge, "200 is larger than the maximum 130", entity: "Patient", property: "age",
        object: "x-coredata://S/Patient/p1", value: "200", coreDataCode: 1610)

    @Test("A single broken rule has its number, its keys and a description with object, property, value and rule")
    func single() throws {
        for error in [Self.tooLarge, GranaryError(.refused, "it breaks a rule", diagnostics: [Self.tooLarge])]
            as [any Error]
        {
            let bridged = error as NSError
            #expect(bridged.domain == "NSCocoaErrorDomain" && bridged.code == 1610)
            #expect(bridged.userInfo["NSValidationErrorKey"] as? String == "age")
            #expect(bridged.userInfo["NSValidationErrorValue"] as? String == "200")
            #expect(bridged.userInfo["NSValidationErrorObject"] as? URL == URL(string: "x-coredata://S/Patient/p1"))
            let text = "Patient.age: 200 is larger than the maximum 130 (x-coredata://S/Patient/p1)"
            #expect(error.localizedDescription == text && bridged.localizedDescription == text)
            #expect(bridged.userInfo["NSDetailedErrors"] == nil)
        }
    }

    @Test("Several broken rules are 1560 with the single errors inside")
    func several() throws {
        let error = GranaryError(.refused, "it breaks 2 rules", diagnostics: [Self.missing, Self.tooLarge])
        let bridged = error as NSError
        #expect(bridged.code == 1560 && error.coreDataCode == 1560)
        let details = try #require(bridged.userInfo["NSDetailedErrors"] as? [any Error])
        #expect(details.map { ($0 as NSError).code } == [1570, 1610])
        #expect(bridged.userInfo["NSValidationErrorKey"] == nil)
        #expect((bridged.userInfo["NSAffectedObjectsErrorKey"] as? [URL])?.count == 2)
        #expect(
            error.localizedDescription.split(separator: "\n").map(String.init) == [
                "it breaks 2 rules", "Patient.name: a value is required (x-coredata://S/Patient/p1)",
                "Patient.age: 200 is larger than the maximum 130 (x-coredata://S/Patient/p1)",
            ])
    }

    @Test("A value that the message does not name is named; a long list is cut")
    func texts() {
        let diagnostic = Diagnostic(.valuePattern, "does not match [a-z]+", entity: "E", property: "p", value: "A1")
        #expect(diagnostic.localizedDescription == "E.p: does not match [a-z]+ (value: A1)")
        let short = Diagnostic(.valueTooShort, "the length 1 is less than the minimum 3", entity: "E", value: "a")
        #expect(short.localizedDescription == "E: the length 1 is less than the minimum 3 (value: a)")
        let range = Diagnostic(.valuePredicate, "must be below 100", entity: "E", value: "10")
        #expect(range.localizedDescription == "E: must be below 100 (value: 10)")
        let quoted = Diagnostic(.valuePredicate, "\"A1\" is not a date", entity: "E", value: "A1")
        #expect(quoted.localizedDescription == "E: \"A1\" is not a date")
        let many = GranaryError(.refused, "no", diagnostics: Array(repeating: diagnostic, count: 12))
        #expect(many.localizedDescription.split(separator: "\n").count == 12)
        #expect(many.localizedDescription.hasSuffix("and 2 more"))
        #expect(
            GranaryError(.unreadable, "a.csv: there is no such file").localizedDescription
                == "a.csv: there is no such file")
    }

    @Test(
        "Every kind of error has a number of Core Data's or Foundation's",
        arguments: [
            (GranaryError(.unreadable, ""), 260), (GranaryError(.uncreatable, ""), 512),
            (GranaryError(.inputOutput, ""), 134_070), (GranaryError(.busy, ""), 134_090),
            (GranaryError(.interrupted, ""), 3072), (GranaryError(.usage, ""), 134_060),
            (GranaryError(.internalDefect, ""), 134_060), (GranaryError(.refused, ""), 134_060),
            (GranaryError(Diagnostic(.storeMismatch, "")), 134_100),
            (GranaryError(Diagnostic(.objectGone, "")), 133_000),
            (GranaryError(Diagnostic(.objectConflict, "")), 133_020),
            (GranaryError(Diagnostic(.historyExpired, "")), 134_301),
            (
                GranaryError(
                    .refused, "",
                    diagnostics: [Diagnostic(.storeMismatch, "", entity: "A"), Diagnostic(.storeMismatch, "")]),
                134_100
            ),
            (
                GranaryError(.refused, "", diagnostics: [Diagnostic(.csvRagged, ""), Diagnostic(.csvSyntax, "")]),
                134_060
            ),
        ])
    func numbers(_ error: GranaryError, _ number: Int) {
        #expect((error as NSError).code == number)
    }

    @Test("What a lower layer threw is the underlying error")
    func underlying() {
        let error = GranaryError(.inputOutput, "no", underlying: CocoaError(.fileNoSuchFile))
        #expect((error as NSError).userInfo[NSUnderlyingErrorKey] is CocoaError)
    }
}
