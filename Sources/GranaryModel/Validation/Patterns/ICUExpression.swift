import Foundation

/// An expression that ICU runs, through Foundation, with a bound on its work.
///
/// NSRegularExpression is immutable and Apple documents it as safe to use from several threads at once.
struct ICUExpression: Sendable {
    private let expression: NSRegularExpression

    /// How often ICU may report progress before it is stopped: each 10,000 of its steps, so after a million (20 ms).
    static let maximumReports = 100
    /// One report more for each so many UTF-16 units. A text without backtracking needs at most a few steps a unit.
    static let unitsPerReport = 1_000

    /// Nil when ICU refuses the expression.
    init?(_ source: String, ignoringCase: Bool) {
        let options: NSRegularExpression.Options = ignoringCase ? [.caseInsensitive] : []
        // Alone first, so that a stray ")" cannot pair with the group around it.
        guard (try? NSRegularExpression(pattern: source, options: options)) != nil else { return nil }
        // An expression may end inside a comment of (?x) or after \Q. Either swallows the ")" and leaves the group
        // open, which ICU refuses, so the first form that it takes is the right one.
        for ending in ["", "\n", "\\E"] {
            let whole = "\\A(?:" + source + ending + ")\\z"
            if let expression = try? NSRegularExpression(pattern: whole, options: options) {
                self.expression = expression
                return
            }
        }
        return nil
    }

    func matchesWhole(_ text: String) -> Pattern.Outcome {
        let length = text.utf16.count
        var outcome = Pattern.Outcome.limitReached
        var left = Self.maximumReports + length / Self.unitsPerReport
        // Completion must be reported for "no match": when it is not, ICU gave up.
        expression.enumerateMatches(
            in: text, options: [.reportProgress, .reportCompletion], range: NSRange(location: 0, length: length)
        ) { result, flags, stop in
            if result != nil {
                outcome = .match
                stop.pointee = true
            } else if flags.contains(.completed) {
                outcome = flags.contains(.internalError) ? .limitReached : .noMatch
            } else {
                left -= 1
                if left <= 0 { stop.pointee = true }
            }
        }
        return outcome
    }
}
