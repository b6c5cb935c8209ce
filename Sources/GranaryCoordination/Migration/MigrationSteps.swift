import GranaryBase

/// Runs the steps of a migration one after the other.
package enum MigrationSteps {
    /// How one step is run.
    package struct Turn: Sendable {
        /// The index of the step.
        package let index: Int
        /// Whether the step passes over all problems, because it was refused before and its result is only needed to
        /// check the steps after it.
        package let passesOver: Bool
        /// The values that the steps before could not compute.
        package let reported: ReportedValues

        /// The rules of the step for this turn.
        package func rules(_ rules: MigrationRules) -> MigrationRules {
            var rules = rules
            rules.reported = reported
            guard passesOver else { return rules }
            rules.passesOver = true
            rules.accepted = MigrationProblem.Kind.all
            return rules
        }
    }

    /// Runs all steps. If objects do not fit a step, the steps after it are checked with what fits, so that the error has
    /// the problems of all steps.
    ///
    /// - Throws: ``GranaryError`` with code `refused` and ``StoreCopy/Refusal`` as the underlying error; any error of
    ///   `step`.
    package static func run(_ count: Int, _ step: (Turn) throws -> MigratedStep) throws -> [MigratedStep] {
        var results: [MigratedStep] = []
        var refusal: StoreCopy.Refusal?
        var first: GranaryError?
        var reported = ReportedValues()
        for index in 0..<count {
            do {
                let result: MigratedStep
                do {
                    result = try step(Turn(index: index, passesOver: false, reported: reported))
                } catch let error as GranaryError {
                    guard let found = error.underlying as? StoreCopy.Refusal else { throw error }
                    first = first ?? error
                    var all = refusal ?? StoreCopy.Refusal(problems: [])
                    all.add(found, step: index)
                    refusal = all
                    guard index + 1 < count else { break }
                    result = try step(Turn(index: index, passesOver: true, reported: reported))
                }
                reported = result.result.tally.reported
                results.append(result)
            } catch {
                // A step that fails in another way after a refused one cannot be checked, nor those after it.
                guard var all = refusal, !isEnd(error) else { throw error }
                let isThisChecked = all.problems.contains { $0.step == index }
                let place = isThisChecked ? index + 1 : index
                if place < count { all.unchecked = StoreCopy.Refusal.Unchecked(from: place, reason: text(of: error)) }
                refusal = all
                break
            }
        }
        guard let refusal, let first else { return results }
        throw GranaryError(
            .refused, first.message, diagnostics: refusal.problems.map { $0.refusalDiagnostic() }, underlying: refusal)
    }

    private static func isEnd(_ error: any Error) -> Bool {
        (error as? GranaryError)?.code == .interrupted || error is CancellationError
    }

    private static func text(of error: any Error) -> String { (error as? GranaryError)?.message ?? "\(error)" }
}
