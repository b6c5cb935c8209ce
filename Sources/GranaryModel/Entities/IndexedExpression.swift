package import GranaryPredicates

/// An expression over which Core Data indexes rows.
package enum IndexedExpression {
    /// `SELF`: the object's primary key.
    case object
    /// `entity`: the number of the object's entity.
    case entity

    /// Nil for every other expression.
    package init?(_ expression: ObjectExpression) {
        switch expression {
        case .evaluatedObject: self = .object
        case .keyPath("entity"): self = .entity
        default: return nil
        }
    }
}
