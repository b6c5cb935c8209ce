import Foundation
import GranaryBase
import TestSupport
import Testing

@testable import GranaryCommands
import GranaryImport

/// `--diagnostics sarif`: what SARIF 2.1.0 requires, and what Granary knows beyond it.
@Suite struct SARIFTests {
    private typealias Object = [String: Any]

    private func run(of text: String) throws -> Object {
        let log = try #require(JSONSerialization.jsonObject(with: Data(text.utf8)) as? Object)
        #expect(log["version"] as? String == "2.1.0")
        #expect((log["$schema"] as? String ?? "").contains("sarif-2.1.0"))
        let runs = try #require(log["runs"] as? [Object])
        #expect(runs.count == 1)
        return try #require(runs.first)
    }

    private let diagnostics = [
        Diagnostic(
            .valueSyntax, "\"x\" is no number",
            at: SourcePosition(file: "in/my patients.csv", line: 57, column: 12, byteOffset: 900, record: 55),
            field: "Age", entity: "Patient", property: "age", value: "x", coreDataCode: 1550),
        Diagnostic(
            .uniqueDuplicate, "twice", at: SourcePosition(file: "/data/ü.csv", line: 3, column: 1),
            related: [SourcePosition(file: "a.csv", line: 2, column: 1)]),
        Diagnostic(.valueSyntax, "no place", severity: .warning),
    ]

    @Test func theDocumentIsComplete() throws {
        let log = SARIFLog.json(of: diagnostics, count: 9, toolVersion: "1.2", exitCode: 65)
        let run = try run(of: try CommandJSON.text(log))
        let driver = try #require((run["tool"] as? Object)?["driver"] as? Object)
        #expect(driver["name"] as? String == "granary" && driver["version"] as? String == "1.2")
        let rules = try #require(driver["rules"] as? [Object])
        #expect(rules.compactMap { $0["id"] as? String } == ["value.syntax", "unique.duplicate"])
        #expect(run["columnKind"] as? String == "unicodeCodePoints")
        #expect((run["properties"] as? Object)?["diagnosticCount"] as? Int == 9)
        let invocation = try #require((run["invocations"] as? [Object])?.first)
        #expect(invocation["executionSuccessful"] as? Bool == true && invocation["exitCode"] as? Int == 65)
        let results = try #require(run["results"] as? [Object])
        #expect(results.map { $0["ruleIndex"] as? Int } == [0, 1, 0])
        #expect(results.map { $0["level"] as? String } == ["error", "error", "warning"])
        #expect(results.map { $0["ruleId"] as? String } == ["value.syntax", "unique.duplicate", "value.syntax"])
        #expect(
            results.map { ($0["message"] as? Object)?["text"] as? String }
                == ["Patient.age: \"x\" is no number", "twice", "no place"])
        let first = try #require(results[0]["properties"] as? Object)
        #expect(first["entity"] as? String == "Patient" && first["property"] as? String == "age")
        #expect(first["field"] as? String == "Age" && first["value"] as? String == "x")
        #expect(first["record"] as? Int == 55 && first["coreDataCode"] as? Int == 1550)
    }

    private func place(_ location: Object) -> (uri: String?, region: [String: Int]?) {
        let physical = location["physicalLocation"] as? Object
        return (
            (physical?["artifactLocation"] as? Object)?["uri"] as? String,
            (physical?["region"] as? Object)?.compactMapValues { $0 as? Int }
        )
    }

    @Test func placesAreURIsAndRegions() throws {
        let log = SARIFLog.json(of: diagnostics, count: 3, toolVersion: "1", exitCode: 65)
        let results = try #require(try run(of: try CommandJSON.text(log))["results"] as? [Object])
        let first = place(try #require((results[0]["locations"] as? [Object])?.first))
        #expect(first.uri == "in/my%20patients.csv")
        #expect(first.region == ["startLine": 57, "startColumn": 12, "byteOffset": 900])
        let second = place(try #require((results[1]["locations"] as? [Object])?.first))
        #expect(second.uri == "file:///data/%C3%BC.csv" && second.region == ["startLine": 3, "startColumn": 1])
        let related = place(try #require((results[1]["relatedLocations"] as? [Object])?.first))
        #expect(related.uri == "a.csv" && related.region == ["startLine": 2, "startColumn": 1])
        #expect((results[2]["locations"] as? [Object])?.isEmpty == true && results[0]["relatedLocations"] == nil)
    }

    @Test(arguments: [
        ("a.csv", "a.csv"), ("a:b.csv", "a%3Ab.csv"), ("<stdin>", "%3Cstdin%3E"), ("100%.csv", "100%25.csv"),
        ("../x/y-1_2~.csv", "../x/y-1_2~.csv"), ("/a b", "file:///a%20b"), ("", ""),
    ])
    func aPathIsAURIReference(_ path: String, _ uri: String) {
        #expect(SARIFLog.uri(path) == uri)
    }

    @Test func theDocumentGoesToStandardOutput() throws {
        var report = ImportReport()
        report.store = "/nowhere/S"
        report.isRefused = true
        report.diagnostics = diagnostics
        report.diagnosticCount = 100
        var options = ImportPrintingOptions()
        options.format = .sarif
        options.maxDiagnostics = 2
        let capture = CommandOutput.Capture()
        let code = try CommandOutput.$current.withValue(capture.output) {
            try ImportPrinting.writeDocument(report, options)
            return ImportPrinting.finish(report, options: options)
        }
        let run = try run(of: capture.standardOutput)
        #expect(code == 65 && (run["results"] as? [Object])?.count == 2)
        #expect((run["properties"] as? Object)?["diagnosticCount"] as? Int == 100)
        #expect(
            capture.standardError == "granary: error: nothing was imported; /nowhere/S was not created\n"
                + report.ledger + "\n")
    }

    @Test func whatGaveUpIsANotification() throws {
        var options = ImportPrintingOptions()
        options.format = .sarif
        let capture = CommandOutput.Capture()
        let error = GranaryError(.refused, "the model is wrong", diagnostics: [Diagnostic(.modelName, "bad name")])
        _ = CommandOutput.$current.withValue(capture.output) { ImportPrinting.fail(error, options: options) }
        let run = try run(of: capture.standardOutput)
        let invocation = try #require((run["invocations"] as? [Object])?.first)
        #expect(invocation["executionSuccessful"] as? Bool == false)
        let notes = try #require(invocation["toolExecutionNotifications"] as? [Object])
        #expect((notes.first?["message"] as? Object)?["text"] as? String == "the model is wrong")
        #expect((run["results"] as? [Object])?.count == 1)
    }

    @Test func aCommandWritesIt() async throws {
        let runs = try CommandRun()
        try runs.writeModel()
        _ = try runs.folder.write("key,name\nx,Cut\n", to: "bad.csv")
        let words = ["import", "@bad.csv", "--model", "@Model.json", "--store", "@New.sqlite", "--entity", "Injury"]
        let result = await runs.run(words + ["--diagnostics", "sarif"])
        #expect(result.code == 65)
        let results = try #require(try run(of: result.output)["results"] as? [Object])
        #expect(results.count == 1 && results.first?["ruleId"] as? String == "value.syntax")
        #expect(result.messages.split(separator: "\n").last?.hasPrefix("read 1 = ") == true)
        let both = await runs.run(words + ["--diagnostics", "sarif", "--report", "-"])
        #expect(both.code == 64 && both.output.isEmpty)
    }
}
