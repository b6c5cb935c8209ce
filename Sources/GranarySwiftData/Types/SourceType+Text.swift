extension SourceType {
    /// The type as one writes it, without blanks except after colons and commas.
    var text: String {
        switch self {
        case .named(let name, let arguments):
            arguments.isEmpty ? name : "\(name)<\(arguments.map(\.text).joined(separator: ", "))>"
        case .optional(let type): type.text + "?"
        case .array(let type): "[\(type.text)]"
        case .dictionary(let key, let value): "[\(key.text): \(value.text)]"
        case .other(let text): text
        }
    }
}
