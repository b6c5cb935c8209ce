import Foundation
import GranaryModel
import GranaryPredicates
import GranaryPropertyLists

/// The default values that initial values of properties become.
enum DefaultValues {
    /// Nil for an expression that is not a literal: SwiftData evaluates it when the app makes the schema.
    static func value(_ expression: SourceExpression?, _ type: AttributeType) -> AttributeValue? {
        switch (expression, type) {
        case (.string(let text)?, .string): .string(text)
        case (.boolean(let value)?, .boolean): .boolean(value)
        case (.integer(let digits)?, .integer16): Int16(digits).map { .integer(Int64($0)) }
        case (.integer(let digits)?, .integer32): Int32(digits).map { .integer(Int64($0)) }
        case (.integer(let digits)?, .integer64): Int64(digits).map { .integer($0) }
        case (.integer(let text)?, .double), (.float(let text)?, .double): finite(Double(text)).map { .double($0) }
        case (.integer(let text)?, .float), (.float(let text)?, .float):
            finite(Float(text)).map { .float($0) }
        case (.integer(let text)?, .decimal): Decimal(string: text).map { .decimal($0) }
        // The JSON of an empty array and of an empty dictionary.
        case (.array(let elements)?, .binary) where elements.isEmpty: .binary(Data("[]".utf8))
        case (.dictionary(let parts)?, .binary) where parts.isEmpty: .binary(Data("{}".utf8))
        case (.array(let elements)?, .transformable) where elements.isEmpty:
            .binary(Data(KeyedArchiveWriter.write(.array([]))))
        default: nil
        }
    }

    /// The raw value of the case that an expression names: `.calm` or `Mood.calm`.
    static func value(
        _ expression: SourceExpression?, _ type: AttributeType, of cases: [RawValue]
    ) -> AttributeValue? {
        guard case .member(_, let name)? = expression, let found = cases.first(where: { $0.name == name }) else {
            return nil
        }
        return type == .string ? .string(found.text) : Int64(found.text).map { .integer($0) }
    }

    /// The case without raw value that an expression names.
    static func value(_ expression: SourceExpression?, of cases: [String]) -> String? {
        guard case .member(_, let name)? = expression, cases.contains(name) else { return nil }
        return name
    }

    private static func finite<Number: FloatingPoint>(_ number: Number?) -> Number? {
        number.flatMap { $0.isFinite ? $0 : nil }
    }
}
