import Foundation
import TestSupport
import Testing

/// A store of the sample Triage, and a `granary browse` that serves it.
final class ServedStore {
    let folder: TemporaryFolder
    let running: RunningGranary
    /// The printed address.
    let address: String
    let port: Int

    /// Whether `make browse` has put the server beside `granary`.
    static var isBuilt: Bool { Granary.path(of: "granary-browse") != nil }

    var base: String { "http://127.0.0.1:\(port)" }
    /// The path of the store.
    var store: String { folder.url.appending(path: "Seed.sqlite").path }
    /// The file with the cookie, after ``enter()``.
    private var jar: String { folder.url.appending(path: "jar").path }

    init(_ options: [String] = []) throws {
        folder = try Self.seeded()
        running = try Granary.start(["browse", folder.url.appending(path: "Seed.sqlite").path] + options)
        let start = ContinuousClock.now
        while !running.hasPrinted("\n"), running.isRunning, ContinuousClock.now - start < .seconds(20) {
            usleep(10_000)
        }
        address = try #require(running.printed.split(separator: "\n").first.map(String.init))
        port = try #require(URL(string: address)?.port)
    }

    /// A folder with the store `Seed.sqlite`.
    static func seeded() throws -> TemporaryFolder {
        let folder = try TemporaryFolder()
        let seeded = try Granary.run(
            ["seed", Samples.url("Triage/seed.yaml").path, "--set", "STORE=\(folder.url.path)/Seed.sqlite"])
        try #require(seeded.status == 0, "\(seeded.errors)")
        return folder
    }

    /// Opens the printed address, and returns the answer.
    func enter() throws -> String { try curl(["--include", "--cookie-jar", jar, address]) }

    /// The answer to a request with the cookie, with its headers.
    func get(_ target: String, _ options: [String] = ["--include"]) throws -> String {
        try curl(options + ["--cookie", jar, base + target])
    }

    /// Runs curl.
    func curl(_ arguments: [String]) throws -> String {
        try Self.run(["curl", "--silent", "--max-time", "20"] + arguments).output
    }

    /// Runs a program of the system.
    static func run(_ words: [String], input: String = "") throws -> (status: Int32, output: String, errors: String) {
        let scratch = try TemporaryFolder()
        let output = try scratch.write("", to: "out")
        let errors = try scratch.write("", to: "err")
        let process = Process()
        process.executableURL = URL(filePath: "/usr/bin/env")
        process.arguments = words
        process.standardInput = try FileHandle(forReadingFrom: scratch.write(input, to: "in"))
        process.standardOutput = try FileHandle(forWritingTo: output)
        process.standardError = try FileHandle(forWritingTo: errors)
        try process.run()
        process.waitUntilExit()
        return (
            process.terminationStatus, String(decoding: try Data(contentsOf: output), as: UTF8.self),
            String(decoding: try Data(contentsOf: errors), as: UTF8.self)
        )
    }

    /// Whether a program is in `PATH`.
    static func has(_ program: String) -> Bool {
        (ProcessInfo.processInfo.environment["PATH"] ?? "").split(separator: ":").contains {
            FileManager.default.isExecutableFile(atPath: "\($0)/\(program)")
        }
    }
}
