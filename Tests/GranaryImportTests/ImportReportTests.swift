import Foundation
import GranaryBase
import GranaryImport
import Testing

/// The report as JSON.
@Suite struct ImportReportTests {
    private var report: ImportReport {
        var report = ImportReport()
        report.entity = "Patient"
        report.read = 15
        report.created = 1
        report.updated = 2
        report.unchanged = 3
        report.skipped = 4
        report.rejected = 5
        report.replaced = 1
        report.madeByLookup = 6
        report.omittedReferences = [OmittedReferences(entity: "Patient", property: "injury", count: 2)]
        report.nested = 7
        report.pruned = 8
        report.seconds = 0.5
        report.store = "Seed.sqlite"
        report.isDryRun = true
        report.isRefused = true
        report.diagnostics = [Diagnostic(.valueSyntax, "wrong", entity: "Patient", property: "age")]
        report.diagnosticCount = 9
        report.rules = [
            DiagnosticGroup(.valueSyntax, entity: "Patient", property: "age", count: 6),
            DiagnosticGroup(.relationshipAmbiguous, severity: .warning, count: 3),
        ]
        report.changes = [
            ImportChange(.update, entity: "Patient", id: "Patient/p3", file: "a.csv", line: 5, properties: ["age"]),
            ImportChange(.delete, entity: "Patient", id: "Patient/p4"),
        ]
        report.changeCount = 10
        report.run = "7"
        report.rejects = ["rejects.csv"]
        return report
    }

    @Test func whatIsWrittenIsReadAgain() throws {
        var whole = report
        whole.imports = [report, ImportReport()]
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys]
        let data = try encoder.encode(whole)
        let read = try JSONDecoder().decode(ImportReport.self, from: data)
        #expect(try encoder.encode(read) == data)
        #expect(read.changes == whole.changes && read.rules == whole.rules && read.imports.count == 2)
        #expect(read.omittedReferences == whole.omittedReferences)
        #expect(read.errorCount == 6 && read.ledger == whole.ledger && read.isRefused && read.isDryRun)
    }

    @Test func theKeysAreTheContracts() throws {
        let data = try JSONEncoder().encode(report)
        let object = try #require(JSONSerialization.jsonObject(with: data) as? [String: Any])
        let expected = [
            "changeCount", "changes", "created", "diagnosticCount", "diagnostics", "dryRun", "entity",
            "generated", "imports",
            "madeByLookup", "nested", "objects", "omittedReferences", "pruned", "read", "refused", "rejected",
            "rejects", "replaced",
            "rules", "run",
            "seconds", "skipped", "skippedBlankLines", "store", "subsets", "unchanged", "updated",
        ]
        #expect(object.keys.sorted() == expected)
        let change = try #require((object["changes"] as? [[String: Any]])?.first)
        #expect(change.keys.sorted() == ["action", "entity", "file", "id", "line", "properties"])
        #expect(change["action"] as? String == "update")
    }

    @Test func olderReportsAreRead() throws {
        let text =
            #"{"read": 2, "created": 1, "rejected": 1, "diagnostics": [{"severity": "error", "code": "x", "message": "m"}]}"#
        let read = try JSONDecoder().decode(ImportReport.self, from: Data(text.utf8))
        #expect(read.ledger == "read 2 = created 1 + updated 0 + unchanged 0 + skipped 0 + rejected 1")
        #expect(read.diagnosticCount == 1 && read.errorCount == 1 && read.entity == nil && read.run == nil)
        #expect(read.changes.isEmpty && read.imports.isEmpty && !read.isRefused)
        #expect(throws: DecodingError.self) {
            try JSONDecoder().decode(ImportReport.self, from: Data(#"{"read": "two"}"#.utf8))
        }
    }
}
