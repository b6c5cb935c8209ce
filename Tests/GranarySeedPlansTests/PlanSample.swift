import Foundation
import GranaryBase
@testable import GranarySeedPlans

/// Plans as texts, and what is found in them.
enum PlanSample {
    /// The beginning of a plan with one store; imports follow, two blanks deep.
    static let start = "model: M.json\nstore: S.sqlite\nimports:\n"

    static func plan(
        _ text: String, folder: String = "", variables: [String: String] = [:], environment: [String: String] = [:]
    ) throws(GranaryError) -> SeedPlan {
        try SeedPlan(
            bytes: Array(text.utf8), file: "plan.yaml", folder: folder, variables: variables, environment: environment)
    }

    /// The only import of a plan, given as the lines of its mapping.
    static func onlyImport(_ lines: String...) throws -> SeedPlan.Import? {
        let text = lines.map { "    \($0)\n" }.joined()
        return try plan(start + "  -\n" + text).stores.first?.imports.first
    }

    /// What is wrong with a plan; nothing where it is sound.
    static func problems(_ text: String) -> [Diagnostic] {
        do {
            _ = try plan(text)
            return []
        } catch {
            return error.diagnostics
        }
    }

    /// A text without its marks `§`, and the places, `line:column`, that they stood before.
    static func unmarked(_ marked: String) -> (text: String, places: [String]) {
        var places: [String] = []
        var lines: [String] = []
        for (number, line) in marked.split(separator: "\n", omittingEmptySubsequences: false).enumerated() {
            var rest = String(line)
            while let mark = rest.range(of: "§") {
                places.append("\(number + 1):\(rest[..<mark.lowerBound].utf8.count + 1)")
                rest.removeSubrange(mark)
            }
            lines.append(rest)
        }
        return (lines.joined(separator: "\n"), places)
    }
}
