/// Counts all diagnostics and keeps the first ones.
///
/// The limit bounds memory for a file with a million errors. ``count``, ``counts`` and ``groups`` include all
/// diagnostics.
public struct DiagnosticCollector: Sendable {
    /// The maximum number of diagnostics kept.
    public let limit: Int
    /// The first diagnostics, at most ``limit``, in the order added.
    public private(set) var diagnostics: [Diagnostic] = []
    /// The number of diagnostics added.
    public private(set) var count = 0
    /// The number of errors added.
    public private(set) var errorCount = 0
    /// The number of warnings added.
    public private(set) var warningCount = 0
    /// The number of diagnostics of each code.
    public private(set) var counts: [Diagnostic.Code: Int] = [:]
    private var tally = DiagnosticTally()

    /// The number of diagnostics of each rule, severity, entity and property, with the first positions, in the order of
    /// their first diagnostics. There are at most 1,000 groups, and one more for all others, with the code
    /// ``DiagnosticGroup/furtherCode``.
    ///
    /// - Complexity: O(groups).
    public var groups: [DiagnosticGroup] { tally.groups }

    /// Creates an empty collector, which keeps `limit` diagnostics and only counts the others.
    public init(limit: Int = 10_000) {
        self.limit = limit
    }

    /// Whether some diagnostics were counted but not kept.
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

    /// Throws an error with the kept diagnostics if any of those added was an error.
    ///
    /// - Throws: ``GranaryError`` with code `refused`.
    package func throwIfAnyError(_ message: @autoclosure () -> String) throws(GranaryError) {
        if errorCount > 0 { throw GranaryError(.refused, message(), diagnostics: diagnostics) }
    }
}
