import Foundation
import TestSupport

/// A moment at which a process is killed.
struct CrashMoment {
    /// What it is counted from: 0 is the start of the process, others are the signs of ``CrashRun``.
    var mark: Int
    /// The part of the time from the mark to the end; nil is after the end.
    var part: Double?

    /// Moments of which some come before and some after all work, and as many are counted from each mark.
    static func series(count: Int, marks: Int, seed: UInt64) -> [CrashMoment] {
        var generator = SeededGenerator(seed: seed)
        var moments = [CrashMoment(mark: 0, part: 0)]
        for index in 0..<max(0, count - 2) {
            moments.append(CrashMoment(mark: index % marks, part: Double.random(in: 0..<1.1, using: &generator)))
        }
        return moments + [CrashMoment(mark: 0, part: nil)]
    }
}

/// A command that is run again and again, and killed at another moment each time.
struct CrashRun {
    let program: String
    let arguments: [String]
    /// What shows from outside how far it has come. Starting a process takes most of the time, and not always the same;
    /// counted from here a moment falls where it is meant to.
    let signs: [(RunningGranary) -> Bool]
    /// The status of a run that comes to its end.
    let endStatus: Int32
    /// Seconds from each mark to the end, in the last run that came to its end.
    private var times: [Double]

    init(
        program: String = "granary", arguments: [String], endStatus: Int32 = 0, signs: [(RunningGranary) -> Bool]
    ) {
        self.program = program
        self.arguments = arguments
        self.endStatus = endStatus
        self.signs = signs
        times = Array(repeating: 0, count: signs.count + 1)
    }

    /// How long a run may take, in seconds, before it is killed all the same.
    private static let longest = 60.0

    /// - Returns: how it ended: with ``endStatus``, or with `SIGKILL`.
    mutating func kill(at moment: CrashMoment) throws -> Granary {
        let start = ContinuousClock.now
        func elapsed() -> Double { (ContinuousClock.now - start) / .seconds(1) }
        let running = try Granary.start(arguments, program: program)
        var seen = [Double?](repeating: nil, count: signs.count + 1)
        seen[0] = 0
        while running.isRunning {
            let now = elapsed()
            for index in signs.indices where seen[index + 1] == nil && signs[index](running) { seen[index + 1] = now }
            if let part = moment.part, let mark = seen[moment.mark], now >= mark + part * times[moment.mark] { break }
            if now > Self.longest { break }
            Thread.sleep(forTimeInterval: 0.0002)
        }
        let end = elapsed()
        running.kill9()
        let result = try running.finish()
        if result.status == endStatus {
            for (index, mark) in seen.enumerated() {
                if let mark { times[index] = end - mark }
            }
        }
        return result
    }
}
