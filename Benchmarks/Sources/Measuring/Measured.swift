import Foundation

/// Time and, for another process, its peak memory.
package struct Measured: CustomStringConvertible {
    package var seconds: Double
    package var peakBytes: Int?

    package var description: String {
        let time = String(format: "%.2f s", seconds)
        guard let peakBytes else { return time }
        return time + String(format: ", peak %d MB", peakBytes / 1_000_000)
    }

    package func ratio(to other: Measured) -> String { String(format: "%.2f", seconds / other.seconds) }

    package static func time(_ body: () throws -> Void) rethrows -> Measured {
        let start = ContinuousClock.now
        try body()
        return Measured(seconds: (ContinuousClock.now - start) / .seconds(1))
    }

    package static func best(of count: Int, _ body: (Int) throws -> Measured) rethrows -> Measured {
        var best = try body(0)
        for run in 1..<max(2, count) {
            let next = try body(run)
            if next.seconds < best.seconds { best = next }
        }
        return best
    }

    /// Runs a command to its end.
    ///
    /// Linux counts the caller's own peak as the command's, which lives in the caller's memory until it is executed: ask
    /// before this process grows.
    ///
    /// - Parameter expected: the status that it should end with.
    package static func run(_ arguments: [String], expecting expected: Int32 = 0) throws -> Measured {
        var copies = arguments.map { strdup($0) } + [nil]
        defer { copies.forEach { free($0) } }
        var process = pid_t()
        var usage = rusage()
        var status: Int32 = 0
        let measured = try time {
            guard posix_spawn(&process, arguments[0], nil, nil, &copies, environ) == 0 else {
                throw CocoaError(.executableNotLoadable)
            }
            wait4(process, &status, 0, &usage)
        }
        // What wait4 tells has the exit code in its second byte, and a signal's number in its first.
        if status != expected << 8 {
            print("\(arguments[0]) ended with status \(status >> 8), signal \(status & 0x7F)")
        }
        #if os(Linux)
            let unit = 1024
        #else
            let unit = 1
        #endif
        return Measured(seconds: measured.seconds, peakBytes: usage.ru_maxrss * unit)
    }

    package static func find(_ name: String) -> String? {
        let path = ProcessInfo.processInfo.environment["PATH"] ?? ""
        return path.split(separator: ":").map { "\($0)/\(name)" }.first { access($0, X_OK) == 0 }
    }
}
