/// Collects diagnostics: counts them all, keeps the first ones.
///
/// The limit bounds memory on a file with a million mistakes; ``count``, ``counts`` and ``groups`` are always whole.
public struct DiagnosticCollector: Sendable {
    /// How many diagnostics are kept.
    public let limit: Int
    /// The first diagnostics, at most ``limit``, in the order they came.
    public private(set) var diagnostics: [Diagnostic] = []
    /// How many came, those past the limit included.
    public private(set) var count = 0
    /// How many of them were errors.
    public private(set) var errorCount = 0
    /// How many of them were warnings.
    public private(set) var warningCount = 0
    /// How many came of each code.
    public private(set) var counts: [Diagnostic.Code: Int] = [:]
    private var tally = DiagnosticTally()

    /// How many came of each rule, severity, entity and property, with the first places, in the order of their first
    /// appearance. At most 1,000 groups; the rest is counted in one more, whose code is
    /// ``DiagnosticGroup/furtherCode``.
    ///
    /// - Complexity: O(groups).
    public var groups: [DiagnosticGroup] { tally.groups }

    /// An empty collector; `limit` diagnostics are kept, the rest are only counted.
    public init(limit: Int = 10_000) {
        self.limit = limit
    }

    /// Whether some were counted but not kept.
    public var isCut: Bool { count > diagnostics.count }

    /// Counts a diagnostic, and keeps it while there are fewer than ``limit``.
    public mutating func add(_ diagnostic: Diagnostic) {
        count += 1
        switch diagnostic.severity {
        case .error: errorCount += 1
        case .warning: warningCount += 1
        case .note: break
        }
        counts[diagnostic.code, default: 0] += 1
        tally.add(diagnostic)
        if diagnostics.count < limit { diagnostics.append(diagnostic) }
    }

    /// Adds each diagnostic in order.
    public mutating func add(contentsOf more: some Sequence<Diagnostic>) {
        for diagnostic in more { add(diagnostic) }
    }

    /// Throws one refusal with everything kept when any error came.
    ///
    /// - Throws: ``GranaryError`` with code `refused`.
    public func throwIfAnyError(_ message: @autoclosure () -> String) throws(GranaryError) {
        if errorCount > 0 { throw GranaryError(.refused, message(), diagnostics: diagnostics) }
    }
}
