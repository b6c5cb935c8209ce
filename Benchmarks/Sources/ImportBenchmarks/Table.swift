import Foundation
import Measuring

/// The lines of the table, in Markdown.
enum Table {
    static let header = """
        | import | rows | seconds | rows/s | MB/s | peak MB | times as fast as sqlite3 .import | times as fast as the C loop | \
        times as long as without |
        |---|---|---|---|---|---|---|---|---|
        """

    /// Whether BENCH_CASES names a measurement, or nothing.
    static func isAsked(_ name: String) -> Bool {
        guard let words = ProcessInfo.processInfo.environment["BENCH_CASES"], !words.isEmpty else { return true }
        return words.split(separator: ",").contains { name.contains($0) }
    }

    static func add(
        _ name: String, _ rows: Int, _ bytes: Int, _ measured: Measured, _ ratios: [Double], _ floors: [Double],
        _ factors: [Double]
    ) {
        let cells = [
            name, "\(rows)", text(measured.seconds, 3), "\(Int(Double(rows) / measured.seconds))",
            text(Double(bytes) / 1e6 / measured.seconds, 1), measured.peakBytes.map { "\($0 / 1_000_000)" } ?? "",
            spread(ratios), spread(floors), spread(factors),
        ]
        print("| " + cells.joined(separator: " | ") + " |")
        fflush(nil)
    }

    private static func text(_ number: Double, _ digits: Int) -> String { String(format: "%.\(digits)f", number) }

    /// The median, and between which values it is.
    private static func spread(_ values: [Double]) -> String {
        guard let least = values.min(), let most = values.max() else { return "" }
        let median = values.sorted()[values.count / 2]
        return values.count == 1 ? text(median, 2) : "\(text(median, 2)) (\(text(least, 2)) to \(text(most, 2)))"
    }
}
