import GranaryBase

/// The state of one evaluation.
struct PredicateRun {
    /// The values of the variables of the enclosing subqueries, from the outermost.
    var bindings: [PredicateOperand?] = []
    /// Nil if the result counts.
    var stop: PredicateStop?
    private var steps: UInt = 0

    /// The maximum number of elements of a list.
    static let elementLimit = 1_000_000

    /// Counts one step of a loop over data.
    ///
    /// - Parameter elements: the number of elements that were collected.
    /// - Returns: false if the evaluation must end.
    mutating func goesOn(_ elements: Int = 0) -> Bool {
        steps &+= 1
        if elements > Self.elementLimit { stop = stop ?? .elementLimit }
        if steps & 0xFF == 0, Cancellation.current?.isCancelled == true { stop = stop ?? .interrupted }
        return stop == nil
    }
}
