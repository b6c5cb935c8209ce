import GranaryBase
import GranaryContexts
import GranaryCoordination
import GranaryCoreDataStore
import GranaryInspection
import Testing
@testable import GranaryImport
@testable import SeedingTestSupport

/// Holds an import's report and store against the records of its file.
struct FaultCheck {
    let report: ImportReport
    let columns: [FaultColumn]
    private(set) var records: [FaultRecord]
    /// The record that begins in or goes on over a line.
    private var recordOfLine: [Int: Int] = [:]

    static let run = {
        var run = TestImport.keepGood
        run.diagnosticLimit = 1_000_000
        return run
    }()

    /// - Parameter records: judged here.
    init(_ report: ImportReport, _ columns: [FaultColumn], _ records: [FaultRecord]) {
        self.report = report
        self.columns = columns
        self.records = records
        FaultOracle.judge(&self.records, columns, report)
        for (index, record) in records.enumerated() { for line in record.lines { recordOfLine[line] = index } }
    }

    var errors: [Diagnostic] { report.diagnostics.filter { $0.severity == .error } }

    /// Records that are bad and that nothing is said of, or the other way round.
    var wrongPlaces: [String] {
        var told: Set<Int> = []
        var wrong: [String] = []
        for error in errors {
            guard let record = recordOfLine[error.position?.line ?? 0] else {
                wrong.append("of no record: \(error)")
                continue
            }
            if told.insert(record).inserted, !records[record].isBad { wrong.append("of a good record: \(error)") }
        }
        for (index, record) in records.enumerated() where record.isBad && !told.contains(index) {
            wrong.append("nothing said of line \(record.lines.lowerBound): \(text(record))")
        }
        return Array(wrong.prefix(5))
    }

    /// Damages that are not reported as what they are.
    func untold(_ facts: [FaultFact], lines: [ClosedRange<Int>]) -> [String] {
        var byLine: [Int: [Diagnostic]] = [:]
        for error in errors { byLine[error.position?.line ?? 0, default: []].append(error) }
        var untold: [String] = []
        for fact in facts where !fact.codes.isEmpty {
            // A record that is rejected for another reason owns nothing: neither takes it an object, nor can one be
            // taken.
            if fact.codes.contains(.relationshipTaken), let holder = fact.holder {
                if let record = recordOfLine[lines[holder].lowerBound], records[record].isBad { continue }
                if lines[fact.row].contains(where: { byLine[$0]?.contains { !fact.isTold(by: $0) } == true }) {
                    continue
                }
            }
            let found = lines[fact.row].flatMap { byLine[$0] ?? [] }.filter { fact.isTold(by: $0) }
            let isNamed = fact.holder.map { holder in
                found.contains { $0.related.contains { lines[holder].contains($0.line) } }
            }
            if found.isEmpty || isNamed == false { untold.append("line \(lines[fact.row].lowerBound): \(fact.name)") }
        }
        return Array(untold.prefix(5))
    }

    /// How the store differs from the good records.
    func differences(_ store: any StoreBackend) throws -> [String] {
        var expected: [[UInt8]: FaultContents.Properties] = [:]
        for record in records where !record.isBad {
            guard let properties = record.row?.properties(columns), let code = properties["code"] else { continue }
            expected[code] = properties
        }
        return FaultContents.differences(try FaultContents.of("Item", in: store), expected)
    }

    func checkCounts() {
        let bad = records.count { $0.isBad }
        #expect(!report.isRefused)
        #expect(report.read == records.count)
        #expect(report.rejected == bad)
        #expect(report.created == records.count - bad)
        #expect(report.updated + report.unchanged + report.skipped + report.nested + report.madeByLookup == 0)
        #expect(report.diagnosticCount == report.diagnostics.count)
        #expect(report.rules.reduce(0) { $0 + $1.count } == report.diagnosticCount)
        var found: [String: [Diagnostic]] = [:]
        for diagnostic in report.diagnostics {
            let rule = DiagnosticGroup(
                diagnostic.code, severity: diagnostic.severity, entity: diagnostic.entity, property: diagnostic.property
            )
            found[name(of: rule), default: []].append(diagnostic)
        }
        for rule in report.rules {
            let one = found[name(of: rule)] ?? []
            #expect(one.count == rule.count)
            #expect(Array(one.compactMap(\.position).prefix(DiagnosticGroup.placeLimit)) == rule.first)
        }
    }

    private func name(of rule: DiagnosticGroup) -> String {
        "\(rule.code.rawValue) \(rule.severity.rawValue) \(rule.entity ?? "-") \(rule.property ?? "-")"
    }

    private func text(_ record: FaultRecord) -> String {
        String(decoding: record.row?.raw ?? Array("malformed".utf8), as: UTF8.self)
    }
}
