import Foundation

/// Time and, for another process, its peak memory and the time of the processors.
package struct Measured: CustomStringConvertible {
    package var seconds: Double
    package var peakBytes: Int?
    /// The seconds of all processors, in the process and in the system for it.
    package var cpuSeconds: Double?

    package init(seconds: Double, peakBytes: Int? = nil, cpuSeconds: Double? = nil) {
        self.seconds = seconds
        self.peakBytes = peakBytes
        self.cpuSeconds = cpuSeconds
    }

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

    /// The run in the middle, by time.
    package static func median(_ runs: [Measured]) -> Measured {
        let sorted = runs.sorted { $0.seconds < $1.seconds }
        return sorted.isEmpty ? Measured(seconds: 0) : sorted[sorted.count / 2]
    }

    package static func median(of count: Int, _ body: () throws -> Measured) rethrows -> Measured {
        median(try (0..<count).map { _ in try body() })
    }

    /// Runs a command to its end; nil where it ends with status 69: what it needs is not installed.
    package static func ifThere(_ arguments: [String]) throws -> Measured? {
        let (measured, status) = try execute(arguments)
        return status == 69 << 8 ? nil : measured
    }

    /// Runs a command to its end.
    ///
    /// Linux counts the caller's own peak as the command's, which lives in the caller's memory until it is executed: ask
    /// before this process grows.
    ///
    /// - Parameter expected: the status that it should end with.
    package static func run(_ arguments: [String], expecting expected: Int32 = 0) throws -> Measured {
        let (measured, status) = try execute(arguments)
        // What wait4 tells has the exit code in its second byte, and a signal's number in its first.
        if status != expected << 8 {
            print("\(arguments[0]) ended with status \(status >> 8), signal \(status & 0x7F)")
        }
        return measured
    }

    static func execute(_ arguments: [String]) throws -> (Measured, status: Int32) {
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
        #if os(Linux)
            let unit = 1024
        #else
            let unit = 1
        #endif
        let cpuSeconds = Self.seconds(usage.ru_utime) + Self.seconds(usage.ru_stime)
        return (
            Measured(seconds: measured.seconds, peakBytes: usage.ru_maxrss * unit, cpuSeconds: cpuSeconds), status
        )
    }

    private static func seconds(_ time: timeval) -> Double { Double(time.tv_sec) + Double(time.tv_usec) / 1e6 }

    package static func find(_ name: String) -> String? {
        let path = ProcessInfo.processInfo.environment["PATH"] ?? ""
        return path.split(separator: ":").map { "\($0)/\(name)" }.first { access($0, X_OK) == 0 }
    }
}
