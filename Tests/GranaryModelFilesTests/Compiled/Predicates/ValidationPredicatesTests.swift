import Foundation
import GranaryBase
import GranaryModel
import GranaryPredicates
import GranaryPropertyLists
import TestSupport
import Testing

@testable import GranaryModelFiles

struct ValidationPredicatesTests {
    @Test(arguments: 0..<300)
    func survivesARoundTrip(_ seed: Int) throws {
        var generator = SeededGenerator(seed: UInt64(seed))
        let attribute = Self.attribute(&generator)
        var again = Self.bare(attribute)
        let notes = ValidationPredicates.apply(try ValidationPredicates.entries(of: attribute), to: &again)
        #expect(notes == [])
        #expect(again == attribute)

        // Not only as values: by way of an archive as well. A Float is a double there, so its rules are left out.
        guard attribute.type != .float else { return }
        let archived = try ValidationPredicates.entries(of: attribute).map { entry in
            ValidationEntry(predicate: try Self.archived(entry.predicate), warning: entry.warning)
        }
        var third = Self.bare(attribute)
        let archivedNotes = ValidationPredicates.apply(archived, to: &third)
        #expect(archivedNotes == [])
        #expect(third == attribute)
    }

    @Test(
        arguments: [
            (AttributeType.integer16, "SELF >= 3.0", AttributeValue.integer(3)), (.double, "SELF >= 3", .double(3)),
            (.float, "SELF >= 2.5", .float(2.5)), (.decimal, "SELF >= 0.1", .decimal(Decimal(string: "0.1") ?? 0)),
            (.date, "SELF >= CAST(5, \"NSDate\")", .date(Date(timeIntervalSinceReferenceDate: 5))),
        ] as [(AttributeType, String, AttributeValue)])
    func boundsHaveTheTypeOfTheAttribute(_ type: AttributeType, _ text: String, _ bound: AttributeValue) throws {
        var attribute = AttributeDescription(name: "x", type: type)
        let entry = ValidationEntry(predicate: try PredicateFormat.predicate(text), warning: .integer(1620))
        let notes = ValidationPredicates.apply([entry], to: &attribute)
        #expect(notes == [])
        #expect(attribute.minimumValue == bound)
        #expect(attribute.validationRules.isEmpty)
    }

    /// What has no field, a field that is taken, a contradiction, and a message.
    @Test(
        arguments: [
            (["length > 3"], nil), (["length >= 3", "length >= 4"], nil), (["length >= 3", "length <= 2"], nil),
            (["SELF CONTAINS \"a\""], "Title must contain 'a'."), (["length >= 3"], "Too short."),
        ] as [([String], String?)])
    func theRestAreRules(_ texts: [String], _ message: String?) throws {
        var attribute = AttributeDescription(name: "x", type: .string)
        let entries = try texts.map {
            ValidationEntry(
                predicate: try PredicateFormat.predicate($0), warning: message.map(PropertyListValue.string))
        }
        let notes = ValidationPredicates.apply(entries, to: &attribute)
        #expect(notes == [])
        let rule = try #require(attribute.validationRules.first)
        #expect(attribute.validationRules.count == 1)
        #expect(rule.message == message ?? "")
        let last = try #require(texts.last)
        #expect(rule.predicate.description == last)
    }

    @Test func whatCannotBeCheckedIsSaid() throws {
        var attribute = AttributeDescription(name: "x", type: .string)
        let entry = ValidationEntry(predicate: try PredicateFormat.predicate("SELF LIKE[w] 'a*'"), warning: nil)
        let notes = ValidationPredicates.apply([entry], to: &attribute)
        #expect(notes == ["SELF LIKE[w] \"a*\""])
        #expect(attribute == AttributeDescription(name: "x", type: .string))
    }

    @Test func aNumberAsTextIsNoMessage() throws {
        var attribute = AttributeDescription(name: "x", type: .string)
        let entry = ValidationEntry(predicate: try PredicateFormat.predicate("length >= 1"), warning: .string("1670"))
        let notes = ValidationPredicates.apply([entry], to: &attribute)
        #expect(notes == [])
        #expect(attribute.minimumLength == 1)
    }

    private static func bare(_ attribute: AttributeDescription) -> AttributeDescription {
        AttributeDescription(name: attribute.name, type: attribute.type)
    }

    private static func archived(_ node: ObjectPredicate) throws -> ObjectPredicate {
        var builder = KeyedArchiveBuilder()
        let root = try PredicateArchiveWriter.add(node, to: &builder)
        let archive = try KeyedArchive(builder.bytes(root: root), source: "test")
        var reader = PredicateArchiveReader(archive)
        return try reader.predicate(try #require(try archive.top()))
    }

    /// A sound attribute with rules of its type.
    private static func attribute(_ generator: inout SeededGenerator) -> AttributeDescription {
        let types: [AttributeType] = [
            .integer16, .integer32, .integer64, .decimal, .double, .float, .date, .string, .boolean, .binary,
        ]
        let type = types[Int.random(in: 0..<types.count, using: &generator)]
        var attribute = AttributeDescription(name: "x", type: type)
        let low = Int.random(in: -50...50, using: &generator)
        let high = low + Int.random(in: 0...50, using: &generator)
        if Bool.random(using: &generator) { attribute.minimumValue = bound(low, type) }
        if Bool.random(using: &generator) { attribute.maximumValue = bound(high, type) }
        if type == .string {
            if Bool.random(using: &generator) { attribute.minimumLength = abs(low) }
            if Bool.random(using: &generator) { attribute.maximumLength = abs(low) + 5 }
            if Bool.random(using: &generator) { attribute.regularExpression = "\\w+\"" }
        }
        for _ in 0..<Int.random(in: 0...3, using: &generator) {
            let message = Bool.random(using: &generator) ? "No." : ""
            attribute.validationRules.append(
                ValidationRule(predicate: predicate(&generator, depth: 0), message: message))
        }
        return attribute
    }

    private static func bound(_ number: Int, _ type: AttributeType) -> AttributeValue? {
        switch type {
        case .integer16, .integer32, .integer64: .integer(Int64(number))
        case .decimal: .decimal(Decimal(number) / 10)
        case .double: .double(Double(number) / 8)
        case .float: .float(Float(number) / 8)
        case .date: .date(Date(timeIntervalSinceReferenceDate: Double(number) * 0.25))
        default: nil
        }
    }

    private static func predicate(_ generator: inout SeededGenerator, depth: Int) -> ObjectPredicate {
        let number = ObjectExpression.constant(.integer(Int64.random(in: 0...9, using: &generator)))
        switch Int.random(in: 0..<(depth > 3 ? 6 : 9), using: &generator) {
        case 0: return .constant(Bool.random(using: &generator))
        // As the editor's fields say it, but as a rule.
        case 1: return .compare(.keyPath("length"), .greaterOrEqual, number)
        case 2: return .compare(.evaluatedObject, .lessOrEqual, number)
        case 3: return .between(.evaluatedObject, lower: number, upper: .null)
        case 4: return .compare(.evaluatedObject, .beginsWith, .constant(.string("a")), options: .caseInsensitive)
        case 5: return .compare(.evaluatedObject, .isIn, .list([number, .constant(.boolean(true)), .null]))
        case 6: return .not(predicate(&generator, depth: depth + 1))
        case 7: return .and([predicate(&generator, depth: depth + 1), predicate(&generator, depth: depth + 1)])
        default: return .or([predicate(&generator, depth: depth + 1)])
        }
    }
}
