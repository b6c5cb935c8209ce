import Foundation
import GranaryModel
import TestSupport
import Testing

@testable import GranaryCommands

/// Names of the command line: mistyped ones, completion, help.
struct CommandLineTests {
    private let run: CommandRun

    init() throws { run = try CommandRun() }

    @Test(
        "A mistyped name gets a message with the nearest name",
        arguments: [
            (
                ["import", "a.csv", "--on-conflct=update", "--store", "S"],
                "unknown option --on-conflct; did you mean \"--on-conflict\"?"
            ),
            (["store", "chek", "S"], "unknown subcommand \"chek\"; did you mean \"check\"?"),
        ])
    func mistyped(_ words: [String], _ message: String) async throws {
        let result = await run.run(words)
        #expect(result.code == 64)
        #expect(result.lines.first?.hasPrefix("granary: error: \(message)") == true, "\(result.messages)")
    }

    @Test("A command line without mistakes is parsed by its command, any other by the root")
    func named() {
        #expect(NamedCommand(["store", "check", "S"]).parsed() is StoreCheckCommand)
        for words in [["store"], ["store", "check"], ["store", "check", "S", "--help"], ["nix"], []] {
            #expect(NamedCommand(words).parsed() == nil, "\(words)")
        }
    }

    @Test(
        "Help wraps paragraphs once, and examples not at all",
        arguments: [
            ["import"],
            ["model", "show"],
        ])
    func help(_ words: [String]) async {
        let result = await run.run(words + ["--help"])
        let text = result.output
        let lines = text.prefix(upTo: text.range(of: "USAGE:")?.lowerBound ?? text.endIndex).split(
            separator: "\n", omittingEmptySubsequences: false)
        #expect(lines.allSatisfy { $0.count <= 80 }, "\(text)")
        // After a line that was wrapped twice comes a word that would have fitted on it.
        for (line, next) in zip(lines, lines.dropFirst())
        where !line.isEmpty && !line.hasPrefix(" ") && !line.hasSuffix(":") {
            guard let word = next.split(separator: " ").first, !next.hasPrefix(" "), !next.isEmpty else { continue }
            #expect(line.count + 1 + word.count > 79, "\(line)|\(next)")
        }
        for line in lines where line.hasPrefix("  granary ") { #expect(!line.hasSuffix(" "), "\(line)") }
    }

    private func write(_ name: String, _ body: String) throws {
        let folder = run.folder.url.appending(path: name)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        let xml = """
            <?xml version="1.0" encoding="UTF-8" standalone="yes"?>
            <model type="com.apple.IDECoreDataModeler.DataModel" documentVersion="1.0">\(body)</model>
            """
        try Data(xml.utf8).write(to: folder.appending(path: "contents"))
    }

    @Test("Unknown attributes and elements of a model are warnings in every command")
    func unknownInXML() async throws {
        try write(
            "M.xcdatamodel",
            #"<entity name="E" colour="red"><attribute name="a" optional="YES" attributeType="String"/><thing/></entity>"#
        )
        _ = try run.folder.write("a\nx\n", to: "E.csv")
        for words in [
            ["model", "check", "@M.xcdatamodel"], ["model", "show", "@M.xcdatamodel"],
            ["model", "hash", "@M.xcdatamodel"],
            ["store", "create", "--model", "@M.xcdatamodel", "--store", "@A.sqlite"],
            ["import", "@E.csv", "--model", "@M.xcdatamodel", "--store", "@B.sqlite"],
            ["export", "--model", "@M.xcdatamodel", "--store", "@B.sqlite", "--output", "@out.json"],
        ] {
            let result = await run.run(words)
            #expect(result.code <= 1, "\(result.messages)")
            #expect(
                result.messages.contains("warning: E: the attribute \"colour\" of <entity> is not known"),
                "\(words): \(result.messages)")
            #expect(result.messages.contains("<thing>"), "\(words): \(result.messages)")
        }
    }

    @Test("An unknown key of a JSON model is an error, with the nearest known one")
    func unknownInJSON() async throws {
        try run.writeModel()
        for (key, other) in [
            ("\"isOptional\"", "\"isOptinal\""), ("\"entities\"", "\"entites\""),
            ("\"uniquenessConstraints\"", "\"uniqueConstraints\""),
        ] {
            let text = try run.text("Model.json").replacing(key, with: other)
            _ = try run.folder.write(text, to: "Bad.json")
            let result = await run.run("model", "check", "@Bad.json")
            #expect(result.code == 65 || result.code == 1, "\(result.messages)")
            #expect(
                result.messages.contains("\(other) is not known") && result.messages.contains("did you mean \(key)"),
                "\(result.messages)")
        }
    }

    @Test("If no version is current, the message lists the versions and asks for one")
    func versions() async throws {
        for name in ["App", "App 2"] {
            try write(
                "M.xcdatamodeld/\(name).xcdatamodel",
                #"<entity name="E"><attribute name="a" optional="YES" attributeType="String"/></entity>"#)
        }
        let refused = await run.run("model", "show", "@M.xcdatamodeld")
        #expect(
            refused.code == 65 && refused.messages.contains("App.xcdatamodel, App 2.xcdatamodel"), "\(refused.messages)"
        )
        #expect(refused.messages.contains("name one of"))
        #expect(await run.run("model", "show", "@M.xcdatamodeld/App.xcdatamodel").code == 0)
    }

    @Test("A folder that is no model is refused")
    func noModel() async throws {
        try FileManager.default.createDirectory(atPath: run.path("folder"), withIntermediateDirectories: false)
        try run.writeModel(to: "folder/Model.json")
        let refused = await run.run("model", "show", "@folder")
        #expect(refused.code == 65 && refused.messages.contains("without a model"), "\(refused.messages)")
    }
}

struct CommandLineLongTests {
    @Test(
        "Help wraps paragraphs once, and examples not at all",
        arguments: [
            [],
            ["seed"],
            ["export"],
            ["query"],
            ["model", "convert"],
            ["store", "create"],
            ["store", "revert"],
        ])
    func help(_ words: [String]) async throws {
        try await CommandLineTests().help(words)
    }

    @Test(
        "A mistyped name gets a message with the nearest name",
        arguments: [
            (
                ["import", "a.csv", "--on-conflct", "update", "--store", "S"],
                "unknown option --on-conflct; did you mean \"--on-conflict\"?"
            ),
            (["export", "--store", "S", "--outptu", "x.csv"], "unknown option --outptu; did you mean \"--output\"?"),
            (["seed", "p.yaml", "--dryrun"], "unknown option --dryrun; did you mean \"--dry-run\"?"),
            (["model", "sohw", "M"], "unknown subcommand \"sohw\"; did you mean \"show\"?"),
            (["imprt", "a.csv"], "unknown subcommand \"imprt\"; did you mean \"import\"?"),
            (["import", "a.csv", "--store", "S", "--frobnicate"], "unknown option --frobnicate"),
        ])
    func mistyped(_ words: [String], _ message: String) async throws {
        try await CommandLineTests().mistyped(words, message)
    }
}
