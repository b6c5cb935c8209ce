import Foundation

/// A regular expression that ICU runs through Foundation, with bounded work.
///
/// NSRegularExpression is immutable and Apple documents it as safe to use from several threads at once.
struct ICUExpression: Sendable {
    private let expression: NSRegularExpression

    /// The number of ICU's progress reports before it is stopped. ICU reports every 10,000 steps, so it stops after a
    /// million (20 ms).
    static let maximumReports = 100
    /// The number of UTF-16 units that allow one more report. Without backtracking a unit needs at most a few steps.
    static let unitsPerReport = 1_000

    /// Nil if ICU refuses the expression.
    init?(_ source: String, ignoringCase: Bool) {
        let options: NSRegularExpression.Options = ignoringCase ? [.caseInsensitive] : []
        // First the expression alone, so that a stray ")" cannot close the group added around it.
        guard (try? NSRegularExpression(pattern: source, options: options)) != nil else { return nil }
        // An expression can end inside a comment of (?x) or after \Q. Both would include the ")" and leave the group
        // open, which ICU refuses, so the first form that ICU accepts is correct.
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
        // ICU reports completion for "no match". Without completion it gave up.
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
