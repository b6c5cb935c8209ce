package import Foundation
package import GranaryBase

/// An expression that is prepared for the evaluation on many objects. See ``CompiledPredicate`` for the rules.
package struct CompiledExpression: Sendable {
    private let root: PreparedExpression

    /// Prepares an expression. An expression that is too deep is NULL.
    ///
    /// - Parameter now: the value of the function `now`.
    package init(_ expression: ObjectExpression, now: Date = Date()) {
        guard !expression.isTooDeep else {
            root = .null
            return
        }
        var compiler = PredicateCompiler(now: now)
        root = compiler.prepared(expression)
    }

    /// The value of the expression on an object; nil for NULL.
    ///
    /// - Throws: ``GranaryError`` if the evaluation exceeds a limit or is cancelled.
    package func value(on subject: some PredicateSubject) throws(GranaryError) -> PredicateOperand? {
        var run = PredicateRun()
        let value = root.value(on: subject, &run)
        if let stop = run.stop { throw stop.error }
        return value
    }
}
