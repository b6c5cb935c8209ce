import GranaryBase
import GranaryFormats
import GranaryModel
import GranaryRecords
import GranarySeedPlans

/// What is in an SQLite database, and the commands or the seed plan that import its tables.
struct DatabaseAdvice {
    private let path: String
    private let tables: [DatabaseFile.Contents]
    private let models: [String]
    private let store: String
    private let schema: Schema?
    private let entity: String?

    /// - Throws: ``GranaryError`` with code `unreadable` or `interrupted`.
    init(
        _ path: String, models: [String], schema: Schema?, store: String, entity: String?
    ) throws(GranaryError) {
        self.path = path
        self.models = models
        self.schema = schema
        self.store = store
        self.entity = entity
        tables = try DatabaseFile.contents(of: path)
    }

    private var isStore: Bool {
        Set(tables.map(\.name)).isSuperset(of: ["Z_METADATA", "Z_PRIMARYKEY"])
    }

    /// The entity of a table's rows: that of the model with the nearest name.
    private func entity(of table: String) -> String {
        if let entity, tables.count == 1 { return entity }
        guard let schema, schema.entity(named: table) == nil else { return table }
        return NearestText.nearest(to: table, in: schema.entities.map(\.name)) ?? table
    }

    private var commands: [String] {
        if isStore { return [OptionHelp.all(["granary store info", OptionHelp.quoted(file)])].compactMap { $0 } }
        return tables.compactMap { table in
            let modelText = models.isEmpty ? ["MODEL"] : models
            return OptionHelp.all(
                ["granary import", OptionHelp.quoted(file), OptionHelp.option("table", table.name)]
                    + modelText.map { OptionHelp.option("model", $0) }
                    + [OptionHelp.option("store", store), OptionHelp.option("entity", entity(of: table.name))])
        }
    }

    private var file: String { path.hasPrefix("-") ? "./" + path : path }

    var text: String {
        var lines = ["format:    SQLite database  (the first bytes)"]
        if isStore { lines.append("           It is a store of Core Data: its rows are objects.") }
        for (index, table) in tables.enumerated() {
            let rows = table.rows.map { CountText.count($0, "row") } ?? "rows that cannot be read"
            let names = table.columns.prefix(8).joined(separator: ", ") + (table.columns.count > 8 ? ", …" : "")
            lines.append(
                (index == 0 ? "tables:    " : "           ")
                    + VisibleText.escaped("\(table.name)  (\(rows); \(names))"))
        }
        if tables.isEmpty { lines.append("tables:    none") }
        lines.append("")
        lines += commands
        if !isStore, models.isEmpty { lines.append(ImportAdvice.modelAdvice(path)) }
        return lines.joined(separator: "\n") + "\n"
    }

    var plan: String {
        var lines =
            ["# The tables of \(VisibleText.escaped(path))"] + ImportAdvice.planHeader(models: models, store: store)
        for table in tables {
            lines.append("  - entity: " + PlanText.quoted(entity(of: table.name)))
            lines.append("    file: " + PlanText.quoted(path))
            lines.append("    table: " + PlanText.quoted(table.name))
        }
        if models.isEmpty { lines.append(ImportAdvice.planModelAdvice) }
        return lines.joined(separator: "\n") + "\n"
    }

    var json: JSONObject {
        [
            "file": path, "format": "sqlite", "store": isStore,
            "tables": tables.map { table -> JSONObject in
                JSONObject(present: ["name": table.name, "rows": table.rows, "columns": table.columns])
            },
            "commands": commands, "plan": plan,
        ]
    }
}
