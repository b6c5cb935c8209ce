import Foundation
import GranaryBase
import GranaryModel
import TestSupport
import Testing

@testable import GranaryModelFiles

/// Mistakes in models as text are all reported, each with its place.
struct ModelTextMistakeTests {
    private static func problems(_ text: String, isJSON: Bool = false) -> [String] {
        ModelSamples.refusal { _ = try ModelTextReader.read(Array(text.utf8), source: "m", isJSON: isJSON) } ?? []
    }

    @Test func allMistakesAreReportedInOnePass() {
        let text = """
            entities:
              Airport:
                atributes: {x: string}
                attributes:
                  ident: strng! unique
                  name: "string! uniqe"
                  latitude: double -90...x
                  len: string 1...3
                  d: {type: date, defalt: 3}
                relationships: {country: Country! <->, x: "[Country] dney"}
            """
        let found = Self.problems(text)
        let expected = [
            "m:3:5: error: an entity has no key \"atributes\"; did you mean \"attributes\"? [model.unknown]",
            "m:5:14: error: ident: there is no type \"strng\"; did you mean \"string\"? [model.unknown]",
            "m:6:22: error: name: \"uniqe\" is unknown here; did you mean \"unique\"?",
            "m:7:30: error: latitude: \"x\" is not a Double [model.syntax]",
            "m:8:19: error: len: the length of a string is in parentheses: string(1...3) [model.syntax]",
            "m:9:23: error: an attribute has no key \"defalt\"; did you mean \"default\"? [model.unknown]",
            "m:10:39: error: country: the inverse relationship after <-> is missing [model.syntax]",
            "m:10:58: error: x: \"dney\" is unknown here; did you mean \"deny\"?",
        ]
        #expect(found.count == expected.count, "\(found)")
        for (line, start) in zip(found, expected) { #expect(line.hasPrefix(start), "\(line)") }
    }

    @Test(arguments: [
        ("a: int", "did you mean \"integer64\"?"),
        ("a: Bool", "did you mean \"boolean\"?"),
        ("a: String", "did you mean \"string\"?"),
        ("a: string(3)", "the length is a range, such as string(...3)"),
        ("a: string(...x)", "\"x\" is not a length"),
        ("a: integer16(...3)", "a range follows the type after a space"),
        ("a: boolean 0...1", "only numbers and dates have a range"),
        ("a: integer16 = many", "\"many\" is not an Integer 16"),
        ("a: integer16 =", "the default value after = is missing"),
        ("a: \"[string]\"", "a list is of type transformable"),
        ("a: 'string = \"x'", "a double quote is missing"),
        ("a: {required: true}", "type is missing"),
        ("a: {type: string, rules: ['SELF =']}", "the predicate cannot be read"),
        ("a: {type: date, default: tomorrow}", "\"tomorrow\" is not a Date"),
        ("a: {type: string, user-info: {x: {y: 1}}}", "has one member"),
        ("a: {type: string, maximum-length: -1}", "a whole number is required, at least 0"),
    ])
    func aMistakeInAnAttribute(text: String, message: String) {
        let found = Self.problems("entities: {E: {attributes: {\(text)}}}")
        #expect(found.count == 1 && found[0].contains(message), "\(found)")
        #expect(found[0].hasPrefix("m:1:"), "\(found)")
    }

    @Test(arguments: [
        ("r: \"[E\"", "the closing bracket ] is missing"),
        ("r: E 0...3", "a relationship to several objects is written in brackets: [E]"),
        ("r: \"[E] 0...1\"", "a relationship to at most one object is written without brackets: E"),
        ("r: \"[E] a...b\"", "\"a\" is not a number of objects"),
        ("r: E(1...2)", "a count follows the entity after a space"),
        ("r: {inverse: x}", "to is missing"),
        ("r: {to: E, destination: E}", "to names the destination already"),
        ("r: {to: E, delete-rule: delete}", "is not one of nullify, cascade, deny, no-action"),
    ])
    func aMistakeInARelationship(text: String, message: String) {
        let found = Self.problems("entities: {E: {relationships: {\(text)}}}")
        #expect(!found.isEmpty && found.contains { $0.contains(message) }, "\(found)")
    }

    @Test(arguments: [
        ("", "the model is empty"),
        ("entities:\n  E:\n    attributes:\n      a:\n", "a: the value is missing"),
        ("x: 1", "a model has no key \"x\""),
        ("[]", "a model must be a mapping"),
        ("entities: 3", "a mapping is required"),
        ("entities: {E: {}, E: {}}", "the key \"E\" occurs twice"),
        ("entities: {E: *x}", "this is not YAML"),
        ("syncable: [entity]\nentities: {}", "is not one of entities, attributes, relationships"),
        ("entities: {E: {indexes: {i: {predicate: x}}}}", "elements is missing"),
        ("entities: {E: {indexes: {i: [{kind: rtree}]}}}", "property or expression is missing"),
        ("entities: {E: {indexes: {i: [a down]}}}", "\"down\" is unknown here"),
        ("entities: {}\nfetch-requests: {r: {predicate: x}}", "entity is missing"),
        ("entities: {E: {fetched-properties: {f: {required: true}}}}", "request is missing"),
        ("composites: {C: {attributes: {a: string unique}}}", "an element of a composite cannot be unique"),
    ])
    func aMistakeElsewhere(text: String, message: String) {
        let found = Self.problems(text)
        #expect(found.contains { $0.contains(message) }, "\(found)")
    }

    @Test func aWordThatIsWrittenTwiceIsOneMistakeWithItsPlace() {
        let text = """
            entities:
              E:
                attributes: {a: string unique unique}
                relationships: {e: E unique unique <-> e}
            """
        #expect(
            Self.problems(text).map { String($0.prefix(50)) }
                == [
                    "m:3:35: error: a: unique is written twice [model.syntax]".prefix(50),
                    "m:4:33: error: e: unique is written twice [model.syntax]".prefix(50),
                ].map(String.init))
    }

    @Test func hostileTextEnds() {
        let deep = String(repeating: "[", count: 100_000)
        #expect(!Self.problems(deep).isEmpty)
        #expect(!Self.problems(deep, isJSON: true).isEmpty)
        let info = String(repeating: "[", count: 100) + String(repeating: "]", count: 100)
        #expect(
            Self.problems("entities: {E: {user-info: {a: \(info)}}}").contains { $0.contains("nests deeper than 64") })
        var bomb = "a0: &a0 [x, x, x, x, x, x, x, x, x, x]\n"
        for level in 1...9 {
            bomb +=
                "a\(level): &a\(level) [" + Array(repeating: "*a\(level - 1)", count: 10).joined(separator: ", ")
                + "]\n"
        }
        #expect(Self.problems(bomb).contains { $0.contains("more than 1000000 values") })
        // An entity that inherits from itself.
        _ = Self.problems("entities: {E: {parent: E, relationships: {r: E <-> nothing}}}")
    }
}
