import Foundation
import GranaryBase
import Testing

@testable import GranaryModel
@testable import GranaryPredicates

@Suite struct AttributeValueTests {
    @Test func textIsEqualByItsBytes() {
        let (composed, decomposed) = (AttributeValue.string("é"), AttributeValue.string("e\u{301}"))
        #expect(composed != decomposed)
        #expect(Set([composed, decomposed, .string("é")]).count == 2)
        #expect(AttributeValue.string("1") != .integer(1))
        #expect(AttributeValue.integer(1) != .boolean(true))
        #expect(AttributeValue.double(0.0) == .double(-0.0))
        #expect(AttributeValue.decimal(Decimal(string: "1.0") ?? 0) == .decimal(1))
        #expect(AttributeValue.double(0.0).hashValue == AttributeValue.double(-0.0).hashValue)
    }

    @Test func borrowingGivesTheSameValueBack() {
        let values: [AttributeValue] = [
            .integer(.min), .boolean(true), .float(0.1), .double(-1e300), .decimal(Decimal(string: "-12.5") ?? 0),
            .string("e\u{301}\u{0}x"), .string(""), .date(Date(timeIntervalSinceReferenceDate: -0.25)),
            .binary(Data([0, 255])), .binary(Data()), .uuid(UUID()), .uri(URL(filePath: "/a b")),
        ]
        for value in values {
            #expect(value.withBorrowed { AttributeValue($0) } == value)
        }
        #expect(AttributeValue(.null) == nil)
    }

    @Test func aDecimalThatIsNoneIsNotANumber() {
        AttributeValue.decimal(.nan).withBorrowed { value in
            guard case .double(let number) = value else {
                Issue.record("not a double")
                return
            }
            #expect(number.isNaN)
        }
    }

    @Test(
        arguments: [
            (.integer(32_767), [.integer16, .integer32, .integer64]), (.integer(32_768), [.integer32, .integer64]),
            (.integer(.max), [.integer64]), (.boolean(true), [.boolean]), (.float(1), [.float]),
            (.double(1), [.double]),
            (.decimal(1), [.decimal]), (.string(""), [.string]), (.date(.now), [.date]),
            (.binary(Data()), [.binary, .transformable]), (.uuid(UUID()), [.uuid]), (.uri(URL(filePath: "/")), [.uri]),
        ] as [(AttributeValue, Set<AttributeType>)])
    func fitsItsOwnTypes(_ value: AttributeValue, _ types: Set<AttributeType>) {
        // A transient attribute without a type takes anything.
        #expect(Set(AttributeType.allCases.filter { value.fits($0) }) == types.union([.undefined]))
        #expect(!value.phrase.isEmpty)
    }

    @Test func typesHaveTheirNamesAndNumbers() {
        for type in AttributeType.allCases { #expect(AttributeType(name: type.name) == type) }
        #expect(AttributeType(name: "Integer 8") == nil)
        #expect(AttributeType.uri.phrase == "a URI")
        #expect(AttributeType.integer16.phrase == "an Integer 16")
        for rule in RelationshipDescription.DeleteRule.allCases {
            #expect(RelationshipDescription.DeleteRule(name: rule.name) == rule)
        }
    }

    @Test(
        "Values as numbers, only where they are exact",
        arguments: [
            (7, 7, 7, 7), (true, 1, 1, 1), (2.0, 2, 2, 2), (2.5, nil, 2.5, Decimal(string: "2.5")),
            (.float(0.5), nil, 0.5, Decimal(string: "0.5")),
            (.decimal(3), 3, 3, 3), (.decimal(Decimal(string: "0.1") ?? 0), nil, 0.1, Decimal(string: "0.1")),
            (1e30, nil, 1e30, Decimal(string: "1e30")), (.double(.infinity), nil, .infinity, nil), ("7", nil, nil, nil),
            (.date(Date(timeIntervalSinceReferenceDate: 7)), nil, nil, nil),
            (.integer(.min), .min, -0x1p63, Decimal(Int64.min)),
        ] as [(AttributeValue, Int64?, Double?, Decimal?)])
    func numbers(_ value: AttributeValue, _ integer: Int64?, _ double: Double?, _ decimal: Decimal?) {
        #expect(value.int64Value == integer && value.doubleValue == double && value.decimalValue == decimal)
        #expect(value.boolValue == double.map { $0 != 0 })
    }
}
