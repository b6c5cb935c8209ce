/// The lines of a box and where they are in it, in pixels from its upper left corner.
struct BoxShape {
    static let header = 28.0
    static let rowHeight = 18.0
    static let noteHeight = 15.0
    static let padding = 10.0
    static let noteSize = 10.5
    private static let nameLimit = 40
    private static let detailLimit = 48

    struct Line {
        let name: String
        let detail: String
        let note: String?
        /// The middle of the line with the name.
        let middle: Double
    }

    let title: String
    let note: String?
    let lines: [Line]
    let width: Double
    let height: Double

    init(_ box: Diagram.Box) {
        title = TextWidth.cut(box.name, to: Self.nameLimit)
        note = box.note.map { TextWidth.cut($0, to: Self.nameLimit + Self.detailLimit) }
        var y = Self.header + (note == nil ? 0 : Self.noteHeight)
        var width = max(
            TextWidth.of(title, size: 13) * 1.1 + (box.isAbstract ? 70 : 0),
            TextWidth.of(note ?? "", size: Self.noteSize))
        var lines: [Line] = []
        for row in box.rows {
            let line = Line(
                name: TextWidth.cut(row.name, to: Self.nameLimit),
                detail: TextWidth.cut(row.detail, to: Self.detailLimit),
                note: row.note.map { TextWidth.cut($0, to: Self.nameLimit + Self.detailLimit) },
                middle: y + Self.rowHeight / 2)
            width = max(
                width, TextWidth.of(line.name) + 20 + TextWidth.of(line.detail),
                14 + TextWidth.of(line.note ?? "", size: Self.noteSize))
            y += Self.rowHeight + (line.note == nil ? 0 : Self.noteHeight)
            lines.append(line)
        }
        self.lines = lines
        self.width = width + 2 * Self.padding
        height = y + 6
    }

    /// Where a link begins: at the middle of its row, or of the title.
    func port(_ row: Int?) -> Double {
        guard let row, lines.indices.contains(row) else { return Self.header / 2 }
        return lines[row].middle
    }
}
