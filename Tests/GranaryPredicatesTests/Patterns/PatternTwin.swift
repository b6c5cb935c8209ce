@testable import GranaryPredicates
import Foundation

/// The slow, obvious second implementation: ICU asked for a match from the start to the end.
struct PatternTwin {
    private let expression: NSRegularExpression

    init(_ source: String, ignoringCase: Bool = false) throws {
        expression = try NSRegularExpression(
            pattern: "\\A(?:\(source))\\z", options: ignoringCase ? [.caseInsensitive] : [])
    }

    /// `limitReached` when ICU loops: a lazy quantifier of what can be empty, as in `(a|)*?`, makes it go round without
    /// end.
    func matchesWhole(_ text: String) -> Pattern.Outcome {
        var outcome = Pattern.Outcome.limitReached
        var reports = 0
        expression.enumerateMatches(
            in: text, options: [.reportProgress, .reportCompletion],
            range: NSRange(location: 0, length: text.utf16.count)
        ) { result, flags, stop in
            if result != nil {
                outcome = .match
                stop.pointee = true
            } else if flags.contains(.completed) {
                outcome = flags.contains(.internalError) ? .limitReached : .noMatch
            } else {
                reports += 1
                if reports == 5 { stop.pointee = true }
            }
        }
        return outcome
    }
}
