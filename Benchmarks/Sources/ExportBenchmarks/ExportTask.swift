/// The columns of a table in one format, by all who export them.
struct ExportTask {
    /// Property and column, in the order of the output.
    typealias Columns = [(property: String, column: String)]

    let title: String
    /// `csv`, `json` or `ndjson`.
    let format: String
    let store: String
    let entity: String
    let columns: Columns
    /// What follows FROM.
    let tables: String
    /// Granary's other options.
    var options: [String] = []
    /// Whether the programs in Python export it too.
    var hasPythonRivals = true
    /// Whether the shell also exports it with dates and Booleans as Granary writes them.
    var hasTextRival = false

    /// - Parameter expression: what stands for a column.
    func sql(_ expression: (String) -> String = { $0 }) -> String {
        let list = columns.map { "\(expression($0.column)) AS \"\($0.property)\"" }
        return "SELECT \(list.joined(separator: ", ")) FROM \(tables)"
    }

    /// Dates and Booleans as text.
    var textSQL: String {
        sql { column in
            switch column {
            case "ZDAY": "strftime('%Y-%m-%dT%H:%M:%SZ', ZDAY + 978307200, 'unixepoch')"
            case "ZFLAG": "CASE ZFLAG WHEN 1 THEN 'true' WHEN 0 THEN 'false' END"
            default: column
            }
        }
    }

    /// DuckDB takes the column's declared type for a point in time.
    var duckDBSQL: String { sql { $0 == "ZDAY" ? "epoch(ZDAY)" : $0 } }

    static let all: [ExportTask] = [
        row("CSV, 8 columns", "csv", hasTextRival: true),
        row("CSV, 8 columns, --dates seconds", "csv", options: ["--dates", "seconds"], hasPythonRivals: false),
        row("JSON, 8 columns", "json"),
        row("JSON Lines, 8 columns", "ndjson"),
        item("CSV, --reference key, one to-one", "csv"),
        item("JSON, --reference key, one to-one", "json"),
    ]

    private static func row(
        _ title: String, _ format: String, options: [String] = [], hasPythonRivals: Bool = true,
        hasTextRival: Bool = false
    ) -> ExportTask {
        let names = ["number", "small", "price", "flag", "day", "email", "name", "note"]
        return ExportTask(
            title: title, format: format, store: ExportStores.rowStore, entity: "Row",
            columns: names.map { (property: $0, column: "Z\($0.uppercased())") }, tables: "ZROW", options: options,
            hasPythonRivals: hasPythonRivals, hasTextRival: hasTextRival)
    }

    private static func item(_ title: String, _ format: String) -> ExportTask {
        let names = ["code", "number", "amount", "isActive", "name", "city", "street", "remark"]
        var columns: Columns = names.map { (property: $0, column: "i.Z\($0.uppercased())") }
        columns.append((property: "category", column: "c.ZNAME"))
        return ExportTask(
            title: title, format: format, store: ExportStores.itemStore, entity: "Item", columns: columns,
            tables: "ZITEM i LEFT JOIN ZCATEGORY c ON c.Z_PK = i.ZCATEGORY", options: ["--reference", "key"],
            hasPythonRivals: false)
    }
}
