import Foundation
import GranaryBase
import GranaryModel
import Testing

@testable import GranaryPredicates

@Suite struct PredicateFunctionTests {
    private static let now = Date(timeIntervalSinceReferenceDate: 1_000)

    private static func value(_ name: String, _ arguments: [ObjectExpression]) -> AttributeValue? {
        let compiled = CompiledExpression(.function(name, arguments), now: now)
        guard case .value(let value)? = try? compiled.value(on: ValueSubject(value: nil)) else { return nil }
        return value
    }

    private static func date(_ seconds: Double) -> AttributeValue {
        .date(Date(timeIntervalSinceReferenceDate: seconds))
    }

    private static let largest = AttributeValue.integer(.max)
    private static let smallest = AttributeValue.integer(.min)
    private static let half = decimal("0.5")

    private static func decimal(_ text: String) -> AttributeValue { .decimal(Decimal(string: text) ?? 0) }

    @Test(
        arguments: [
            ("add:to:", [1, 2], 3), ("add:to:", [true, 2], 3), ("add:to:", [1, 0.5], 1.5), ("add:to:", [half, 1], 1.5),
            ("add:to:", [nil, 1], nil), ("add:to:", ["1", 1], nil),
            ("add:to:", [largest, 1], .double(9_223_372_036_854_775_808)),
            ("from:subtract:", [5, 7], -2), ("from:subtract:", [smallest, 1], .double(-9_223_372_036_854_775_808)),
            ("multiply:by:", [6, 7], 42), ("multiply:by:", [largest, 2], .double(18_446_744_073_709_551_616)),
            ("divide:by:", [7, 2], 3), ("divide:by:", [-7, 2], -3), ("divide:by:", [7, 2.0], 3.5),
            ("divide:by:", [7, 0], nil), ("divide:by:", [7, 0.0], nil),
            ("divide:by:", [smallest, -1], .double(9_223_372_036_854_775_808)),
            ("modulus:by:", [7, 3], 1), ("modulus:by:", [-7, 3], -1), ("modulus:by:", [7, 0], nil),
            ("modulus:by:", [smallest, -1], 0), ("modulus:by:", [7.5, 2], 1.5),
            ("raise:toPower:", [2, 10], 1024.0), ("raise:toPower:", [-1, 0.5], nil),
            ("abs:", [-3], 3), ("abs:", [-3.5], 3.5), ("abs:", [smallest], .double(9_223_372_036_854_775_808)),
            ("sqrt:", [9], 3.0), ("sqrt:", [-1], nil), ("ln:", [1], 0.0), ("log:", [1000], 3.0), ("exp:", [0], 1.0),
            ("ln:", [-1], nil),
            ("floor:", [-1.5], -2.0), ("ceiling:", [-1.5], -1.0), ("trunc:", [-1.5], -1.0), ("floor:", [7], 7),
            ("bitwiseAnd:with:", [12, 10], 8), ("bitwiseOr:with:", [12, 10], 14), ("bitwiseXor:with:", [12, 10], 6),
            ("bitwiseAnd:with:", [12, 1.5], nil), ("leftshift:by:", [1, 4], 16), ("rightshift:by:", [16, 4], 1),
            ("leftshift:by:", [1, 64], 0), ("leftshift:by:", [1, largest], 0), ("rightshift:by:", [-1, 100], -1),
            ("leftshift:by:", [16, -4], 1), ("rightshift:by:", [1, smallest], 0), ("onesComplement:", [0], -1),
            ("uppercase:", ["aß"], "ASS"), ("lowercase:", ["ÄI"], "äi"), ("uppercase:", [1], nil),
            ("length:", ["😀a"], 3), ("length:", [.binary(Data([1, 2]))], 2), ("length:", [nil], nil),
            ("canonical:", ["ÄB"], "ab"), ("noindex:", ["a"], "a"), ("noindex:", [nil], nil),
            ("now", [], date(1_000)),
            ("add:to:", [date(10), 5], date(15)), ("add:to:", [5, date(10)], date(15)),
            ("from:subtract:", [date(10), 5.5], date(4.5)), ("from:subtract:", [date(10), date(4)], 6.0),
            ("from:subtract:", [5, date(10)], nil), ("add:to:", [date(1), date(1)], nil),
            ("randomn:", [1], 0), ("random:", [1], 0), ("random:", [0], nil), ("random:", [smallest], nil),
            ("count:", [1, nil, 3], 3), ("sum:", [1, nil, 3], 4), ("sum:", [nil], 0), ("count:", [nil], 0),
            ("average:", [nil], nil), ("max:", [1, 2.5], 2.5), ("min:", ["b", "a"], "a"),
            ("unknown:", [1], nil), ("abs:", [1, 2], nil), ("distanceToLocation:fromLocation:", [1, 2], nil),
        ] as [(String, [AttributeValue?], AttributeValue?)])
    func result(_ name: String, _ arguments: [AttributeValue?], _ expected: AttributeValue?) {
        #expect(Self.value(name, arguments.map { $0.map { .constant($0) } ?? .null }) == expected)
    }

    @Test(
        arguments: [
            ("sum:", [1, 2, nil, true], 4), ("sum:", [1, 0.5], 1.5), ("sum:", [], 0),
            ("sum:", [largest, 1], decimal("9223372036854775808")), ("sum:", [half, 1], decimal("1.5")),
            ("sum:", [half, 1.0], 1.5), ("sum:", [decimal("0.1"), decimal("0.2")], decimal("0.3")),
            ("sum:", [largest, decimal("0.01")], decimal("9223372036854775807.01")),
            ("average:", [1, 2], 1.5), ("average:", [2, nil], 2.0), ("average:", [], nil),
            ("average:", [decimal("0.1"), decimal("0.2")], decimal("0.15")), ("average:", [half, 1.5], 1.0),
            ("min:", [3, 1.5, nil], 1.5), ("max:", [3, 1.5], 3), ("max:", [date(1), date(2)], date(2)),
            ("median:", [3, 1, 2], 2.0), ("median:", [4, 1, 2, 3], 2.5), ("median:", [], nil),
            ("mode:", [2, 1, 2, 1, 3], 1), ("mode:", ["b", "a", "b"], "b"), ("mode:", [], nil),
            ("stddev:", [2, 4, 4, 4, 5, 5, 7, 9], 2.0), ("stddev:", [], nil), ("count:", [nil, nil], 2),
            ("length:", [1, nil], 2),
        ] as [(String, [AttributeValue?], AttributeValue?)])
    func resultForAList(_ name: String, _ elements: [AttributeValue?], _ expected: AttributeValue?) {
        #expect(Self.value(name, [.list(elements.map { $0.map { .constant($0) } ?? .null })]) == expected)
    }

    private static let id = UUID()

    @Test(
        arguments: [
            ("5", "NSNumber", 5), ("1.5", "NSNumber", 1.5), ("x", "NSNumber", nil), ("nan", "NSNumber", nil),
            (date(3), "NSNumber", 3.0), (true, "NSNumber", true), ("0.5", "NSDecimalNumber", half),
            (0.5, "NSDecimalNumber", half), (3, "NSDecimalNumber", .decimal(3)),
            (.double(1e300), "NSDecimalNumber", nil),
            (3, "NSString", "3"), (true, "NSString", "1"), (date(0), "NSString", "2001-01-01T00:00:00Z"),
            (.uuid(id), "NSString", .string(id.uuidString)), (.binary(Data()), "NSString", nil),
            (3, "NSDate", date(3)), ("2001-01-01T00:00:05Z", "NSDate", date(5)), ("x", "NSDate", nil),
            (.string(id.uuidString), "NSUUID", .uuid(id)), ("x", "NSUUID", nil), (1, "NSUUID", nil),
            (1, "NSArray", nil), ("AQI=", "NSData", .binary(Data([1, 2]))), ("x", "NSData", nil), (1, "NSData", nil),
            ("inf", "NSDate", nil), ("NaN", "NSDecimalNumber", nil),
        ] as [(AttributeValue, String, AttributeValue?)])
    func cast(_ value: AttributeValue, _ type: String, _ expected: AttributeValue?) {
        #expect(Self.value("castObject:toType:", [.constant(value), .constant(.string(type))]) == expected)
        #expect(Self.value("castObject:toType:", [.null, .constant(.string(type))]) == nil)
    }

    @Test func methodsAndElements() {
        func value(_ expression: ObjectExpression) -> AttributeValue? {
            guard case .value(let value)? = try? CompiledExpression(expression).value(on: ValueSubject(value: nil))
            else {
                return nil
            }
            return value
        }
        let start = ObjectExpression.constant(Self.date(10))
        #expect(value(.method("dateByAddingTimeInterval:", of: start, [.constant(5)])) == Self.date(15))
        #expect(value(.method("dateByAddingTimeInterval:", of: .constant(1), [.constant(5)])) == nil)
        #expect(value(.method("description", of: start, [])) == nil)
        let list = ObjectExpression.list([.constant("a"), .constant("b")])
        #expect(value(.function("objectFrom:withIndex:", [list, .constant(1)])) == "b")
        #expect(value(.function("objectFrom:withIndex:", [list, .constant(-1)])) == nil)
        #expect(value(.className("NSDate")) == nil)
    }

    @Test func randomNumbersAreInTheirRange() {
        for _ in 0..<100 {
            guard case .double(let real)? = Self.value("random", []),
                case .integer(let integer)? = Self.value("random:", [.constant(3)])
            else {
                Issue.record("no number")
                return
            }
            #expect((0..<1).contains(real) && (0..<3).contains(integer))
        }
    }

    @Test func argumentCounts() {
        #expect(PredicateFunction.now.argumentCounts == 0...0)
        #expect(PredicateFunction.add.argumentCounts == 2...2)
        #expect(PredicateFunction.sum.argumentCounts.contains(7))
        #expect(PredicateFunction(selector: "nothing:") == nil)
        #expect(PredicateFunction.now.resultKind == .date)
        for function in PredicateFunction.allCases {
            #expect(PredicateFunction(selector: function.rawValue) == function)
            #expect(function.argumentCounts.lowerBound == 0 || function.argumentKind(at: 0).phrase != "")
        }
    }

    @Test(
        arguments: [
            ("now", 0, .now), ("random", 0, .random), ("random", 1, .randomBelow), ("randomn", 1, .randomBelow),
            ("randomn:", 1, .randomBelow), ("sum", 3, .sum), ("sum:", 1, .sum), ("sum", 0, nil), ("add", 2, nil),
            ("add:to:", 2, .add), ("add:to:", 1, nil), ("length", 1, .length), ("nothing", 1, nil),
        ] as [(String, Int, PredicateFunction?)])
    func named(_ name: String, _ count: Int, _ function: PredicateFunction?) {
        #expect(PredicateFunction.named(name, argumentCount: count) == function)
    }

    @Test func signsAreReadAsTheyArePrinted() {
        for function in PredicateFunction.allCases {
            guard let sign = function.sign else { continue }
            #expect(PredicateFunction.function(ofSign: sign)?.function == function)
            #expect(function.argumentCounts == 2...2)
        }
        #expect(PredicateFunction.function(ofSign: "==")?.function == nil)
        #expect(PredicateFunction.like("add")?.rawValue == "add:to:")
        #expect(PredicateFunction.like("random") == .random)
    }
}
