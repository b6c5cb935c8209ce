import GranaryBase
import GranaryModel
import GranaryPredicates

/// The attributes of one element, read by name and type. It collects the problems with them.
struct ElementAttributes {
    /// A problem with the element or one of its attributes.
    struct Problem {
        var attribute: String?
        var message: String
        var value: String?
        /// Whether Xcode's compiler accepts it.
        var isWarning = false
    }

    let texts: [String: String]
    private(set) var problems: [Problem] = []

    init(_ texts: [String: String]) { self.texts = texts }

    func text(_ name: String) -> String? { texts[name] }

    /// A required attribute.
    mutating func required(_ name: String) -> String {
        guard let text = texts[name] else {
            problem(nil, "has no attribute \"\(name)\"")
            return ""
        }
        return text
    }

    /// YES or NO; also true or false, which one public file contains.
    mutating func boolean(_ name: String) -> Bool? {
        guard let text = texts[name] else { return nil }
        guard let value = Self.boolean(text) else {
            problem(name, "is not YES or NO")
            return nil
        }
        return value
    }

    mutating func flag(_ name: String) -> Bool { boolean(name) ?? false }

    mutating func integer(_ name: String, in range: ClosedRange<Int>) -> Int? {
        guard let text = texts[name] else { return nil }
        guard let value = Int(text) else {
            problem(name, "is not an integer")
            return nil
        }
        guard range.contains(value) else {
            problem(name, "is not between \(range.lowerBound) and \(range.upperBound)")
            return nil
        }
        return value
    }

    /// An attribute with a closed list of values.
    mutating func choice<Value>(_ name: String, _ expected: String, _ parse: (String) -> Value?) -> Value? {
        guard let text = texts[name] else { return nil }
        guard let value = parse(text) else {
            problem(name, "is not \(expected)")
            return nil
        }
        return value
    }

    /// A value of an attribute's type. Nil for an empty text and for a type whose values are not written as text.
    mutating func value(_ name: String, _ type: AttributeType) -> AttributeValue? {
        guard let text = texts[name], ModelValueText.isWritten(type), type == .string || !text.isEmpty else {
            return nil
        }
        guard let value = ModelValueText.value(text, type) else {
            problem(name, "is not \(type.phrase)")
            return nil
        }
        return value
    }

    /// A default value. If the type of an attribute changes, Xcode keeps the old text. Such a text is read as the model
    /// compiler reads it, with a warning (docs/core-data/model-formats.md#default-values-of-another-type).
    mutating func defaultValue(_ name: String, _ type: AttributeType) -> AttributeValue? {
        guard let text = texts[name], let value = ModelValueText.compiledDefault(text, type) else {
            return value(name, type)
        }
        problem(
            name, "is not \(type.phrase); the model compiler takes it as \(ModelValueText.text(value) ?? "")",
            isWarning: true)
        return value
    }

    mutating func problem(_ attribute: String?, _ message: String, isWarning: Bool = false) {
        guard let attribute else {
            problems.append(Problem(message: message))
            return
        }
        let text = Diagnostic.shortened(texts[attribute] ?? "")
        problems.append(
            Problem(
                attribute: attribute, message: "\(attribute) \"\(text)\" \(message)", value: text, isWarning: isWarning)
        )
    }

    static func boolean(_ text: String) -> Bool? {
        switch text {
        case "YES", "true": true
        case "NO", "false": false
        default: nil
        }
    }
}
