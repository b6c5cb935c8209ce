/// Numbers the variables of the subqueries in one condition, so that none hides another.
final class ConditionScope {
    private var count = 0

    /// A variable that the condition does not use yet.
    func nextVariable() -> String {
        count += 1
        return "x\(count)"
    }
}
