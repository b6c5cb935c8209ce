import Foundation
import Measuring

/// The lines of the tables, in Markdown.
enum Table {
    /// The table of times: those of all fetchers, then how many times as long the first took as each other.
    static var header: String {
        let titles = BenchmarkSuite.fetchers.map { $0.title }
        let columns = ["fetch", "rows"] + titles.map { "\($0), ms" } + titles.dropFirst().map { "\(titles[0])/\($0)" }
        return head(columns)
    }

    static var memoryHeader: String { head(["whole table, one process", "rows", "seconds", "peak MB"]) }

    /// - Parameter times: the seconds of each round, by the fetcher's index.
    static func add(_ title: String, _ rows: Int, times: [[Double]]) {
        guard let own = times.first else { return }
        let medians = times.map { milliseconds(Spread($0).median ?? 0) }
        let ratios = times.dropFirst().map { Spread(zip(own, $0).map { $0 / $1 }).description }
        add([title, "\(rows)"] + medians + ratios)
    }

    static func add(_ title: String, _ rows: Int, memory: Measured) {
        let peak = memory.peakBytes.map { "\($0 / 1_000_000)" } ?? ""
        add([title, "\(rows)", String(format: "%.2f", memory.seconds), peak])
    }

    private static func add(_ cells: [String]) {
        print(line(cells))
        fflush(nil)
    }

    private static func head(_ columns: [String]) -> String {
        line(columns) + "\n|" + String(repeating: "---|", count: columns.count)
    }

    private static func line(_ cells: [String]) -> String { "| " + cells.joined(separator: " | ") + " |" }

    private static func milliseconds(_ seconds: Double) -> String {
        String(format: seconds < 0.01 ? "%.3f" : "%.1f", seconds * 1000)
    }
}
