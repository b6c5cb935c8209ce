import GranaryBase

/// Columns of text, each as wide as its widest cell, up to a limit.
struct TextTable {
    private var rows: [[String]] = []
    /// A wider cell does not widen its column, so that one long name does not pad every row.
    private static let widestColumn = 100
    /// The start of every line.
    let indent: String

    init(indent: String = "") { self.indent = indent }

    mutating func add(_ cells: String...) { rows.append(cells.map { VisibleText.escaped($0) }) }

    /// The lines, without trailing spaces.
    var text: String {
        var widths: [Int] = []
        for row in rows {
            for (index, cell) in row.enumerated() {
                if index == widths.count { widths.append(0) }
                widths[index] = max(widths[index], min(cell.count, Self.widestColumn))
            }
        }
        var text = ""
        for row in rows {
            var line = indent
            for (cell, width) in zip(row, widths) {
                line += cell + String(repeating: " ", count: max(width - cell.count, 0) + 2)
            }
            while line.last == " " { line.removeLast() }
            text += line + "\n"
        }
        return text
    }
}
