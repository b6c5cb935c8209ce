import Foundation
import GranaryBase
import GranaryModel
import TestSupport
import Testing

/// Text from files, models and the command line cannot control the terminal.
struct EscapingTests {
    @Test(arguments: [
        ("plain", "plain"), ("Grün 🏥", "Grün 🏥"), ("a\u{1B}[31m", "a\\u{1B}[31m"), ("a\u{7}", "a\\u{07}"),
        ("a\r\nb\tc", "a\\r\\nb\\tc"), ("\u{9B}31m", "\\u{009B}31m"), ("\u{202E}cod", "\\u{202E}cod"),
        ("\u{2066}x\u{2069}", "\\u{2066}x\\u{2069}"), ("\u{2028}", "\\u{2028}"), ("\u{7F}", "\\u{7F}"),
        ("a\u{200B}b", "a\\u{200B}b"), ("\u{FEFF}", "\\u{FEFF}"),
        ("\u{AD}\u{2060}\u{180E}", "\\u{00AD}\\u{2060}\\u{180E}"),
        ("\u{200C}\u{200D}x", "\\u{200C}\\u{200D}x"), ("1\u{FE0F}", "1\\u{FE0F}"),
        ("\u{E0041}", "\\u{000E0041}"),
        ("\u{3164}", "\\u{3164}"), ("\u{FFF9}", "\\u{FFF9}"), ("é\u{301}", "é\u{301}"),
        ("1\u{FE0F}\u{20E3}", "1\u{FE0F}\u{20E3}"),
        ("👨\u{200D}👩\u{200D}👧 ❤\u{FE0F}", "👨\u{200D}👩\u{200D}👧 ❤\u{FE0F}"), ("👍🏽", "👍🏽"), ("\u{A0}", "\u{A0}"),
    ])
    func escapes(_ text: String, _ shown: String) {
        #expect(VisibleText.escaped(text).lowercased() == shown.lowercased())
        #expect(Diagnostic.shortened(text).lowercased() == shown.lowercased())
    }

    static let evil = "x\u{1B}]0;t\u{7}\nread 9 = created 9\r\u{9B}2J\u{202E}"

    private func check(_ result: CommandRun.Result, _ place: String) {
        let shown = result.messages + result.output
        #expect(result.code != 0, "\(place)")
        #expect(
            !shown.unicodeScalars.contains { $0 != "\n" && $0.properties.generalCategory == .control },
            "\(place): \(shown)")
        #expect(!shown.unicodeScalars.contains("\u{202E}"), "\(place)")
        #expect(!result.lines.contains { $0.hasPrefix("read 9") }, "\(place): \(shown)")
    }

    @Test func commandLine() async throws {
        let run = try CommandRun()
        try run.writeStore()
        let evil = Self.evil
        check(
            await run.run("import", "@\(evil).csv", "--model", "@Model.json", "--store", "@S", "--entity", "Injury"),
            "file")
        try await checkOptions(of: run, [("--entity", evil), ("--map", "\(evil)=name"), ("--\(evil)", "x")])
        check(
            await run.run("export", "--store", "@Seed.sqlite", "--entity", evil, "--output", "-", "--format", "csv"),
            "entity")
        check(await run.run("model", "show", "@\(evil)"), "model")
        check(await run.run("store", "info", "@\(evil)"), "store")
        check(await run.run("seed", "@\(evil)"), "plan")
        check(await run.run(evil), "command")
    }

    /// Imports a file with each of some options.
    private func checkOptions(of run: CommandRun, _ options: [(option: String, value: String)]) async throws {
        _ = try run.folder.write("name\n\(Self.evil)\n", to: "a.csv")
        for (option, value) in options {
            check(
                await run.run(
                    "import", "@a.csv", "--model", "@Model.json", "--store", "@S", "--entity", "Injury", option, value),
                option)
        }
    }

    /// Checks the options that ``commandLine()`` leaves out.
    func checkOtherOptions() async throws {
        let run = try CommandRun()
        try run.writeStore()
        let evil = Self.evil
        try await checkOptions(
            of: run,
            [
                ("--ignore", evil), ("--key", evil), ("--lookup", "\(evil)=x"), ("--date-format", evil),
                ("--on-conflict", evil), ("--time-zone", evil), (evil, "x"),
            ])
    }

    @Test func namesOfFilesAndValues() async throws {
        let run = try CommandRun()
        try run.writeStore()
        let name = Self.evil.replacing("\n", with: "")
        _ = try run.folder.write(
            "key,name,\(name)\n1,\(name)\(String(repeating: "y", count: 30)),2\n", to: "\(name).csv")
        check(
            await run.run(
                "import", "@\(name).csv", "--model", "@Model.json", "--store", "@Seed.sqlite", "--entity", "Injury"),
            "header")
        check(
            await run.run(
                "import", "@\(name).csv", "--model", "@Model.json", "--store", "@Seed.sqlite", "--entity", "Injury",
                "--ignore", name), "value")
    }

    @Test func namesOfModels() async throws {
        let run = try CommandRun()
        let evil = "E\u{1B}[2J\u{202E}"
        let model = ManagedObjectModel(entities: [EntityDescription(evil, [.attribute("a\u{7}", .string)])])
        try run.writeModel(model)
        check(await run.run("model", "check", "@Model.json"), "check")
    }
}

struct EscapingLongTests {
    @Test func otherOptions() async throws { try await EscapingTests().checkOtherOptions() }
}
