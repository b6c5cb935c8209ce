import Foundation
import GranaryBase
import GranaryModel
import Testing

@testable import GranaryPredicates

@Suite struct PredicateEvaluationTests {
    private static let now = Date(timeIntervalSinceReferenceDate: 1_000)

    /// An object with properties, and one at the end of a relationship.
    private struct Subject: PredicateSubject {
        var values: [String: PredicateOperand] = [:]

        func predicateValue(forKey key: String) -> PredicateOperand? { values[key] }
        var predicateSelf: PredicateOperand? { .subject(self) }
        var predicateReference: ObjectReference? { nil }
    }

    /// For each pair: whether `==`, `<` and `>` hold; none of the three is "no order between them".
    @Test(
        arguments: [
            (3, 3, "="), (3, 4, "<"), (4, 3, ">"),
            (.integer(.max), .integer(.max), "="),
            // Exact where a double is not: 2^53 + 1, and 2^63 against Int64's largest.
            (9_007_199_254_740_993, .double(9_007_199_254_740_992), ">"),
            (9_007_199_254_740_992, .double(9_007_199_254_740_992), "="),
            (.integer(.max), .double(9_223_372_036_854_775_808), "<"),
            (.integer(.min), .double(-9_223_372_036_854_775_808), "="),
            (.integer(.min), .double(-1e300), ">"), (.integer(.max), .double(.infinity), "<"),
            (3, 3.5, "<"), (-3, -3.5, ">"), (3.5, 3, ">"), (-3, -2.5, "<"), (0, -0.0, "="),
            (3, .double(.nan), ""), (.double(.nan), .double(.nan), ""), (.double(.infinity), .double(.infinity), "="),
            (3, .decimal(3), "="), (.decimal(3), 4, "<"),
            (9_007_199_254_740_993, .decimal(9_007_199_254_740_992), ">"),
            (.decimal(Decimal(string: "0.1") ?? 0), 0.1, "="), (0.2, .decimal(Decimal(string: "0.1") ?? 0), ">"),
            (.decimal(Decimal(string: "1.00") ?? 0), .decimal(1), "="), (.decimal(.nan), .decimal(1), ""),
            (.float(0.5), 0.5, "="), (.float(0.1), 0.1, ">"),
            (true, 1, "="), (false, 1, "<"), (true, false, ">"),
            ("a", "a", "="), ("a", "b", "<"), ("b", "a", ">"), ("B", "a", "<"), ("", "a", "<"), ("ab", "a", ">"),
            // By bytes: a composed and a decomposed letter differ, and "z" is before both.
            ("é", "e\u{301}", ">"), ("é", "z", ">"), ("\u{FFFF}", "\u{10000}", "<"),
            ("1", 1, ""), (1, "1", ""),
            (.date(now), .date(now), "="), (.date(now), .date(now + 1), "<"), (.date(now), 1_000, ""),
            (.binary(Data([1])), .binary(Data([1])), "="), (.binary(Data([1])), .binary(Data([2])), "<"),
            (.uuid(id), .uuid(id), "="), (.uuid(id), .string(id.uuidString), ""),
            (.uri(URL(filePath: "/a")), .uri(URL(filePath: "/a")), "="),
        ] as [(AttributeValue, AttributeValue, String)])
    func order(_ left: AttributeValue, _ right: AttributeValue, _ relation: String) {
        func holds(_ operation: ObjectPredicate.Operator) -> Bool {
            ObjectPredicate.compare(.constant(left), operation, .constant(right)).evaluate(with: nil)
        }
        #expect(holds(.equal) == (relation == "="))
        #expect(holds(.notEqual) == (relation != "="))
        #expect(holds(.less) == (relation == "<"))
        #expect(holds(.lessOrEqual) == (relation == "<" || relation == "="))
        #expect(holds(.greater) == (relation == ">"))
        #expect(holds(.greaterOrEqual) == (relation == ">" || relation == "="))
        let reversed = ObjectPredicate.compare(.constant(right), .less, .constant(left))
        #expect(reversed.evaluate(with: nil) == (relation == ">"))
    }

    private static let id = UUID()

    /// Two-valued: with NULL on either side a comparison is true or false.
    @Test(
        arguments: [
            (nil, .equal, nil, true), (nil, .notEqual, nil, false), (nil, .equal, 1, false), (1, .equal, nil, false),
            (nil, .notEqual, 1, true), (1, .notEqual, nil, true), (nil, .equal, "", false), (nil, .equal, 0, false),
            (nil, .less, 1, false), (nil, .greater, 1, false), (1, .less, nil, false), (nil, .lessOrEqual, nil, false),
            (nil, .greaterOrEqual, nil, false), (nil, .contains, "a", false), ("a", .contains, nil, false),
            (nil, .beginsWith, "", false), (nil, .endsWith, "", false), (nil, .matches, ".*", false),
            ("a", .matches, nil, false), (nil, .isIn, "a", false),
        ] as [(AttributeValue?, ObjectPredicate.Operator, AttributeValue?, Bool)])
    func null(
        _ left: AttributeValue?, _ operation: ObjectPredicate.Operator, _ right: AttributeValue?, _ expected: Bool
    ) {
        func side(_ value: AttributeValue?) -> ObjectExpression { value.map { .constant($0) } ?? .null }
        #expect(ObjectPredicate.compare(side(left), operation, side(right)).evaluate(with: nil) == expected)
        #expect(ObjectPredicate.compare(.evaluatedObject, operation, side(right)).evaluate(with: left) == expected)
    }

    @Test(
        arguments: [
            ("abcd", .contains, "bc", [], true), ("abcd", .contains, "", [], true), ("", .contains, "", [], true),
            ("abcd", .contains, "bd", [], false), ("ab", .contains, "abc", [], false),
            ("abcd", .contains, "CD", [], false), ("abcd", .contains, "CD", .caseInsensitive, true),
            ("bc", .isIn, "abcd", [], true), ("bd", .isIn, "abcd", [], false),
            ("abcd", .beginsWith, "ab", [], true), ("abcd", .beginsWith, "b", [], false),
            ("Äbcd", .beginsWith, "äB", .caseInsensitive, true), ("Äb", .beginsWith, "a", .caseInsensitive, false),
            ("Äb", .beginsWith, "a", [.caseInsensitive, .diacriticInsensitive], true),
            ("abcd", .endsWith, "cd", [], true), ("abcd", .endsWith, "c", [], false),
            ("cafÉ", .endsWith, "fe", [.caseInsensitive, .diacriticInsensitive], true),
            ("é", .equal, "e", .diacriticInsensitive, true), ("É", .equal, "e", .diacriticInsensitive, false),
            ("é", .equal, "e\u{301}", .diacriticInsensitive, true), ("é", .equal, "e\u{301}", [], false),
            ("ABC", .equal, "abc", .caseInsensitive, true), ("b", .less, "C", .caseInsensitive, true),
            ("abc", .matches, "[a-c]+", [], true), ("abcd", .matches, "[a-c]+", [], false),
            ("ABC", .matches, "[a-c]+", [], false), ("ABC", .matches, "[a-c]+", .caseInsensitive, true),
            ("a\nb", .matches, "a.b", [], false), ("abc", .matches, "a[", [], false),
            (3, .contains, "3", [], false), (3, .matches, "3", [], false),
        ] as [(AttributeValue, ObjectPredicate.Operator, AttributeValue, ObjectPredicate.Options, Bool)])
    func text(
        _ left: AttributeValue, _ operation: ObjectPredicate.Operator, _ right: AttributeValue,
        _ options: ObjectPredicate.Options, _ expected: Bool
    ) {
        let predicate = ObjectPredicate.compare(.evaluatedObject, operation, .constant(right), options: options)
        #expect(predicate.evaluate(with: left) == expected)
        #expect(ObjectPredicate.not(predicate).evaluate(with: left) == !expected)
    }

    @Test(
        arguments: [
            (3, 3, 5, true), (5, 3, 5, true), (2, 3, 5, false), (6, 3, 5, false), (4, 5, 3, false), (nil, 3, 5, false),
            ("b", "a", "c", true), ("c", "a", "bz", false), (3.5, 3, 4, true), ("4", 3, 5, false),
        ] as [(AttributeValue?, AttributeValue, AttributeValue, Bool)])
    func between(_ value: AttributeValue?, _ lower: AttributeValue, _ upper: AttributeValue, _ expected: Bool) {
        let predicate = ObjectPredicate.between(.evaluatedObject, lower: .constant(lower), upper: .constant(upper))
        #expect(predicate.evaluate(with: value) == expected)
    }

    @Test(
        arguments: [
            (1, [1, 2], true), (3, [1, 2], false), (2, [1.0, 2.0], true), ("a", ["b", "a"], true), ("a", [], false),
            (nil, [1], false), ("é", ["e\u{301}"], false), ("1", [1], false),
        ] as [(AttributeValue?, [AttributeValue], Bool)])
    func isIn(_ value: AttributeValue?, _ list: [AttributeValue], _ expected: Bool) {
        let predicate = ObjectPredicate.compare(.evaluatedObject, .isIn, .list(list.map { .constant($0) }))
        #expect(predicate.evaluate(with: value) == expected)
    }

    @Test func connectivesOfNothingAndOfMany() {
        let (yes, no) = (ObjectPredicate.constant(true), ObjectPredicate.constant(false))
        #expect(ObjectPredicate.and([]).evaluate(with: nil))
        #expect(!ObjectPredicate.or([]).evaluate(with: nil))
        #expect(ObjectPredicate.and([yes, yes]).evaluate(with: nil))
        #expect(!ObjectPredicate.and([yes, no]).evaluate(with: nil))
        #expect(ObjectPredicate.or([no, yes]).evaluate(with: nil))
        #expect(!ObjectPredicate.or([no, no]).evaluate(with: nil))
        #expect(ObjectPredicate.not(.and([yes, .not(yes)])).evaluate(with: nil))
    }

    @Test func keyPathsWalkFromObjectToObject() {
        let department = Subject(values: ["name": .value("Sales"), "size": .value(7)])
        let person = Subject(values: ["department": .subject(department), "name": .value("Ann")])
        func holds(_ path: String, _ value: AttributeValue?) -> Bool {
            ObjectPredicate.compare(.keyPath(path), .equal, value.map { .constant($0) } ?? .null).evaluate(on: person)
        }
        #expect(holds("name", "Ann"))
        #expect(holds("department.name", "Sales"))
        #expect(holds("SELF.department.size", 7))
        #expect(holds("department.name.length", 5))
        #expect(holds("department.boss", nil))
        #expect(holds("department.boss.name", nil))
        #expect(holds("name.first", nil))
        #expect(!holds("department", nil))
    }

    @Test(
        arguments: [
            ("", 0), ("é", 1), ("😀", 2), ("e\u{301}", 2), (.binary(Data([1, 2, 3])), 3),
        ] as [(AttributeValue, Int64)])
    func lengthIsInUTF16Units(_ value: AttributeValue, _ length: Int64) {
        let predicate = ObjectPredicate.compare(.keyPath("length"), .equal, .constant(.integer(length)))
        #expect(predicate.evaluate(with: value))
        #expect(ObjectPredicate.compare(.keyPath("length"), .equal, .null).evaluate(with: nil))
        #expect(ObjectPredicate.compare(.keyPath("length"), .equal, .null).evaluate(with: .integer(5)))
    }

    @Test func compiledExpressionsKeepTheirBytes() {
        let predicate = ObjectPredicate.or([
            .compare(.evaluatedObject, .matches, .constant("é+")),
            .compare(.evaluatedObject, .matches, .constant("E\u{301}"), options: .caseInsensitive),
        ])
        #expect(predicate.matchExpressions.map(\.ignoringCase) == [false, true])
        let compiled = CompiledPredicate(predicate)
        #expect(compiled.outcome(with: "éé") == .holds)
        #expect(compiled.outcome(with: "e\u{301}") == .holds)
        #expect(compiled.outcome(with: "e") == .fails)
    }

    @Test func selfIsTheValueInAKeyPathToo() {
        let text = AttributeValue.string("abc")
        func holds(_ path: String, _ value: AttributeValue) -> Bool {
            ObjectPredicate.compare(.keyPath(path), .equal, .constant(value)).evaluate(with: text)
        }
        #expect(holds("SELF", text) && holds("SELF.length", 3) && holds("length", 3))
        #expect(!holds("SELF", "ab") && !holds("length.SELF", 3))
    }

    /// A long list of numbers is searched by their nearest doubles; equality is that of the plain comparison.
    @Test func longListsOfNumbers() {
        let tenth = AttributeValue.decimal(Decimal(string: "0.1") ?? 0)
        let large = AttributeValue.decimal(Decimal(string: "9007199254740993") ?? 0)
        let special: [AttributeValue] = [
            0.1, tenth, large, .double(9_007_199_254_740_992), .float(0.5), .double(.nan), .double(.infinity),
            .double(-0.0),
        ]
        let numbers = special + (0..<2_000).map { AttributeValue.double(Double($0) + 0.25) }
        let values: [AttributeValue] = [
            0.1, tenth, 0, 0.5, 3, 3.25, 1_999.25, 2_000.25, -1, .float(0.25), .double(.nan), .double(.infinity),
            .integer(9_007_199_254_740_992), .integer(9_007_199_254_740_993), .integer(9_007_199_254_740_994), large,
            "0.1", true, false,
        ]
        for list in [numbers, Array(special.prefix(1)), Array(special[1...2]), [.double(.nan)]] {
            let predicate = ObjectPredicate.compare(
                .evaluatedObject, .isIn, .list(list.map { .constant($0) }))
            for value in values {
                let expected = list.contains { number in
                    ObjectPredicate.compare(.evaluatedObject, .equal, .constant(number)).evaluate(with: value)
                }
                #expect(predicate.evaluate(with: value) == expected, "\(value) in \(list.prefix(3))")
            }
        }
    }
}
