import GranaryPredicates

extension ObjectExpression {
    /// The value at the end of a key path from this value.
    func appending(_ path: String) -> ObjectExpression {
        switch self {
        case .evaluatedObject: .keyPath(path)
        case .keyPath(let first): .keyPath("\(first).\(path)")
        case .path(let first, let operand): .path("\(first).\(path)", of: operand)
        default: .path(path, of: self)
        }
    }
}
