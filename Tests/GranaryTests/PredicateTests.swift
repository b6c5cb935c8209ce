import Foundation
import Granary
import Testing

/// Predicates and attribute values as values: their text, coding and equality.
@Suite("Predicates and values") struct PredicateTests {
    private static let predicates: [(ObjectPredicate, String)] = [
        (.compare(.keyPath("a"), .equal, .null), "a == nil"),
        (.compare(.evaluatedObject, .greaterOrEqual, .constant(1)), "SELF >= 1"),
        (.compare(.keyPath("a"), .contains, .constant("x"), options: [.caseInsensitive]), "a CONTAINS[c] \"x\""),
        (.not(.and([.constant(true), .constant(false)])), "NOT (TRUEPREDICATE AND FALSEPREDICATE)"),
    ]

    @Test("A predicate has the text of Core Data's format, and survives coding", arguments: predicates.indices)
    func texts(index: Int) throws {
        let (predicate, text) = Self.predicates[index]
        #expect(predicate.description == text)
        let data = try JSONEncoder().encode(predicate)
        #expect(try JSONDecoder().decode(ObjectPredicate.self, from: data) == predicate)
        #expect(ObjectPredicate.Options([.caseInsensitive, .diacriticInsensitive]).rawValue == 3)
        #expect(ObjectExpression.keyPath("a.b").description == "a.b")
    }

    private static let values: [AttributeValue] = [
        1, true, 0.5, "text", .float(0.5), .decimal(Decimal(1) / 10), .date(Date(timeIntervalSinceReferenceDate: 1)),
        .binary(Data([0])), .uuid(UUID()), .uri(URL(filePath: "/tmp")),
    ]

    @Test("Values of different types are different, and each survives coding")
    func values() throws {
        #expect(Set(Self.values).count == Self.values.count)
        let data = try JSONEncoder().encode(Self.values)
        #expect(try JSONDecoder().decode([AttributeValue].self, from: data) == Self.values)
        guard case .boolean(true) = Self.values[1], case .double(0.5) = Self.values[2] else {
            Issue.record("literals of other types")
            return
        }
        #expect(Self.values[1] != 1 && AttributeValue.double(0.5) != .float(0.5))
    }
}
