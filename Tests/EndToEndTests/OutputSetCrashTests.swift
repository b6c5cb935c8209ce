import Foundation
import TestSupport
import Testing

/// Commands that replace files and folders: after an error the old output or the new one is complete.
@Suite(.enabled(if: Strace.isPresent, "\(Strace.absence)")) struct OutputSetCrashTests {
    private let folder: TemporaryFolder
    private let base: URL
    private let place: URL

    init() throws {
        folder = try TemporaryFolder()
        base = folder.url.appending(path: "base")
        place = folder.url.appending(path: "place")
        try FileManager.default.createDirectory(at: base, withIntermediateDirectories: false)
        try FileManager.default.copyItem(
            at: Samples.url("Triage/Triage.xcdatamodeld"), to: base.appending(path: "Triage.xcdatamodeld"))
        for (name, count) in [("Old", 5), ("New", 8)] {
            let words = ["generate", "--model", "Triage.xcdatamodeld", "--store", "\(name).sqlite"]
            try run(words + ["--count", "Patient=\(count)"])
        }
    }

    private func run(_ arguments: [String]) throws {
        let run = try Granary.run(arguments, in: base)
        try #require(run.status == 0, "\(arguments): \(run.errors)")
    }

    private struct Output {
        /// Writes the old output.
        let before: [String]
        /// Replaces it.
        let command: [String]
        /// The beginning of the names of the output.
        let prefix: String
    }

    private static let outputs: [Output] = [
        Output(
            before: ["export", "--store", "Old.sqlite", "--output", "out.json"],
            command: ["export", "--store", "New.sqlite", "--output", "out.json", "--force"], prefix: "out"),
        Output(
            before: ["export", "--store", "Old.sqlite", "--output", "out/", "--format", "csv"],
            command: ["export", "--store", "New.sqlite", "--output", "out/", "--format", "csv", "--force"],
            prefix: "out"),
        Output(
            before: [
                "export", "--store", "Old.sqlite", "--entity", "Patient", "--output", "out.csv", "--spreadsheet",
                "--blobs", "files",
            ],
            command: [
                "export", "--store", "New.sqlite", "--entity", "Patient", "--output", "out.csv", "--spreadsheet",
                "--blobs", "files", "--force",
            ], prefix: "out"),
        Output(
            before: ["model", "convert", "Triage.xcdatamodeld", "--output", "out.json"],
            command: ["model", "convert", "New.sqlite", "--output", "out.json", "--force"], prefix: "out"),
        Output(
            before: ["model", "convert", "Triage.xcdatamodeld", "--output", "out.momd"],
            command: ["model", "convert", "Triage.xcdatamodeld", "--output", "out.momd", "--force"], prefix: "out"),
        Output(
            before: ["model", "code", "Triage.xcdatamodeld", "--output", "out"],
            command: ["model", "code", "Triage.xcdatamodeld", "--output", "out", "--access", "public"], prefix: "out"),
    ]

    /// The output's files with their contents.
    private func state(_ output: Output) throws -> [String: Data] {
        var files: [String: Data] = [:]
        let names = try FileManager.default.subpathsOfDirectory(atPath: place.path)
        for name in names where name.hasPrefix(output.prefix) {
            files[name] = try? Data(contentsOf: place.appending(path: name))
        }
        return files
    }

    private func reset() throws {
        if FileManager.default.fileExists(atPath: place.path) { try FileManager.default.removeItem(at: place) }
        try FileManager.default.copyItem(at: base, to: place)
    }

    @Test(
        "An error of each call leaves the old output or the new one, and nothing beside it", arguments: outputs.indices,
        [
            ("rename", "error=EIO"), ("renameat2", "error=EIO"), ("fsync", "error=EIO"), ("write", "error=ENOSPC"),
        ])
    func errors(index: Int, injection: (String, String)) throws {
        let output = Self.outputs[index]
        try run(output.before)
        try reset()
        let before = try state(output)
        #expect(!before.isEmpty)
        let whole = try Granary.run(output.command, in: place)
        #expect(whole.status == 0, "\(whole.errors)")
        let after = try state(output)
        for number in 1...100 {
            try reset()
            guard
                let run = try Strace.run(
                    output.command, in: place, injection.0, injection.1, number: number)
            else { break }
            let found = try state(output)
            #expect(
                found == after || run.status != 0 && found == before,
                "\(output.command) \(injection) \(number): \(run.status) \(run.errors) \(found.keys.sorted())")
        }
    }

    @Test("The next run removes what a killed one has left", arguments: outputs.indices)
    func killed(index: Int) throws {
        let output = Self.outputs[index]
        try run(output.before)
        try reset()
        #expect(try Granary.run(output.command, in: place).status == 0)
        let after = try state(output)
        let count = try Strace.kill(output.command, in: place, before: reset) { what in
            let next = try Granary.run(output.command, in: place)
            #expect(next.status == 0, "\(output.command) \(what): \(next.errors)")
            let found = try state(output)
            #expect(found == after, "\(output.command) \(what): \(found.keys.sorted())")
            let names = try FileManager.default.subpathsOfDirectory(atPath: place.path)
            #expect(names.filter { $0.contains(".partial") } == [], "\(output.command) \(what)")
        }
        #expect(count > 0)
    }

    @Test("A run that is killed between the renames of its rejects files does not block the next run")
    func rejects() throws {
        func importing(_ name: String) -> [String] {
            [
                "import", name, "--entity", "Injury", "--store", "New.sqlite", "--mode", "keep-good", "--rejects",
                "bad.csv", "--on-conflict", "update",
            ]
        }
        func write(_ text: String, _ name: String) throws { try Data(text.utf8).write(to: base.appending(path: name)) }
        try write("key,name\n70,Burn\nx,Cut\n", "first.csv")
        try write("key,name\n71,Bite\ny,Graze\nz,Sting\n", "second.csv")
        for hasOld in [false, true] {
            if hasOld { #expect(try Granary.run(importing("first.csv"), in: base).status == 1) }
            var isBetween = false
            _ = try Strace.kill(importing("second.csv"), in: place, before: reset) { what in
                let rejects = try? String(contentsOf: place.appending(path: "bad.csv"), encoding: .utf8)
                let reasons = try? String(contentsOf: place.appending(path: "bad.csv.reasons.jsonl"), encoding: .utf8)
                if rejects?.contains("Sting") == true, reasons?.contains("second.csv") != true { isBetween = true }
                let next = try Granary.run(importing("second.csv"), in: place)
                #expect(next.status == 1, "\(what): \(next.errors)")
                #expect(
                    try String(contentsOf: place.appending(path: "bad.csv"), encoding: .utf8)
                        == "key,name\ny,Graze\nz,Sting\n", "\(what)")
                let names = try FileManager.default.subpathsOfDirectory(atPath: place.path)
                #expect(names.filter { $0.contains(".partial") } == [], "\(what)")
            }
            #expect(isBetween)
        }
    }
}
