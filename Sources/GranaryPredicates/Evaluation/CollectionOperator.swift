/// A collection operator of a key path, with its sign.
package enum CollectionOperator: String, Sendable, CaseIterable {
    case count = "@count"
    case sum = "@sum"
    case average = "@avg"
    case minimum = "@min"
    case maximum = "@max"
    /// All values.
    case union = "@unionOfObjects"
    /// The values without duplicates.
    case distinctUnion = "@distinctUnionOfObjects"

    /// The function of the values that the following keys lead to; nil for the operators that do not aggregate.
    var aggregate: PredicateAggregate? {
        switch self {
        case .sum: .sum
        case .average: .average
        case .minimum: .minimum
        case .maximum: .maximum
        case .count, .union, .distinctUnion: nil
        }
    }
}
