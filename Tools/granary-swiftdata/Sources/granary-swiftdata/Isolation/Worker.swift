import Foundation

/// The process that reads files.
///
/// The parser of swift-syntax is recursive, and its limit of nesting does not cover all code: 100,000 times `[` overflows
/// a stack of 512 MB, `"\(` takes 20 GB, and `precedencegroup` takes time that grows with the square of the length. So a
/// second process reads the files, with limits, and the first reports the file at which it ends.
enum Worker {
    /// Reads the files whose paths are on standard input, and prints the JSON of each in one line.
    static func run(limits: ReadLimits) throws {
        ResourceLimit.set(limits)
        let paths = try StandardStreams.readPaths()
        let encoder = FileEncoder()
        for path in paths {
            // The signal SIGALRM ends the process.
            alarm(UInt32(clamping: limits.seconds))
            var line = try encoder.encode(SourceFileReader(limits: limits).read(path: path))
            alarm(0)
            line.append(UInt8(ascii: "\n"))
            try StandardStreams.write(line)
        }
    }

    /// Returns why the worker read no further.
    static func message(reason: Process.TerminationReason, status: Int32, limits: ReadLimits) -> String {
        guard reason == .uncaughtSignal else {
            return "is not read, because the process that reads it failed with code \(status)"
        }
        if status == SIGALRM {
            return "takes longer than \(limits.seconds) s to parse and is not read; see --max-seconds"
        }
        return "is not read, because the parser failed (signal \(status)): the code nests too deep, or needs more than "
            + "\(limits.memoryMegabytes) MB of memory; see --max-memory"
    }
}
