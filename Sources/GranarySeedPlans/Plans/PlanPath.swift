import Foundation
import GranaryBase
import GranaryImport
import GranaryRecords

/// A path in a plan, with its position.
struct PlanPath: Sendable {
    /// The path, with the plan's folder prepended if it is relative.
    let path: String
    /// If the name contains `*`, `?` or `[`: the path as a pattern, in which the characters of the folder are escaped.
    var pattern: String?
    let position: SourcePosition
    let label: String
}
