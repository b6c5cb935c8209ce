import Foundation

/// A running worker, as its parent sees it.
final class WorkerProcess {
    private let process = Process()
    private let output: FileHandle
    private let hasEnded = DispatchSemaphore(value: 0)
    private var buffer = Data()
    /// The offset of the next line in the buffer.
    private var start = 0
    /// The offset before which no line feed follows the start.
    private var searched = 0

    /// Starts a worker for `paths`.
    ///
    /// - Throws: `WorkerStartError` if the program cannot be started.
    init(executable: URL, paths: ArraySlice<String>, limits: ReadLimits) throws {
        Signals.ignoreBrokenPipes()
        let input = Pipe()
        let pipe = Pipe()
        process.executableURL = executable
        process.arguments = ToolOptions.arguments(forWorkerWith: limits)
        // The report of a crash would take a second, and nobody reads it.
        process.environment = ProcessInfo.processInfo.environment.merging(["SWIFT_BACKTRACE": "enable=no"]) { $1 }
        process.standardInput = input
        process.standardOutput = pipe
        process.standardError = FileHandle.nullDevice
        // `waitUntilExit` looks at the process every 50 ms, which is five times as long as a small file takes.
        process.terminationHandler = { [hasEnded] _ in hasEnded.signal() }
        output = pipe.fileHandleForReading
        do { try process.run() } catch {
            throw WorkerStartError(message: "cannot start \(executable.path) to read the files: \(error)")
        }
        // A worker that has ended already breaks the pipe; then it prints no lines, which the caller sees.
        try? input.fileHandleForWriting.write(contentsOf: Data(paths.joined(separator: "\0").utf8))
        try? input.fileHandleForWriting.close()
    }

    /// Returns the next line of the output without its line feed, or `nil` at its end. The rest of a line that the worker
    /// did not complete is dropped.
    func nextLine() throws -> Data? {
        while true {
            if let end = buffer[searched...].firstIndex(of: UInt8(ascii: "\n")) {
                let line = Data(buffer[start..<end])
                (start, searched) = (end + 1, end + 1)
                return line
            }
            // The rest moves only when lines before it were returned, and once for all of them. A line can be as long as 100
            // pieces, and a piece can have 1000 lines.
            if start > 0 { buffer = Data(buffer[start...]) }
            (start, searched) = (0, buffer.count)
            guard let piece = try output.read(upToCount: 1 << 20), !piece.isEmpty else { return nil }
            buffer.append(piece)
        }
    }

    /// Waits until the worker has ended, and returns how. Call it once.
    func wait() -> (Process.TerminationReason, Int32) {
        hasEnded.wait()
        return (process.terminationReason, process.terminationStatus)
    }
}
