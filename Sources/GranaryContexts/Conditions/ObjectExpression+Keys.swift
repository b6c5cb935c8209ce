import GranaryPredicates

extension ObjectExpression {
    /// The value that a key leads to from this one.
    func appending(_ key: String) -> ObjectExpression {
        switch self {
        case .evaluatedObject: .keyPath(key)
        case .keyPath(let path): .keyPath("\(path).\(key)")
        case .path(let path, let operand): .path("\(path).\(key)", of: operand)
        default: .path(key, of: self)
        }
    }

    /// The key path from the tested object. For an expression that has none it is the expression's text, which a fetch
    /// refuses with that text.
    var sortKeyPath: String {
        switch self {
        case .keyPath(let path): path
        default: description
        }
    }
}
