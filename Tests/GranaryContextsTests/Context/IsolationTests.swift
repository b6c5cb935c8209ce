import Foundation
import StoreTestSupport
import TestSupport
import Testing

/// What the compiler says to code that takes a context where it does not belong.
@Suite("Isolation, as the compiler sees it") struct IsolationTests {
    struct Program: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let code: String
        /// Part of the error; nil for a program that compiles.
        let refusal: String?
    }

    static let programs = [
        Program(
            testDescription: "a context is used where it was made",
            code: """
                func use(_ container: PersistentContainer) async throws {
                    let context = container.makeContext()
                    try context.insert(into: "Person")
                    try context.save()
                    let names = try await container.perform { try $0.fetchAll("Person").map { $0["name"] } }
                    print(names)
                }
                """, refusal: nil),
        Program(
            testDescription: "a context goes to another task, and its maker lets go of it",
            code: """
                func use(_ container: PersistentContainer) {
                    let context = container.makeContext()
                    Task.detached { try context.save() }
                }
                """, refusal: nil),
        Program(
            testDescription: "a context in two tasks",
            code: """
                func use(_ container: PersistentContainer) throws {
                    let context = container.makeContext()
                    Task.detached { try context.save() }
                    try context.save()
                }
                """, refusal: "risks causing data races"),
        Program(
            testDescription: "an object that leaves perform",
            code: """
                func use(_ container: PersistentContainer) async throws {
                    let person = try await container.perform { try $0.insert(into: "Person") }
                    print(person)
                }
                """, refusal: "Sendable"),
        Program(
            testDescription: "an object of one context inside another's perform",
            code: """
                func use(_ container: PersistentContainer) async throws {
                    let context = container.makeContext()
                    let person = try context.insert(into: "Person")
                    try await container.perform { _ in try person.setValue("Ann", forKey: "name") }
                }
                """, refusal: "Sendable"),
        Program(
            testDescription: "the view context off the main actor",
            code: """
                func use(_ container: PersistentContainer) throws {
                    try container.viewContext.save()
                }
                """, refusal: "main actor-isolated"),
        Program(
            testDescription: "a child whose parent goes elsewhere",
            code: """
                func use(_ container: PersistentContainer) throws {
                    let context = container.makeContext()
                    let child = context.makeChild()
                    Task.detached { try context.save() }
                    try child.save()
                }
                """, refusal: "risks causing data races"),
    ]

    @Test("One context, one place", .enabled(if: CompilerRun.isPossible), arguments: programs)
    func misuse(_ program: Program) throws {
        let output = try CompilerRun.errors(
            of: "import GranaryContexts\nimport GranaryCoordination\nimport GranaryCoreDataStore\n" + program.code)
        if let refusal = program.refusal {
            #expect(output.contains("error:") && output.contains(refusal), "\(output)")
        } else {
            #expect(!output.contains("error:"), "\(output)")
        }
    }
}

/// Compiles a file against the modules that this test was built with.
private enum CompilerRun {
    private static let modules = URL(filePath: CommandLine.arguments.first ?? "").resolvingSymlinksInPath()
        .deletingLastPathComponent().appending(path: "Modules")
    private static let sources = URL(filePath: #filePath).deletingLastPathComponent()
        .appending(path: "../../../Sources").standardized

    /// On macOS the test's process is another program, and the modules lie elsewhere.
    static var isPossible: Bool {
        FileManager.default.fileExists(atPath: modules.appending(path: "GranaryContexts.swiftmodule").path)
    }

    static func errors(of code: String) throws -> String {
        let folder = try TemporaryFolder()
        let file = folder.url.appending(path: "main.swift")
        try Data(code.utf8).write(to: file)
        let process = Process()
        process.executableURL = URL(filePath: "/usr/bin/env")
        // The modules of C headers.
        let yams = sources.deletingLastPathComponent()
            .appending(path: ".build/checkouts/Yams/Sources/CYaml/include/module.modulemap").path
        let own = try FileManager.default.contentsOfDirectory(atPath: sources.path)
            .map { sources.appending(path: $0).appending(path: "module.modulemap").path }
        let maps = (own + [yams])
            .filter { FileManager.default.fileExists(atPath: $0) }
            .flatMap { ["-Xcc", "-fmodule-map-file=\($0)"] }
        // Isolation is checked after types are.
        process.arguments =
            ["swiftc", "-swift-version", "6", "-parse-as-library", "-emit-sil", "-o", "/dev/null", "-I", modules.path]
            + maps + [file.path]
        let pipe = Pipe()
        process.standardError = pipe
        process.standardOutput = pipe
        try process.run()
        let output = try pipe.fileHandleForReading.readToEnd() ?? Data()
        process.waitUntilExit()
        return String(decoding: output, as: UTF8.self)
    }
}
