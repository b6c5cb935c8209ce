import Foundation
import GranaryBase

/// Runs `dot` of Graphviz, if it is installed.
enum GraphvizTool {
    /// The maximum time in seconds.
    private static let timeLimit = 120.0

    /// The SVG that `dot` makes of a diagram.
    ///
    /// - Throws: ``GranaryError``: `unreadable` if `dot` is not installed; `refused` if it fails or takes too long;
    ///   `interrupted`.
    static func svg(of text: String) throws -> String {
        #if os(macOS) || os(Linux)
            let folders = (ProcessInfo.processInfo.environment["PATH"] ?? "").split(separator: ":")
            guard
                let tool = folders.map({ "\($0)/dot" }).first(where: {
                    FileKind($0) == .file && FileManager.default.isExecutableFile(atPath: $0)
                })
            else {
                throw GranaryError(
                    .unreadable, "dot is not in PATH: install Graphviz, or leave --graphviz out")
            }
            let folder = FileManager.default.temporaryDirectory.appending(path: "granary-dot-\(UUID().uuidString)")
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: false)
            defer { try? FileManager.default.removeItem(at: folder) }
            let (input, output) = (folder.appending(path: "model.dot"), folder.appending(path: "model.svg"))
            try Data(text.utf8).write(to: input)
            let process = Process()
            process.executableURL = URL(filePath: tool)
            process.arguments = [
                "-Tsvg", "-o", output.path(percentEncoded: false), input.path(percentEncoded: false),
            ]
            process.standardError = FileHandle.nullDevice
            try process.run()
            try wait(for: process)
            guard process.terminationReason == .exit, process.terminationStatus == 0 else {
                throw GranaryError(.refused, "\(tool) ended with \(process.terminationStatus)")
            }
            return String(decoding: try Data(contentsOf: output), as: UTF8.self)
        #else
            throw GranaryError(.unreadable, "this platform cannot run dot")
        #endif
    }

    #if os(macOS) || os(Linux)
        private static func wait(for process: Process) throws {
            let start = ContinuousClock.now
            while process.isRunning {
                let isLate = ContinuousClock.now - start > .seconds(timeLimit)
                if isLate || Cancellation.current?.isCancelled == true {
                    process.terminate()
                    process.waitUntilExit()
                    try Cancellation.current?.check()
                    throw GranaryError(.refused, "dot did not end in \(Int(timeLimit)) seconds")
                }
                usleep(2_000)
            }
        }
    #endif
}
