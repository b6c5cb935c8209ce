import Foundation
import TestSupport

/// The built binary while it runs.
final class RunningGranary {
    private let process = Process()
    private let scratch: TemporaryFolder

    init(_ executable: URL, _ arguments: [String], input: String?, in folder: URL?) throws {
        scratch = try TemporaryFolder()
        // Files rather than pipes: however much is printed, nobody waits for a reader.
        let output = try scratch.write("", to: "out")
        let errors = try scratch.write("", to: "err")
        process.executableURL = executable
        process.arguments = arguments
        if let folder { process.currentDirectoryURL = folder }
        process.standardOutput = try FileHandle(forWritingTo: output)
        process.standardError = try FileHandle(forWritingTo: errors)
        process.standardInput = try FileHandle(forReadingFrom: scratch.write(input ?? "", to: "in"))
        try process.run()
    }

    deinit { kill9() }

    var isRunning: Bool { process.isRunning }

    /// Whether it has printed a text by now.
    func hasPrinted(_ wanted: String) -> Bool { (try? text(of: "out"))?.contains(wanted) ?? false }

    /// What it has printed to standard output by now.
    var printed: String { (try? text(of: "out")) ?? "" }

    /// Ends it at once; it gets no chance to put anything right.
    func kill9() {
        if process.isRunning { kill(process.processIdentifier, SIGKILL) }
    }

    /// Sends it a signal, as a terminal or the system does.
    func send(_ signal: Int32) {
        if process.isRunning { kill(process.processIdentifier, signal) }
    }

    /// Waits for its end. The status of a process that a signal has ended is the signal's number.
    func finish() throws -> Granary {
        process.waitUntilExit()
        return Granary(
            status: process.terminationStatus, output: try text(of: "out"), errors: try text(of: "err"))
    }

    private func text(of name: String) throws -> String {
        String(decoding: try Data(contentsOf: scratch.url.appending(path: name)), as: UTF8.self)
    }
}
