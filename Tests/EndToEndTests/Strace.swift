import Foundation

/// Runs the binary with system calls that fail or end the process, by strace.
enum Strace {
    /// The calls that change names of files. strace counts the calls of each name by themselves.
    private static let renames = [
        "rename", "renameat", "renameat2", "link", "linkat", "unlink", "unlinkat", "rmdir",
    ]

    static let absence: String = "strace is not installed or may not trace"

    /// Whether strace can be used here.
    static let isPresent: Bool = {
        let process = Process()
        process.executableURL = URL(filePath: "/bin/sh")
        process.arguments = ["-c", "strace -f -q -o /dev/null -e trace=unlink true"]
        process.standardError = FileHandle.nullDevice
        process.standardOutput = FileHandle.nullDevice
        guard (try? process.run()) != nil else { return false }
        process.waitUntilExit()
        return process.terminationStatus == 0
    }()

    /// Runs the binary until the result of one call is injected.
    ///
    /// - Parameters:
    ///   - calls: the names of system calls, separated by commas.
    ///   - injection: such as `error=EIO` or `signal=KILL`.
    ///   - number: the number of the call, from 1.
    /// - Returns: nil if the process makes fewer calls.
    static func run(
        _ arguments: [String], in folder: URL, _ calls: String, _ injection: String, number: Int
    ) throws -> Granary? {
        let trace = folder.deletingLastPathComponent().appending(path: "trace-\(UUID().uuidString)").path
        defer { try? FileManager.default.removeItem(atPath: trace) }
        let script =
            "exec strace -f -q -o '\(trace)' -e trace=\(calls) -e inject=\(calls):\(injection):when=\(number) "
            + "\"$0\" \"$@\""
        let run = try Granary.run(arguments, in: folder, script: script)
        let text = try String(contentsOfFile: trace, encoding: .utf8)
        return text.contains("INJECTED") || text.contains("killed by SIGKILL") ? run : nil
    }

    /// Runs the binary, ended by SIGKILL at one change of a name, once for each change that it makes.
    ///
    /// - Parameters:
    ///   - before: makes the folder as it is before each run.
    ///   - after: is given the change at which a run ended, for messages.
    /// - Returns: how many runs were ended.
    static func kill(
        _ arguments: [String], in folder: URL, before: () throws -> Void, after: (String) throws -> Void
    ) throws -> Int {
        var count = 0
        for call in renames {
            for number in 1...100 {
                try before()
                guard try run(arguments, in: folder, call, "signal=KILL", number: number) != nil else { break }
                count += 1
                try after("killed at \(call) \(number)")
            }
        }
        return count
    }
}
