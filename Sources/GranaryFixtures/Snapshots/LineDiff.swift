/// The difference between two texts, line by line.
enum LineDiff {
    /// The lines around a change that are printed with it.
    private static let context = 2
    /// The largest table of the comparison, in cells of 4 bytes. Larger differences are printed as one replacement.
    private static let maximumCells = 1_000_000

    private enum Step {
        /// A line of both texts, by its index in the first one.
        case same(Int)
        case removed(Int)
        case added(Int)

        var isChange: Bool { if case .same = self { false } else { true } }
    }

    /// Splits at line feeds. A carriage return at the end of a line is dropped: Git may have added it.
    static func lines(_ text: String) -> [String] {
        var lines = text.utf8.split(separator: 0x0A, omittingEmptySubsequences: false).map { line in
            String(decoding: line.last == 0x0D ? line.dropLast() : line, as: UTF8.self)
        }
        if lines.last?.isEmpty == true { lines.removeLast() }
        return lines
    }

    /// Whether two lines have the same bytes. `==` also finds texts equal that Unicode normalises to the same text.
    static func isSame(_ first: String, _ second: String) -> Bool {
        // Most lines differ, which `==` finds out more quickly.
        first == second && first.utf8.elementsEqual(second.utf8)
    }

    /// Returns the changed lines with `-` and `+` and the lines around them; at most `limit` lines and a note.
    ///
    /// - Complexity: at most ``maximumCells`` steps in addition to the number of lines.
    static func text(from old: [String], to new: [String], limit: Int = 50) -> String {
        let steps = steps(old, new)
        var shown = Set<Int>()
        for (place, step) in steps.enumerated() where step.isChange {
            shown.formUnion(max(0, place - context)...min(steps.count - 1, place + context))
            // The rest is only counted.
            if shown.count > limit * 2 { break }
        }
        var output: [String] = []
        var previous = -1
        for place in shown.sorted() {
            if place != previous + 1 || output.isEmpty { output.append(heading(steps, place, old)) }
            previous = place
            switch steps[place] {
            case .same(let line): output.append(" " + old[line])
            case .removed(let line): output.append("-" + old[line])
            case .added(let line): output.append("+" + new[line])
            }
        }
        guard output.count > limit else { return output.joined(separator: "\n") }
        let changes = steps.count { $0.isChange }
        return (output.prefix(limit) + ["… (\(changes) changed lines)"]).joined(separator: "\n")
    }

    /// `@@ line 7: Patient/p1 @@`: the line in the first text, and the object whose lines follow.
    private static func heading(_ steps: [Step], _ place: Int, _ old: [String]) -> String {
        var line = 0
        for step in steps[..<place].reversed() {
            switch step {
            case .same(let index), .removed(let index): line = index + 1
            case .added: continue
            }
            break
        }
        // Titles of objects are not indented.
        let title = old[..<line].last { !$0.isEmpty && !$0.hasPrefix(" ") }
        let isInside = line < old.count && old[line].hasPrefix(" ")
        return "@@ line \(line + 1)\(isInside ? title.map { ": \($0)" } ?? "" : "") @@"
    }

    private static func steps(_ old: [String], _ new: [String]) -> [Step] {
        var start = 0
        while start < old.count, start < new.count, isSame(old[start], new[start]) { start += 1 }
        var end = 0
        while end < old.count - start, end < new.count - start,
            isSame(old[old.count - 1 - end], new[new.count - 1 - end])
        {
            end += 1
        }
        let middle = changes(old, start..<old.count - end, new, start..<new.count - end)
        return (0..<start).map(Step.same) + middle + (old.count - end..<old.count).map(Step.same)
    }

    /// The steps of a longest common subsequence.
    private static func changes(
        _ old: [String], _ oldRange: Range<Int>, _ new: [String], _ newRange: Range<Int>
    ) -> [Step] {
        let (rows, columns) = (oldRange.count, newRange.count)
        let (cells, overflow) = (rows + 1).multipliedReportingOverflow(by: columns + 1)
        guard !overflow, cells <= maximumCells else {
            return oldRange.map(Step.removed) + newRange.map(Step.added)
        }
        // The length of the longest common subsequence of the lines from `row` and from `column` on.
        var lengths = [Int32](repeating: 0, count: cells)
        let width = columns + 1
        for row in stride(from: rows - 1, through: 0, by: -1) {
            for column in stride(from: columns - 1, through: 0, by: -1) {
                lengths[row * width + column] =
                    isSame(old[oldRange.lowerBound + row], new[newRange.lowerBound + column])
                    ? lengths[(row + 1) * width + column + 1] + 1
                    : max(lengths[(row + 1) * width + column], lengths[row * width + column + 1])
            }
        }
        var steps: [Step] = []
        var (row, column) = (0, 0)
        while row < rows || column < columns {
            let (oldLine, newLine) = (oldRange.lowerBound + row, newRange.lowerBound + column)
            if row < rows, column < columns, isSame(old[oldLine], new[newLine]) {
                steps.append(.same(oldLine))
                row += 1
                column += 1
            } else if column == columns
                || row < rows && lengths[(row + 1) * width + column] >= lengths[row * width + column + 1]
            {
                steps.append(.removed(oldLine))
                row += 1
            } else {
                steps.append(.added(newLine))
                column += 1
            }
        }
        return steps
    }
}
