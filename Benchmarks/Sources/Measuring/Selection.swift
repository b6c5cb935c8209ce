import Foundation

/// What the environment asks a benchmark to measure.
package enum Selection {
    /// How often each case is measured: `BENCH_RUNS`.
    package static var runs: Int {
        max(1, ProcessInfo.processInfo.environment["BENCH_RUNS"].flatMap(Int.init) ?? 3)
    }

    /// Whether a case has one of the words of `BENCH_CASES`, separated by commas, in its name, or there are no words.
    package static func includes(_ name: String) -> Bool {
        guard let words = ProcessInfo.processInfo.environment["BENCH_CASES"], !words.isEmpty else { return true }
        return words.split(separator: ",").contains { name.contains($0) }
    }
}
