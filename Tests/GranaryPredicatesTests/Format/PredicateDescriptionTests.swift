import Foundation
import GranaryModel
import Testing

@testable import GranaryPredicates

@Suite struct PredicateDescriptionTests {
    private static func compare(_ name: String, _ value: AttributeValue) -> ObjectPredicate {
        .compare(.keyPath(name), .equal, .constant(value))
    }

    @Test(
        arguments: [
            (.constant(true), "TRUEPREDICATE"), (.constant(false), "FALSEPREDICATE"),
            (.and([]), "TRUEPREDICATE"), (.or([]), "FALSEPREDICATE"),
            (.compare(.evaluatedObject, .greaterOrEqual, .constant(0)), "SELF >= 0"),
            (.compare(.keyPath("a.b"), .notEqual, .null), "a.b != nil"),
            (
                .compare(
                    .evaluatedObject, .contains, .constant("x"), options: [.caseInsensitive, .diacriticInsensitive]),
                "SELF CONTAINS[cd] \"x\""
            ),
            (
                .compare(.evaluatedObject, .isIn, .list([.constant(1), .constant("a"), .null])),
                "SELF IN {1, \"a\", nil}"
            ),
            (.between(.evaluatedObject, lower: .constant(1), upper: .constant(2.5)), "SELF BETWEEN {1, 2.5}"),
            (compare("a", "q\"b\\"), "a == \"q\\\"b\\\\\""), (compare("a", true), "a == 1"),
            (compare("a", .decimal(Decimal(string: "1.50") ?? 0)), "a == 1.5"),
            (compare("a", .date(Date(timeIntervalSinceReferenceDate: 1.5))), "a == CAST(1.500000, \"NSDate\")"),
            (compare("a", .binary(Data([1]))), "a == CAST(\"AQ==\", \"NSData\")"),
            (.not(compare("a", 1)), "NOT a == 1"),
            (.not(.or([compare("a", 1), compare("b", 2)])), "NOT (a == 1 OR b == 2)"),
            // As Core Data prints compounds (PRS-05, docs/core-data/behaviours.md#prs-predicates-as-text).
            (
                .and([.and([compare("X", 10), compare("Y", 30)]), .or([compare("Z", 20), compare("K", 40)])]),
                "(X == 10 AND Y == 30) AND (Z == 20 OR K == 40)"
            ),
            (
                .or([
                    .and([
                        .and([compare("X", 10), compare("V", 11)]), .or([compare("Y", 30), compare("W", 5)]),
                    ]), .or([compare("Z", 20), .and([compare("K", 40), compare("C", 11)])]),
                ]), "((X == 10 AND V == 11) AND (Y == 30 OR W == 5)) OR (Z == 20 OR (K == 40 AND C == 11))"
            ),
        ] as [(ObjectPredicate, String)])
    func printsItsFormat(_ predicate: ObjectPredicate, _ text: String) {
        #expect(predicate.description == text)
    }
}
