import GranaryBase
import GranaryFormats

/// Writes records as a table for people: aligned columns, numbers to the right, one line for each record.
///
/// The first rows determine the widths of the columns; the rows after them are written at once, so memory does not grow
/// with their number. Control characters are escaped.
final class TableWriter: ValueWriter {
    struct Options {
        /// The text for NULL. An empty text is an empty cell.
        var null = "NULL"
        var dates = DateStyle.iso8601
        var binary = BinaryStyle.base64
        /// The form of dates, fractions and Booleans.
        var form = TextForm()
        /// Counts dates that are not exact; nil if such a date is an error.
        var rounded: RoundedDates?
        /// The width of the terminal; nil for a file or a pipe, where only long lists are cut.
        var width: Int?
    }

    /// The number of rows that determine the layout.
    static let sampleRows = 200
    /// Longer rows determine the layout earlier, so that memory is bounded.
    private static let sampleBytes = 1 << 20
    private static let bufferBytes = 1 << 16

    private let options: Options
    private var texts: ValueTexts?
    private var entity = ""
    private let print: (String) throws(GranaryError) -> Void
    private var names: [String] = []
    private var row: [TableLayout.Cell] = []
    private var sample: [[TableLayout.Cell]] = []
    private var sampledBytes = 0
    /// Nil while the sample is incomplete.
    private var layout: TableLayout?
    private var text = ""
    private var list: List?

    /// The cell of a list that is being written.
    private struct List {
        let column: Int
        var text = ""
        var length = 0
        /// Whether elements were left out.
        var isCut = false
    }

    /// Longer lists are cut, also without a terminal: a table is for people.
    static let listLength = 10_000

    /// - Parameter print: receives the lines, many at a time.
    init(options: Options, print: @escaping (String) throws(GranaryError) -> Void) {
        self.options = options
        self.print = print
    }

    func beginTable(entity: String, columns: [String]) throws(GranaryError) {
        texts = try ValueTexts(options.form, rounded: options.rounded)
        self.entity = entity
        names = columns.map { VisibleText.escaped($0) }
    }

    func beginRow() throws(GranaryError) {
        row = Array(repeating: TableLayout.Cell(text: options.null, kind: .null), count: names.count)
    }

    func write(_ value: BorrowedValue, column: Int) throws(GranaryError) {
        let kind: TableLayout.Cell.Kind =
            switch value {
            case .null: .null
            case .integer, .float, .double, .decimal: .number
            case .boolean, .date, .text, .uri, .uuid, .binary: .other
            }
        try set(TableLayout.Cell(text: try text(of: value, column: column), kind: kind), column)
    }

    func beginList(column: Int) throws(GranaryError) { list = List(column: column) }

    func writeElement(_ value: BorrowedValue) throws(GranaryError) {
        guard let column = list?.column, let isCut = list?.isCut else { throw misuse() }
        guard !isCut else { return }
        let element = try text(of: value, column: column)
        // In place: a copy for each element would take quadratic time.
        if list?.text.isEmpty == false { list?.text.append(";") }
        list?.text.append(element)
        list?.length += element.count + 1
        guard let length = list?.length, length > Self.listLength + 1 else { return }
        list?.isCut = true
    }

    func endList() throws(GranaryError) {
        guard let current = list else { throw misuse() }
        list = nil
        let text = current.isCut ? String(current.text.prefix(Self.listLength)) + "…" : current.text
        try set(TableLayout.Cell(text: text, kind: .other), current.column)
    }

    func endRow() throws(GranaryError) {
        if let layout { return try append(layout.line(row.map(\.text))) }
        sample.append(row)
        sampledBytes += row.reduce(0) { $0 + $1.text.utf8.count }
        if sample.count >= Self.sampleRows || sampledBytes >= Self.sampleBytes { try beginLines() }
    }

    func endTable() throws(GranaryError) { if layout == nil { try beginLines() } }

    func finish(model: [UInt8]?) throws(GranaryError) {
        guard !text.isEmpty else { return }
        try print(text)
        text = ""
    }

    /// Determines the layout, and writes the header and the sample.
    private func beginLines() throws(GranaryError) {
        let layout = TableLayout(names: names, rows: sample, width: options.width)
        self.layout = layout
        try append(layout.line(names) + layout.rule)
        for row in sample { try append(layout.line(row.map(\.text))) }
        sample = []
    }

    private func append(_ line: String) throws(GranaryError) {
        text += line
        guard text.utf8.count >= Self.bufferBytes else { return }
        try print(text)
        text = ""
    }

    private func set(_ cell: TableLayout.Cell, _ column: Int) throws(GranaryError) {
        guard row.indices.contains(column) else { throw misuse() }
        row[column] = cell
    }

    // MARK: - Cells

    /// The number of bytes of a value that can be visible; a character can have many bytes.
    private var byteLimit: Int? {
        guard let width = options.width else { return nil }
        return min(width, 100_000) * 16 + 64
    }

    private func text(of value: BorrowedValue, column: Int) throws(GranaryError) -> String {
        var bytes: [UInt8] = []
        var isCut = false
        switch value {
        case .null: return options.null
        case .text(let all), .uri(let all):
            let part = all.prefix(byteLimit ?? all.count)
            isCut = part.count < all.count
            bytes.append(contentsOf: part)
        case .binary(let all):
            let part = UnsafeBufferPointer(rebasing: all.prefix(byteLimit ?? all.count))
            isCut = part.count < all.count
            try ValueText.append(.binary(part), dates: options.dates, binary: options.binary, to: &bytes)
        default:
            let changed = try texts?.append(
                value, to: &bytes, entity: entity, property: names.indices.contains(column) ? names[column] : "")
            if changed != nil { break }
            try ValueText.append(
                value, dates: options.dates, binary: options.binary, nonFinite: .text, to: &bytes)
        }
        return VisibleText.escaped(String(decoding: bytes, as: UTF8.self)) + (isCut ? "…" : "")
    }

    private func misuse() -> GranaryError {
        GranaryError(.internalDefect, "the calls that write a table do not nest")
    }
}
