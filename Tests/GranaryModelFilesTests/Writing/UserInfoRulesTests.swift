import Foundation
import GranaryBase
import GranaryModel
import GranaryPredicates
import TestSupport
import Testing

@testable import GranaryModelFiles

/// What Xcode's XML has no place for, and what models of stores have.
struct UserInfoRulesTests {
    private static func model(_ rules: [ValidationRule], userInfo: [String: UserInfoValue] = [:]) -> ManagedObjectModel
    {
        var title = AttributeDescription(name: "title", type: .string)
        title.validationRules = rules
        title.userInfo = userInfo
        var entity = EntityDescription(name: "Book")
        entity.attributes = [title]
        return ManagedObjectModel(entities: [entity])
    }

    private static func readBack(_ model: ManagedObjectModel) throws -> ManagedObjectModel {
        let folder = try TemporaryFolder()
        let url = folder.url.appending(path: "M.xcdatamodel")
        try model.write(to: url)
        var read = try ManagedObjectModel(contentsOf: url)
        read.notes = model.notes
        return read
    }

    @Test(arguments: [
        "length >= 3 AND length <= 50", "SELF CONTAINS \"ti\\\"tle\"", "SELF MATCHES[c] \"a+|b\" OR NOT SELF == nil",
        "SELF IN {\"a\", \"b\"}", "SELF BETWEEN {1, 2}", "length:(SELF) > 3", "SELF LIKE[c] \"a*\"",
    ])
    func rulesComeBack(_ text: String) throws {
        let predicate = try PredicateFormat.predicate(text)
        let model = Self.model(
            [
                ValidationRule(predicate: predicate, message: "not <so> & \"so\""),
                ValidationRule(predicate: .constant(true), message: ""),
            ], userInfo: ["mine": "1"])
        #expect(try Self.readBack(model) == model)
    }

    @Test func whatIsNoPredicateStaysANote() throws {
        let info: [String: UserInfoValue] = [
            "GranaryValidationPredicate 1": "SELF ==", "GranaryValidationMessage 1": "x",
        ]
        #expect(try Self.readBack(Self.model([], userInfo: info)) == Self.model([], userInfo: info))
        // The note is in the way of a rule.
        #expect(throws: GranaryError.self) {
            try Self.readBack(Self.model([ValidationRule(predicate: .constant(true), message: "")], userInfo: info))
        }
    }

    @Test(arguments: [[], ["1"], ["", "3"], ["a,b", "\u{e9}\n", "c"]])
    func versionIdentifiersComeBack(_ identifiers: [String]) throws {
        var model = Self.model([])
        model.versionIdentifiers = identifiers
        #expect(try Self.readBack(model) == model)
    }
}
