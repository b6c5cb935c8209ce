import GranaryPredicates

extension ExpressionKind {
    /// Whether a function can have a value of the kind as an argument.
    func isArgument(_ wanted: PredicateFunction.ArgumentKind) -> Bool {
        switch (wanted, self) {
        case (_, .null), (_, .unknown), (.any, _), (.typeName, .text): true
        case (.number, .number), (.numberOrDate, .number), (.numberOrDate, .date), (.text, .text): true
        case (.measurable, .text), (.measurable, .data), (.measurable, .list): true
        case (.numbers, .list(let element)): element.isArgument(.numbers)
        case (.numbers, .number): true
        case (.ordered, .list(let element)): element.isArgument(.ordered)
        case (.ordered, _): isOrdered
        default: false
        }
    }
}
