import Foundation
import GranaryBase
import Testing

@testable import GranaryCommands
import GranaryImport

/// What an import says at its end.
@Suite struct ImportPrintingTests {
    private func finished(
        _ report: ImportReport, store: String = "/nowhere/Seed.sqlite",
        _ change: (inout ImportPrintingOptions) -> Void = { _ in }
    ) -> (code: Int32, output: String, lines: [String]) {
        var options = ImportPrintingOptions()
        change(&options)
        var report = report
        report.store = store
        let capture = CommandOutput.Capture()
        let code = CommandOutput.$current.withValue(capture.output) {
            ImportPrinting.finish(report, options: options)
        }
        return (code, capture.standardOutput, capture.standardError.split(separator: "\n").map(String.init))
    }

    /// A report of `count` wrong ages and as many warnings.
    private func wrongAges(_ count: Int, kept: Int = 10_000) -> ImportReport {
        var collector = DiagnosticCollector(limit: kept)
        for line in 2..<(2 + count) {
            let position = SourcePosition(file: "a.csv", line: line, column: 3, byteOffset: line * 10, record: line - 1)
            collector.add(
                Diagnostic(
                    .valueSyntax, "no", at: position, field: "Age", entity: "Patient", property: "age", value: "x"))
            collector.add(Diagnostic(.relationshipAmbiguous, "two", severity: .warning, at: position))
        }
        var report = ImportReport()
        report.read = count
        report.rejected = count
        report.isRefused = true
        report.diagnostics = collector.diagnostics
        report.diagnosticCount = collector.count
        report.errorCount = collector.errorCount
        report.rules = collector.groups
        return report
    }

    private let refusal = "granary: error: nothing was imported; /nowhere/Seed.sqlite was not created"

    @Test func aShortListHasNoSummary() {
        let result = finished(wrongAges(1))
        #expect(result.code == 65 && result.output.isEmpty)
        #expect(
            result.lines == [
                "a.csv:2:3: error: Patient.age: no [value.syntax]",
                "a.csv:2:3: warning: two [relationship.ambiguous]", refusal,
                "read 1 = created 0 + updated 0 + unchanged 0 + skipped 0 + rejected 1",
            ])
    }

    @Test func referencesThatWereLeftOutAreCounted() {
        var report = ImportReport()
        (report.read, report.created) = (2, 2)
        report.omittedReferences = [
            OmittedReferences(entity: "A", property: "b", count: 2),
            OmittedReferences(entity: "A", property: "c", count: 1),
        ]
        let lines = ["2 references left out (A.b)", "1 reference left out (A.c)"]
        #expect(Array(finished(report).lines.prefix(2)) == lines)
        #expect(finished(report) { $0.isDryRun = true }.lines.contains(lines[0]))
        #expect(finished(report) { $0.isQuiet = true }.lines.count == 1)
    }

    @Test func aCutListSaysSoAndIsSummedUp() {
        let result = finished(wrongAges(3210, kept: 7)) { $0.maxDiagnostics = 1 }
        #expect(
            result.lines == [
                "a.csv:2:3: error: Patient.age: no [value.syntax]", "… and 6,419 more",
                "6,420 in all: 3,210 errors, 3,210 warnings; by rule:",
                "  3,210 × value.syntax Patient.age: a.csv:2, 3, 4, 5, 6, …",
                "  3,210 × relationship.ambiguous (warning): a.csv:2, 3, 4, 5, 6, …", refusal,
                "read 3210 = created 0 + updated 0 + unchanged 0 + skipped 0 + rejected 3210",
            ])
    }

    @Test func aLongListIsSummedUpThoughAllIsPrinted() {
        // Five of each of the two rules, and how many more there are.
        #expect(finished(wrongAges(10)).lines.count == 14)
        #expect(finished(wrongAges(11)).lines.count == 17)
        #expect(finished(wrongAges(10)) { $0.maxDiagnostics = 50 }.lines.count == 22)
        #expect(finished(wrongAges(11)) { $0.maxDiagnostics = 50 }.lines.count == 27)
        #expect(
            finished(wrongAges(10)).lines.suffix(4).prefix(2) == [
                "… and 5 more of value.syntax Patient.age", "… and 5 more of relationship.ambiguous",
            ])
    }

    @Test func reasonsWhyARunEndedStandLast() {
        var report = wrongAges(3210, kept: 7)
        report.endings = [Diagnostic(.limitExceeded, "3210 records are rejected; the limit is 5")]
        report.diagnostics += report.endings
        report.diagnosticCount += 1
        for maximum in [nil, 1, 5000] {
            let lines = finished(report) { $0.maxDiagnostics = maximum }.lines
            #expect(lines.count { $0.contains("the limit is 5") } == 1)
            #expect(lines.dropLast(2).last?.contains("the limit is 5") == true, "\(lines)")
        }
    }

    @Test func quietIsErrorsAndTheLastLine() {
        let result = finished(wrongAges(100)) {
            $0.isQuiet = true
            $0.maxDiagnostics = 1
        }
        #expect(
            result.lines == [
                "a.csv:2:3: error: Patient.age: no [value.syntax]", "… and 99 more", refusal,
                "read 100 = created 0 + updated 0 + unchanged 0 + skipped 0 + rejected 100",
            ])
    }

    @Test func theSummaryIsSortedAndBounded() {
        var groups = (1...30).map { number in
            DiagnosticGroup(
                .valueSyntax, entity: "E\(number)", count: number == 25 ? 1000 : number,
                first: [
                    SourcePosition(file: "a.csv", line: 1, column: 1),
                    SourcePosition(file: "b.csv", line: 2, column: 1),
                ])
        }
        groups.append(DiagnosticGroup(DiagnosticGroup.furtherCode, count: 5000))
        let lines = RuleSummary.lines(groups)
        #expect(lines.count == 22)
        #expect(lines[0] == "6,440 in all: 6,440 errors; by rule:")
        #expect(lines[1] == "  1,000 × value.syntax E25: a.csv:1, b.csv:2, …")
        #expect(lines[2] == "     30 × value.syntax E30: a.csv:1, b.csv:2, …")
        #expect(lines[20] == "     11 × value.syntax E11: a.csv:1, b.csv:2, …")
        #expect(lines[21] == "  … and 5,055 of other rules")
    }

    @Test func jsonIsALineForEach() throws {
        let result = finished(wrongAges(30)) { $0.format = .json }
        let objects = result.lines.filter { $0.hasPrefix("{") }
        #expect(objects.count == 50 && result.lines.count == 52 && result.output.isEmpty)
    }

    @Test(arguments: [true, false]) func aDryRunTellsItsPlan(isQuiet: Bool) {
        var report = ImportReport()
        report.read = 6
        report.created = 3
        report.updated = 1
        report.rejected = 2
        report.pruned = 1
        report.changes = [
            ImportChange(
                .update, entity: "Patient", id: "Patient/p3", file: "patients.csv", line: 5,
                properties: ["age", "name"]),
            ImportChange(.delete, entity: "Patient", id: "Patient/p4", key: "\"ann@example.org\""),
        ]
        report.changes[0].values = [ImportChange.Value("age", old: "44", new: "NULL")]
        report.changeCount = 12
        let result = finished(report) {
            $0.isDryRun = true
            $0.isQuiet = isQuiet
        }
        let ledger = "read 6 = created 3 + updated 1 + unchanged 0 + skipped 0 + rejected 2"
        #expect(result.code == 1)
        #expect(
            result.lines
                == (isQuiet
                    ? [ledger]
                    : [
                        "dry run: 3 new, 1 changed, 1 deleted, 2 rejected",
                        "  delete Patient/p4 \"ann@example.org\"",
                        "  update Patient/p3 (patients.csv:5): age 44 -> NULL, name",
                        "  … and 10 more changes; --report FILE has more", "granary: dry run: nothing was stored",
                        ledger,
                    ]))
    }

    @Test func aRunTellsWhatElseItDid() {
        var report = ImportReport()
        report.read = 2
        report.updated = 2
        report.pruned = 4
        report.madeByLookup = 2
        report.nested = 4
        report.rejects = ["bad.csv"]
        report.run = "R1"
        report.changes =
            ["p4", "p7", "p9"].map { ImportChange(.delete, entity: "Patient", id: "Patient/\($0)") } + [
                ImportChange(.delete, entity: "Injury", id: "Injury/p1"),
                ImportChange(.create, entity: "Injury", id: "Injury/p8"),
                ImportChange(.create, entity: "Injury", id: "Injury/p9"),
            ]
        report.changeCount = 6
        let ledger = "read 2 = created 0 + updated 2 + unchanged 0 + skipped 0 + rejected 0"
        let first = finished(report, store: "S.sqlite") { $0.isRevertible = true }
        #expect(
            first.lines == [
                "pruned 3 Patient: p4, p7, p9", "pruned 1 Injury: p1", "created 2 missing Injury", "nested 4",
                "rejected records are in bad.csv", "run R1; to undo it: granary store revert S.sqlite --run R1",
                ledger,
            ])
        // Not every change is at hand.
        report.pruned = 4321
        report.madeByLookup = 1000
        report.rejects = []
        #expect(
            finished(report).lines == [
                "pruned 4,321: Patient/p4, Patient/p7, Patient/p9, Injury/p1, …", "created 1,000 missing objects",
                "nested 4",
                ledger,
            ])
    }

    @Test func aRefusedImportDidNothing() {
        var report = wrongAges(1)
        report.pruned = 3
        report.nested = 3
        let lines = finished(report).lines
        #expect(!lines.contains { $0.hasPrefix("pruned") || $0.hasPrefix("nested") })
    }

    @Test(arguments: [(false, 0, Int32(0)), (false, 2, 1), (true, 2, 65), (true, 0, 65)] as [(Bool, Int, Int32)])
    func theExitCodeSaysWhatBecameOfIt(_ isRefused: Bool, _ rejected: Int, _ code: Int32) {
        var report = ImportReport()
        report.isRefused = isRefused
        report.rejected = rejected
        #expect(report.exitCode == code && finished(report).code == code)
    }

    @Test(arguments: [DiagnosticFormat.text, .json, .sarif])
    func whatGivesUpEndsWithTheLedgerToo(_ format: DiagnosticFormat) {
        var options = ImportPrintingOptions()
        options.format = format
        let error = GranaryError(.unreadable, "a.csv: is not there")
        let capture = CommandOutput.Capture()
        let code = CommandOutput.$current.withValue(capture.output) { ImportPrinting.fail(error, options: options) }
        #expect(code == 66 && capture.standardOutput.isEmpty == (format != .sarif))
        #expect(
            capture.standardError == """
                granary: error: a.csv: is not there
                read 0 = created 0 + updated 0 + unchanged 0 + skipped 0 + rejected 0

                """)
    }
}
