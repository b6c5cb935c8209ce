import GranaryBase
import GranaryCoordination
import GranaryCoreDataStore

/// Collects the findings of a check: counts all, keeps the first ones.
package struct StoreFindings: Sendable {
    private struct Row: Hashable {
        let table: String
        let key: Int64
    }

    /// The number of findings to keep.
    package let limit: Int
    /// The first findings, at most ``limit``.
    package private(set) var findings: [StoreFinding] = []
    /// The number of findings, including those past the limit.
    package private(set) var count = 0
    package private(set) var errorCount = 0
    package private(set) var warningCount = 0
    /// The rows of the findings that are kept.
    private var rows: Set<Row> = []

    package init(limit: Int = 10_000) { self.limit = limit }

    package mutating func add(_ finding: StoreFinding) {
        count += 1
        switch finding.diagnostic.severity {
        case .error: errorCount += 1
        case .warning: warningCount += 1
        case .note: break
        }
        guard findings.count < limit else { return }
        findings.append(finding)
        if let table = finding.table, let key = finding.key { rows.insert(Row(table: table, key: key)) }
    }

    /// Adds a problem of a table, a row or a cell.
    mutating func add(
        _ code: Diagnostic.Code, _ message: String, severity: Diagnostic.Severity = .error, entity: String? = nil,
        property: String? = nil, coreDataCode: Int? = nil, table: String? = nil, key: Int64? = nil,
        column: String? = nil, advice: String? = nil
    ) {
        add(
            StoreFinding(
                diagnostic: Diagnostic(
                    code, message, severity: severity, entity: entity, property: property, coreDataCode: coreDataCode),
                table: table, key: key, column: column, advice: advice))
    }

    /// Adds an error's diagnostics, or its message if it has none.
    mutating func add(_ error: GranaryError, severity: Diagnostic.Severity = .error, advice: String? = nil) {
        guard !error.diagnostics.isEmpty else {
            add(.storeCorrupt, error.message, severity: severity, advice: advice)
            return
        }
        for diagnostic in error.diagnostics {
            var diagnostic = diagnostic
            diagnostic.severity = severity
            add(StoreFinding(diagnostic: diagnostic, advice: advice))
        }
    }

    /// Adds a problem that a store has found itself.
    mutating func add(_ problem: ContentProblem) {
        let advice: String? =
            switch problem.remedy {
            case .setRelationship: StoreAdvice.setRelationship
            case .changeValue: StoreAdvice.changeValue
            case .none: nil
            }
        add(
            StoreFinding(
                diagnostic: problem.diagnostic, table: problem.table, column: problem.column, advice: advice))
    }

    /// Replaces an advice that does not help with another one.
    mutating func replace(advice: String, with other: String) {
        for index in findings.indices where findings[index].advice == advice { findings[index].advice = other }
    }

    /// Whether a finding names a row, or may name it, since findings past the limit are not kept.
    func mayName(_ table: String, _ key: Int64) -> Bool {
        count > findings.count || rows.contains(Row(table: table, key: key))
    }
}
