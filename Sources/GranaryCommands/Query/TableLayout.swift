import GranaryBase

/// The widths and the alignment of a table's columns.
struct TableLayout {
    /// A cell without control characters.
    struct Cell {
        var text: String
        /// Whether it is a number, or NULL.
        var kind: Kind

        enum Kind { case number, null, other }

        var width: Int { TextWidth.columns(of: text) }
    }

    private static let gap = "  "
    /// Columns are not made narrower than this; a table with too many columns is wider than the terminal.
    private static let smallest = 4
    /// Without a terminal, a wider cell does not widen its column.
    private static let widest = 100

    private let widths: [Int]
    private let isNumber: [Bool]
    /// Whether longer cells are cut.
    private let cuts: Bool

    /// Determines the layout from the names of the columns and from rows.
    ///
    /// - Parameter width: the width of the terminal; nil for a file or a pipe, where nothing is cut.
    init(names: [String], rows: [[Cell]], width: Int?) {
        var widths = names.map { TextWidth.columns(of: $0) }
        var hasNumber = [Bool](repeating: false, count: names.count)
        var hasOther = hasNumber
        for row in rows {
            for (index, cell) in row.enumerated() where index < names.count {
                widths[index] = max(widths[index], cell.width)
                hasNumber[index] = hasNumber[index] || cell.kind == .number
                hasOther[index] = hasOther[index] || cell.kind == .other
            }
        }
        isNumber = zip(hasNumber, hasOther).map { $0 && !$1 }
        cuts = width != nil
        if let width {
            self.widths = Self.fitted(widths, isNumber, into: width)
        } else {
            self.widths = widths.map { min($0, Self.widest) }
        }
    }

    /// Makes the widest columns narrower until the row fits. Numbers are cut only if text alone does not suffice.
    private static func fitted(_ widths: [Int], _ isNumber: [Bool], into width: Int) -> [Int] {
        let room = width - gap.count * max(widths.count - 1, 0)
        var result = widths
        for group in [widths.indices.filter { !isNumber[$0] }, Array(widths.indices)] {
            guard result.reduce(0, +) > room else { break }
            shrink(&result, group, room)
        }
        return result
    }

    private static func shrink(_ widths: inout [Int], _ group: [Int], _ room: Int) {
        let total = widths.reduce(0, +)
        let left = room - (total - group.reduce(0) { $0 + widths[$1] })
        func sum(_ limit: Int) -> Int { group.reduce(0) { $0 + min(widths[$1], limit) } }
        var limit = smallest
        var upper = max(group.map { widths[$0] }.max() ?? 0, smallest)
        while limit < upper {
            let middle = (limit + upper + 1) / 2
            if sum(middle) <= left { limit = middle } else { upper = middle - 1 }
        }
        var spare = max(left - sum(limit), 0)
        for index in group where widths[index] > limit {
            widths[index] = limit + (spare > 0 ? 1 : 0)
            spare -= 1
        }
    }

    /// The line below the header.
    var rule: String { widths.map { String(repeating: "-", count: $0) }.joined(separator: Self.gap) + "\n" }

    /// A line of the table, without trailing spaces.
    func line(_ cells: [String]) -> String {
        var line = ""
        for (index, cell) in cells.enumerated() where index < widths.count {
            let text = cuts ? ColumnText.cut(cell, to: widths[index]) : cell
            let padding = String(repeating: " ", count: max(widths[index] - TextWidth.columns(of: text), 0))
            if index > 0 { line += Self.gap }
            line += isNumber[index] ? padding + text : text + padding
        }
        while line.last == " " { line.removeLast() }
        return line + "\n"
    }
}
