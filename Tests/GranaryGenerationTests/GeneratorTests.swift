import Foundation
import GranaryBase
import GranaryCoordination
import Testing

@testable import GranaryModel
@testable import GranaryPredicates
@testable import GranaryGeneration
@testable import SeedingTestSupport

/// Generated objects keep the rules of their model.
@Suite struct GeneratorTests {
    /// A model with the entity `Thing`, which has the attribute `value`.
    static func model(
        _ type: AttributeType, _ options: [AttributeOption], unique: Bool = false
    ) -> ManagedObjectModel {
        var attribute = AttributeDescription(name: "value", type: type)
        for option in options { option.apply(&attribute) }
        var entity = EntityDescription(name: "Thing")
        entity.attributes = [attribute]
        entity.uniquenessConstraints = unique ? [["value"]] : []
        return ManagedObjectModel(entities: [entity])
    }

    private struct Rule {
        let type: AttributeType
        let options: [AttributeOption]
        let name: String

        init(_ type: AttributeType, _ name: String, _ options: AttributeOption...) {
            self.type = type
            self.options = options
            self.name = name
        }
    }

    private static func rule(_ format: String) throws -> AttributeOption {
        .rule(try ObjectPredicate(format), "")
    }

    private static func rules() throws -> [Rule] {
        [
            Rule(.integer16, "plain"), Rule(.integer32, "plain"), Rule(.integer64, "plain"), Rule(.decimal, "plain"),
            Rule(.double, "plain"), Rule(.float, "plain"), Rule(.string, "plain"), Rule(.boolean, "plain"),
            Rule(.date, "plain"), Rule(.binary, "plain"), Rule(.uuid, "plain"), Rule(.uri, "plain"),
            Rule(.transformable, "plain"),
            Rule(.integer16, "ends of the type", .minimum(-32_768), .maximum(-32_767)),
            Rule(.integer64, "only the last", .minimum(.integer(.max))),
            Rule(.integer32, "far away", .minimum(5_000_000)), Rule(.integer32, "negative", .maximum(-7)),
            Rule(.decimal, "narrow", .minimum(0.001), .maximum(0.0011)),
            Rule(.decimal, "one value", .minimum(2.5), .maximum(2.5)),
            Rule(.double, "tiny", .minimum(1e-300), .maximum(2e-300)), Rule(.double, "huge", .minimum(1e200)),
            Rule(.float, "narrow", .minimum(1.5), .maximum(1.501)),
            Rule(.date, "one day", .minimum(.date(Self.day)), .maximum(.date(Self.day.addingTimeInterval(86_399.5)))),
            Rule(.date, "part of a second", .minimum(.date(Self.day + 0.25)), .maximum(.date(Self.day + 0.5))),
            Rule(.string, "short", .length(1...2)), Rule(.string, "empty", .length(0...0)),
            Rule(.string, "long", .length(300...310)), Rule(.string, "exact", .length(7...7)),
            Rule(.string, "pattern", .pattern("[A-Z]{2}-[0-9]{4}(a|bc)?")),
            Rule(.string, "anchors", .pattern("^\\d{3}\\s?\\w+$")),
            Rule(.string, "pattern and length", .pattern("[a-f]+"), .length(12...14)),
            Rule(.string, "letters beyond ASCII", .pattern("[äöü]{3}")),
            Rule(.integer16, "predicate", try rule("SELF > 10 AND SELF <= 12")),
            Rule(.integer16, "odd", try rule("SELF BETWEEN {100, 120}"), try rule("SELF != 110")),
            Rule(.double, "positive", try rule("SELF > 0 AND SELF < 0.5")),
            Rule(.string, "list", try rule("SELF IN {'red', 'green'}")),
            Rule(.string, "alternatives", try rule("SELF == 'a' OR SELF == 'b'")),
            Rule(.string, "length", try rule("length >= 20"), try rule("SELF.length < 22")),
            Rule(.string, "begin and end", try rule("SELF BEGINSWITH 'AB' AND SELF ENDSWITH 'Z'")),
            Rule(.string, "contents", try rule("SELF CONTAINS 'x-y'")),
            Rule(.string, "wildcards", try rule("SELF LIKE 'A?-*'")),
            Rule(.string, "matches", try rule("SELF MATCHES '[0-9]{5}'")),
            Rule(.string, "another form", try rule("NOT (SELF CONTAINS 'e')")),
        ]
    }

    private static let day = Date(timeIntervalSinceReferenceDate: 200_016_000)

    @Test("Values keep every rule, required and optional")
    func rulesHold() throws { try Self.checkRules(objects: 10) }

    static func checkRules(objects: Int) throws {
        for rule in try Self.rules() {
            for options in [rule.options, rule.options + [.required]] {
                var model = Self.model(rule.type, options)
                model.entities[0].attributes[0].isOptional = options.count == rule.options.count
                let generated = try Generated.of(model, ["Thing": objects]) { $0.nullPercent = 30 }
                #expect(try generated.findings == [], "\(rule.type.name) \(rule.name)")
                let values = try generated.values("Thing", "value")
                #expect(values.count == objects)
                let isOptional = options.count == rule.options.count
                #expect(values.contains(nil) == isOptional, "\(rule.type.name) \(rule.name)")
            }
        }
    }

    @Test("Unique values of every type are different")
    func uniqueValues() throws { try Self.checkUniqueValues(objects: 60) }

    static func checkUniqueValues(objects: Int) throws {
        let types: [AttributeType] = [
            .integer16, .integer32, .integer64, .decimal, .double, .float, .string, .date, .binary, .uuid, .uri,
            .transformable,
        ]
        for type in types {
            let generated = try Generated.of(Self.model(type, [.required], unique: true), ["Thing": objects])
            let values = try generated.values("Thing", "value").compactMap { $0 }
            #expect(values.count == objects && Set(values).count == objects, "\(type.name)")
            #expect(try generated.findings == [], "\(type.name)")
        }
    }

    @Test("Two constraints that share a relationship are both kept, or refused before anything is written")
    func sharedRelationship() throws {
        let places = ["Guest", "Hall", "Row"].map { EntityDescription($0, [.attribute("name", .string)]) }
        let seat = EntityDescription(
            "Seat",
            [
                .toOne("guest", "Guest", inverse: nil), .toOne("hall", "Hall", inverse: nil),
                .toOne("row", "Row", inverse: nil),
            ], unique: [["hall", "row"], ["guest", "hall"]])
        let model = ManagedObjectModel(entities: places + [seat])
        let counts = ["Guest": 2, "Hall": 2, "Row": 2, "Seat": 4]
        do {
            #expect(try Generated.of(model, counts).findings == [])
        } catch let error as GranaryError {
            #expect(error.code == .refused && error.message.contains("nothing was generated"), "\(error)")
        }
    }

    @Test("All values of a small domain can be used")
    func wholeDomain() throws {
        let cases: [(AttributeType, [AttributeOption], Int)] = [
            (.boolean, [.required], 2), (.integer16, [.required, .minimum(5), .maximum(9)], 5),
            (.string, [.required, .pattern("[ab]{3}")], 8), (.decimal, [.required, .minimum(0), .maximum(0.03)], 301),
        ]
        for (type, options, count) in cases {
            let model = Self.model(type, options, unique: true)
            let generated = try Generated.of(model, ["Thing": count])
            #expect(try generated.findings == [])
            let problems = try Generated.problems(model, ["Thing": count + 1])
            #expect(problems.map(\.code) == [.uniqueDuplicate])
            #expect(problems.first?.message.contains("The largest count is \(count)") ?? false, "\(problems)")
            #expect(problems.first?.entity == "Thing" && problems.first?.property == "value")
        }
        // An optional attribute is NULL in the others.
        var model = Self.model(.boolean, [], unique: true)
        model.entities[0].attributes[0].isOptional = true
        let generated = try Generated.of(model, ["Thing": 10])
        #expect(try generated.findings == [])
        #expect(try generated.values("Thing", "value").count { $0 == nil } == 8)
    }

    @Test("Believable values are chosen by the names of attributes")
    func names() throws {
        let model = ManagedObjectModel(entities: [
            EntityDescription(
                "Patient",
                [
                    .attribute("name", .string, .required), .attribute("emailid", .string, .required),
                    .attribute("age", .integer16, .required), .attribute("contactno", .string, .required),
                    .attribute("notes", .string, .required), .attribute("homeCity", .string, .required),
                    .attribute("birthDate", .date, .required), .attribute("website", .string, .required),
                ])
        ])
        for locale in GenerationOptions.Locale.allCases {
            let lists = WordLists.of(locale)
            let generated = try Generated.of(model, ["Patient": 40]) { $0.locale = locale }
            for name in try generated.texts("Patient", "name") {
                let first = lists.writing.parts(of: Array(name.utf8)[...]).map {
                    String(decoding: $0.first, as: UTF8.self)
                }
                #expect(lists.firstNames.contains(first ?? ""), "\(name)")
            }
            #expect(try generated.texts("Patient", "emailid").allSatisfy { $0.contains("@example.") })
            #expect(try generated.texts("Patient", "contactno").allSatisfy { $0.hasPrefix(lists.phonePrefix) })
            #expect(
                try generated.texts("Patient", "notes").allSatisfy {
                    let separator = lists.writing.wordSeparator
                    return $0.hasSuffix(lists.writing.fullStop) && (separator.isEmpty || $0.contains(separator))
                })
            #expect(try generated.texts("Patient", "homeCity").allSatisfy { lists.cities.contains($0) })
            #expect(try generated.texts("Patient", "website").allSatisfy { $0.hasPrefix("https://example.com/") })
            for value in try generated.values("Patient", "age") {
                guard case .integer(let age)? = value else { continue }
                #expect((0...99).contains(age))
            }
            for value in try generated.values("Patient", "birthDate") {
                guard case .date(let date)? = value else { continue }
                #expect(date.timeIntervalSinceReferenceDate.truncatingRemainder(dividingBy: 86_400) == 0)
            }
        }
    }

    @Test("No list has a word twice, also without marks")
    func lists() {
        for locale in GenerationOptions.Locale.allCases {
            let lists = WordLists.of(locale)
            for list in [lists.firstNames, lists.lastNames, lists.words] {
                #expect(Set(list.map(lists.ascii)).count == list.count)
            }
            for list in [lists.cities, lists.countries, lists.streets, lists.colors, lists.companySuffixes] {
                #expect(Set(list).count == list.count && !list.contains(""))
            }
        }
    }

    @Test("Texts of every kind are different")
    func textKinds() { Self.checkTextKinds(texts: 500) }

    static func checkTextKinds(texts: Int) {
        for kind in TextKind.allCases {
            let source = TextSource(kind, .english)
            let sources = TextSource.canBeNumbered(kind) ? [source, source.numbered] : [source]
            for source in sources {
                let count = min(source.size, UInt64(texts))
                #expect(Set((0..<count).map(source.text)).count == Int(count), "\(kind)")
            }
        }
    }
}

@Suite struct GeneratorLongTests {
    @Test("Values keep every rule, required and optional")
    func rulesHold() throws { try GeneratorTests.checkRules(objects: 60) }

    @Test("Unique values of every type are different")
    func uniqueValues() throws { try GeneratorTests.checkUniqueValues(objects: 2500) }

    @Test("Texts of every kind are different")
    func textKinds() { GeneratorTests.checkTextKinds(texts: 20_000) }
}
