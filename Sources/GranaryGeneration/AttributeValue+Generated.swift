import Foundation
import GranaryBase
package import GranaryModel
package import GranaryPredicates

extension AttributeValue {
    /// The value that a text of a list means for a type; nil if it is none.
    init?(generatorText text: String, type: AttributeType) {
        let number = GeneratorSpecification.number(text)
        switch type {
        case .string: self = .string(text)
        case .integer16, .integer32, .integer64:
            guard let value = number?.int64, type.integerRange?.contains(value) ?? false else { return nil }
            self = .integer(value)
        case .decimal:
            guard let number else { return nil }
            self = .decimal(number.foundationDecimal)
        case .double:
            guard let number else { return nil }
            self = .double(number.nearestDouble)
        case .float:
            guard let value = try? number?.nearestFloat() else { return nil }
            self = .float(value)
        case .boolean:
            guard ["true", "false"].contains(text) else { return nil }
            self = .boolean(text == "true")
        case .date:
            guard let seconds = GeneratorSpecification.date(text, isEnd: false) else { return nil }
            self = .date(Date(timeIntervalSinceReferenceDate: Double(seconds)))
        case .uuid:
            guard let value = UUID(uuidString: text) else { return nil }
            self = .uuid(value)
        case .uri:
            guard let url = URL(string: text, encodingInvalidCharacters: false) else { return nil }
            self = .uri(url)
        case .binary, .transformable, .undefined, .objectID, .composite: return nil
        }
    }

    /// A constant of a predicate as a value of a type; nil if it is none.
    package func converted(to type: AttributeType) -> AttributeValue? {
        if fits(type) { return self }
        guard let number = RuleHints.number(self) else {
            if case .string(let text) = self { return AttributeValue(generatorText: text, type: type) }
            return nil
        }
        switch type {
        case .integer16, .integer32, .integer64:
            return number.int64.flatMap { type.integerRange?.contains($0) ?? false ? .integer($0) : nil }
        case .decimal: return .decimal(number.foundationDecimal)
        case .double: return .double(number.nearestDouble)
        case .float: return (try? number.nearestFloat()).map { .float($0) }
        case .boolean: return number.int64.flatMap { $0 == 0 || $0 == 1 ? .boolean($0 == 1) : nil }
        case .date: return .date(Date(timeIntervalSinceReferenceDate: number.nearestDouble))
        default: return nil
        }
    }
}
