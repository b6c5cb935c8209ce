import Foundation
import Measuring

/// The lines of the table, in Markdown.
enum Table {
    static let header = """
        | import | rows | seconds | rows/s | MB/s | peak MB | times as fast as sqlite3 .import | times as fast as the C loop | \
        times as long as without |
        |---|---|---|---|---|---|---|---|---|
        """

    static func add(
        _ name: String, _ rows: Int, _ bytes: Int, _ measured: Measured, _ ratios: [Double], _ floors: [Double],
        _ factors: [Double]
    ) {
        let cells = [
            name, "\(rows)", text(measured.seconds, 3), "\(Int(Double(rows) / measured.seconds))",
            text(Double(bytes) / 1e6 / measured.seconds, 1), measured.peakBytes.map { "\($0 / 1_000_000)" } ?? "",
            Spread(ratios).description, Spread(floors).description, Spread(factors).description,
        ]
        print("| " + cells.joined(separator: " | ") + " |")
        fflush(nil)
    }

    private static func text(_ number: Double, _ digits: Int) -> String { String(format: "%.\(digits)f", number) }
}
