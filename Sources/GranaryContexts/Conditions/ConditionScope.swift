import GranaryBase
import GranaryPredicates

/// What the parts of one condition share while it is made.
final class ConditionScope {
    /// The first error. The dynamic members that find it cannot throw.
    private(set) var error: GranaryError?
    /// How many subqueries enclose the current place.
    private var depth = 0

    func note(_ error: GranaryError) { self.error = self.error ?? error }

    /// The name of the property that a key path leads to. If there is none, the error is kept, and the name is unused.
    func name<Object: ManagedObject>(of keyPath: PartialKeyPath<Object>) -> String {
        do throws(GranaryError) {
            return try PropertyNames.name(of: keyPath, in: Object.self)
        } catch {
            note(error)
            return "unknown"
        }
    }

    /// Calls `body` with the name of a variable that no enclosing subquery has.
    func withVariable<Result>(_ body: (String) throws -> Result) rethrows -> Result {
        depth += 1
        defer { depth -= 1 }
        return try body("x\(depth)")
    }

    /// Returns what `body` makes of the objects' properties.
    ///
    /// - Throws: the first error, or an error from `body`.
    static func make<Object: ManagedObject, Result>(
        _ type: Object.Type, _ body: (ObjectFields<Object>) throws -> Result
    ) throws -> Result {
        let scope = ConditionScope()
        let result = try body(ObjectFields(.evaluatedObject, scope))
        if let error = scope.error { throw error }
        return result
    }
}
