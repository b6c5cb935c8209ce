import Foundation
import GranaryBase
import Testing

@testable import GranaryModel
@testable import GranaryPredicates

/// What the check of a predicate against its entity refuses, and where it says that the mistake is.
@Suite struct PredicateResolverTests {
    private static let model = ManagedObjectModel(entities: [
        EntityDescription(
            "Employee",
            [
                .attribute("name", .string), .attribute("age", .integer32), .attribute("hired", .date),
                .attribute("photo", .binary), .attribute("code", .uuid), .toOne("boss", "Employee", inverse: "reports"),
                .toMany("reports", "Employee", inverse: "boss"),
                .toOne("department", "Department", inverse: "employees"),
            ]),
        EntityDescription(
            "Department",
            [.attribute("title", .string), .toMany("employees", "Employee", inverse: "department")]),
    ])

    private static func resolver() throws -> PredicateResolver {
        let schema = try model.resolved()
        return PredicateResolver(schema: schema, entity: try #require(schema.entity(named: "Employee")))
    }

    private static let given = ObjectExpression.object(
        ObjectReference(store: "S", root: "Department", key: .stored(1), uri: "x-coredata://S/Department/p1"))

    @Test(arguments: [
        "age > 3", "(age & 4) != 0", "~age == -1", "age << 1 == 4 OR age | 3 == 7", "length(name) > 3",
        "length(photo) > 3",
        "length(reports) > 3", "abs(age) > 3", "sum(reports.age) > 3", "max(reports.hired) > '2026-01-31'",
        "count(reports) > 3", "sum({1, 2, age}) > 3", "max(age, boss.age) > 3", "hired + 3600 > '2026-01-31'",
        "3600 + hired > '2026-01-31'", "hired - boss.hired > 3600", "abs(nil) == nil", "age BETWEEN {1, 2}",
        "age BETWEEN {1, nil}", "age IN {1, '2', nil, 2.5}", "hired IN {'2026-01-31', boss.hired}",
        "age IN reports.age",
        "hired BETWEEN {'2026-01-31', now()}", "name IN {}", "ANY reports.age IN {1, 2}", "1 IN {age, boss.age}",
        "CAST(name, 'NSNumber') > 3", "uppercase(name) == 'A'", "random(3) < 2", "randomn(3) < 2", "{1, 2} == {1, 2}",
        "reports[0].age > 3", "reports.@sum.age > 3", "SUBQUERY(reports, $x, $x.age > 3).@count > 0",
        "{'2026-01-31'} CONTAINS '2026-01-31'", "floor(age / 2) == 1", "noindex(name) == 'A'", "min(name, 'b') == 'a'",
    ])
    func accepts(_ text: String) throws {
        let resolver = try Self.resolver()
        #expect(throws: Never.self) { try resolver.resolve(try ObjectPredicate(text)) }
    }

    /// The mark is at the offset; nil if there is none.
    @Test(
        arguments: [
            // Functions.
            ("lenght(name) > 3", "there is no function \"lenght\"; did you mean \"length\"?", 0),
            ("age > 1 AND foo:bar:(age, 1) > 3", "there is no function \"foo:bar:\"", 12),
            ("age > 1 AND length(age) > 3", "length takes text, binary data or a collection, but age is a number", 12),
            ("abs(name) > 3", "abs takes a number, but name is text", 0),
            ("sqrt(hired) > 3", "sqrt takes a number, but hired is a date", 0),
            ("abs(reports.age) > 3", "abs takes a number, but reports.age is a collection", 0),
            ("sum(reports.name) > 3", "sum takes numbers, but reports.name is a collection", 0),
            ("3 < average(name, 3)", "average takes numbers, but name is text", 4),
            ("max(reports) > 3", "max takes values that have an order", 0),
            ("uppercase(age) == 'A'", "uppercase takes text, but age is a number", 0),
            ("random(name) == 1", "random takes a number, but name is text", 0),
            ("age == 3 AND (name & 4) != 0", "the sign & takes a number, but name is text", 14),
            ("~name == 3", "onesComplement takes a number, but name is text", 1),
            ("age * hired > 3", "the sign * takes a number, but hired is a date", 6),
            ("age + name > 3", "the sign + takes a number or a date, but name is text", 6),
            ("hired + boss.hired > 3", "two dates cannot be added", 0),
            ("age - hired > 3", "a date cannot be subtracted from a number", 0),
            ("CAST(name, 'NSArray') == 3", "CAST to \"NSArray\" is not supported", 11),
            ("name[hired] == 3", "hired is a date, but an index is a number", 5),
            // Key paths.
            ("age > 1 AND boss.nam == 'x'", "has no property \"nam\"", 12),
            ("boss.nam == 'x'", "did you mean \"name\"?", 0),
            ("name.age == 1", "continues after text with \"age\"", 0),
            ("@sum.reports.age > 3", "not an object (Employee); write \"reports.@sum.age\"", 0),
            ("@count.reports > 3", "write \"reports.@count\"", 0), ("@count > 3", "not an object (Employee)", 0),
            ("reports.@summ.age > 3", "; did you mean \"@sum\"?", 0),
            ("reports.@count.age > 3", "continues after @count", 0),
            ("reports.@sum.name > 3", "takes numbers, not text", 0),
            ("age == 1 OR $x.age == 1", "the variable $x has no value", 12),
            ("SUBQUERY(age, $x, $x == 1) == 1", "SUBQUERY takes a collection, but age is a number", 9),
            // Comparisons.
            ("age == 1 AND name > 5", "name is text, 5 is a number: they cannot be compared by >", 13),
            ("reports.name == 'x'", "has several values; compare them with ANY or ALL", 0),
            ("name MATCHES '['", "is not a regular expression", 13),
            ("age BETWEEN {1, 2, 3}", "BETWEEN takes two bounds, not 3", 0), ("age BETWEEN {}", "not 0", 0),
            ("age BETWEEN {1, 'x'}", "age is a number, \"x\" is text: they cannot be compared by BETWEEN", 0),
            ("age == 1 OR age IN {1, 'x'}", "age is a number, \"x\" is text: they cannot be compared by IN", 0),
            ("hired IN {'2026-01-31', age}", "hired is a date, age is a number", 0),
            ("ANY reports.age IN {1, name}", "reports.age is a number, name is text", 4),
        ] as [(String, String, Int?)])
    func refuses(_ text: String, _ message: String, _ place: Int?) throws {
        let resolver = try Self.resolver()
        let predicate = try ObjectPredicate(text)
        let error = try #require(throws: GranaryError.self) { try resolver.resolve(predicate) }
        #expect(error.code == .usage)
        #expect(error.message.contains(message), "\(error.message)")
        let snippet = try #require(error.underlying as? PredicatePlace).snippet
        #expect(PredicateText.place(of: snippet, in: text) == place, "\(snippet)")
        let marked = PredicateText.marked(error, in: text).message
        let mark = place.map { "\n  \(text)\n  \(String(repeating: " ", count: $0))^" }
        #expect(marked == error.message + (mark ?? ""))
    }

    @Test func constantsOfAMixedListAreConverted() throws {
        let date = Date(timeIntervalSinceReferenceDate: 0)
        let resolved = try Self.resolver().resolve(try ObjectPredicate("hired IN {'2001-01-01', boss.hired, nil}"))
        #expect(
            resolved
                == .compare(
                    .keyPath("hired"), .isIn, .list([.constant(.date(date)), .keyPath("boss.hired"), .null])))
        let reversed = try Self.resolver().resolve(try ObjectPredicate("'2001-01-01' IN {hired, boss.hired}"))
        #expect(
            reversed
                == .compare(.constant(.date(date)), .isIn, .list([.keyPath("hired"), .keyPath("boss.hired")])))
    }

    @Test(arguments: [
        "department.title == $d.title", "department == $d[FIRST].title", "{$d, department}[0].title == 'x'",
        "TERNARY(age > 1, $d, department).title == 'x'", "SUBQUERY({$d}, $x, $x.title == 'x').@count == 1",
        "$d.self.title == 'x'", "{$d}.@max.title == 'x'",
    ])
    func propertiesOfAGivenObjectAreRefused(_ text: String) throws {
        let resolver = try Self.resolver()
        let predicate = try ObjectPredicate(text).substituting(["d": Self.given])
        let error = try #require(throws: GranaryError.self) { try resolver.resolve(predicate) }
        #expect(error.message.contains("of an object given as a value has no value here; give the value itself"))
    }

    @Test(arguments: [
        "department == $d", "department == $d.self", "department IN {$d, nil}", "{$d}.@count == 1",
        "SUBQUERY({$d}, $x, $x == department).@count == 1", "SUBQUERY(reports, $d, $d.name == 'x').@count == 1",
    ])
    func aGivenObjectIsAccepted(_ text: String) throws {
        let resolver = try Self.resolver()
        let predicate = try ObjectPredicate(text).substituting(["d": Self.given])
        #expect(throws: Never.self) { try resolver.resolve(predicate) }
    }

    @Test func keyPathsAreLimited() throws {
        let resolver = try Self.resolver()
        func path(_ steps: Int, _ last: String) -> String {
            String(repeating: "reports.", count: steps) + last
        }
        for last in ["@count", "@sum.age", "@max.boss.age"] {
            // The last one follows one more.
            let steps = last == "@max.boss.age" ? 31 : 32
            _ = try resolver.resolve(try ObjectPredicate("\(path(steps, last)) > 3"))
            let error = try #require(throws: GranaryError.self) {
                try resolver.resolve(try ObjectPredicate("\(path(steps + 1, last)) > 3"))
            }
            #expect(error.code == .usage && error.message.contains("more than 32 relationships, the limit"))
        }
        #expect(throws: GranaryError.self) { try resolver.check([ObjectSortDescriptor(path(33, "@count"))]) }
        // Each path begins anew.
        let long = path(31, "reports")
        _ = try resolver.resolve(
            try ObjectPredicate("SUBQUERY(\(long), $x, ANY $x.\(long).age > 3).@count > 0"))
    }

    @Test func longKeyPathsTakeLinearTime() throws {
        // Each would take minutes if the time grew with the square.
        let resolver = try Self.resolver()
        let unknown = ObjectExpression.keyPath(String(repeating: "a.", count: 200_000) + "a")
        #expect(throws: GranaryError.self) { try resolver.resolve(unknown) }
        let allowed = ObjectExpression.keyPath(String(repeating: "boss.", count: 32) + "name")
        #expect(throws: Never.self) { try resolver.resolve(allowed) }
        for steps in [33, 200_000] {
            let long = ObjectExpression.keyPath(String(repeating: "boss.", count: steps) + "name")
            let error = try #require(throws: GranaryError.self) { try resolver.resolve(long) }
            #expect(error.code == .usage && error.message.contains("more than 32 relationships, the limit"))
        }
    }

    @Test func elementsOfCompositesAreFound() throws {
        var model = ManagedObjectModel(entities: [
            EntityDescription("Trip", [.attribute("from", .composite, .composite("Place"))])
        ])
        var at = AttributeDescription(name: "at", type: .composite)
        at.compositeName = "Point"
        model.composites = [
            CompositeDescription(name: "Place", elements: [at]),
            CompositeDescription(name: "Point", elements: [AttributeDescription(name: "x", type: .double)]),
        ]
        let schema = try model.resolved()
        let resolver = PredicateResolver(schema: schema, entity: try #require(schema.entity(named: "Trip")))
        #expect(throws: Never.self) { try resolver.resolve(try ObjectPredicate("from.at.x > 1.5")) }
        for text in ["from.at > 1", "from.at.y > 1", "from.at.x.z > 1"] {
            #expect(throws: GranaryError.self) { try resolver.resolve(try ObjectPredicate(text)) }
        }
    }

    @Test(
        "Integers in a list for a text property become text, as in SQLite",
        arguments: [
            ("name IN {9, 10}", "name IN {\"9\", \"10\"}"), ("name IN {'a', TRUE, nil}", "name IN {\"a\", \"1\", nil}"),
            ("ANY reports.name IN {9}", "ANY reports.name IN {\"9\"}"), ("age IN {9, '10'}", "age IN {9, 10}"),
        ])
    func textLists(_ text: String, _ resolved: String) throws {
        #expect(try Self.resolver().resolve(try ObjectPredicate(text)).description == resolved)
    }

    @Test("Other numbers are still refused for texts", arguments: ["name IN {9.5}", "name == 9"])
    func refusedNumbers(_ text: String) throws {
        let predicate = try ObjectPredicate(text)
        #expect(throws: GranaryError.self) { try Self.resolver().resolve(predicate) }
    }
}
