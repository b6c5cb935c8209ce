import Foundation
import Measuring

/// The times as lines of text: those of all contestants, then how many times as long the first took as each other.
struct Table {
    let titles: [String]
    let times: [BenchmarkSuite.Discipline: [Measured]]

    var lines: [String] {
        let rivals = titles.dropFirst().map { "\(titles[0])/\($0)" }
        let head = Self.left("task", 32) + (titles + rivals).map { Self.right($0, 14) }.joined()
        return [head] + BenchmarkSuite.Discipline.allCases.compactMap(line)
    }

    private func line(_ discipline: BenchmarkSuite.Discipline) -> String? {
        guard let times = times[discipline], let own = times.first else { return nil }
        let cells = times.map { String(format: "%.3f s", $0.seconds) } + times.dropFirst().map { own.ratio(to: $0) }
        return Self.left(discipline.title, 32) + cells.map { Self.right($0, 14) }.joined()
    }

    private static func left(_ text: String, _ width: Int) -> String { text + gap(text, width) }
    private static func right(_ text: String, _ width: Int) -> String { gap(text, width) + text }

    private static func gap(_ text: String, _ width: Int) -> String {
        String(repeating: " ", count: max(1, width - text.count))
    }
}
