import GranaryPredicates

extension CastTarget {
    /// What the values of the type are.
    var kind: ExpressionKind {
        switch self {
        case .number, .decimal: .number
        case .text, .uri: .text
        case .date: .date
        case .uuid: .uuid
        case .data: .data
        }
    }
}
