import Foundation

/// A table in Markdown, printed line by line.
package struct MarkdownTable {
    private let columns: Int

    /// Prints the header.
    package init(_ titles: [String]) {
        columns = titles.count
        print("\n" + Self.line(titles) + "\n|" + String(repeating: "---|", count: titles.count))
        fflush(nil)
    }

    /// Prints a line; the cells that are missing are empty.
    package func add(_ cells: [String]) {
        let missing = max(0, columns - cells.count)
        print(Self.line(cells + [String](repeating: "", count: missing)))
        fflush(nil)
    }

    private static func line(_ cells: [String]) -> String { "| " + cells.joined(separator: " | ") + " |" }
}

extension Measured {
    /// Cells: the seconds, the seconds of the processors, and the peak in MB.
    package var cells: [String] {
        [
            String(format: "%.3f", seconds), cpuSeconds.map { String(format: "%.3f", $0) } ?? "",
            peakBytes.map { "\($0 / 1_000_000)" } ?? "",
        ]
    }
}
