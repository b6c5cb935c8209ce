import Foundation
import GranarySQLite
import TestSupport
import Testing

/// `granary import` into a store of two injuries and two patients: Ann, who is 44 and has a fracture, and Bob.
struct ImportBench {
    let runs: CommandRun
    /// Always the same name: it is in what is printed.
    static let store = "Seed.sqlite"

    init() throws {
        runs = try CommandRun()
        try runs.writeStore()
    }

    /// Imports one CSV file, `in.csv`.
    func run(_ csv: String, _ entity: String, _ options: [String] = []) async throws -> CommandRun.Result {
        _ = try runs.folder.write(csv, to: "in.csv")
        return await run(["@in.csv", "--entity", entity] + options)
    }

    func run(_ arguments: [String]) async -> CommandRun.Result {
        await runs.run(["import", "--model", "@Model.json", "--store", "@" + Self.store] + arguments)
    }

    static func ledger(
        _ read: Int, created: Int = 0, updated: Int = 0, unchanged: Int = 0, skipped: Int = 0, rejected: Int = 0
    ) -> String {
        "read \(read) = created \(created) + updated \(updated) + unchanged \(unchanged) + skipped \(skipped) + "
            + "rejected \(rejected)"
    }

    /// The objects of an entity, as CSV without its header.
    func rows(_ entity: String, _ columns: String, in store: String = Self.store) throws -> [String] {
        try runs.rows(store, entity, columns)
    }

    var patients: [String] {
        get throws { try rows("Patient", "name,age,injury") }
    }

    var injuries: [String] {
        get throws { try rows("Injury", "key,name") }
    }

    func bytes(_ name: String = Self.store) throws -> Data {
        try Data(contentsOf: runs.folder.url.appending(path: name))
    }

    /// The files beside the model and the input.
    var files: [String] {
        get throws { try runs.names.filter { $0 != "Model.json" && $0 != "in.csv" } }
    }

    /// The report of the last run with `--report @report.json`.
    var report: [String: Any] {
        get throws {
            let json = try JSONSerialization.jsonObject(with: Data(runs.text("report.json").utf8))
            return try #require(json as? [String: Any])
        }
    }

    /// Every row of every table, the store's own among them, as text.
    func dump(_ name: String = Self.store) throws -> [String] {
        let connection = try Connection(path: runs.path(name), mode: .readOnly)
        var lines: [String] = []
        for table in try connection.tables() {
            let statement = try connection.prepare("SELECT * FROM \(SQL.quoteIdentifier(table))")
            while try statement.step() {
                var line = table
                for index in 0..<statement.columnCount { line += "|" + (try Self.cell(index, of: statement)) }
                lines.append(line)
            }
        }
        try connection.close()
        return lines.sorted()
    }

    private static func cell(_ index: Int, of statement: Statement) throws -> String {
        switch statement.type(at: index) {
        case .null: return "NULL"
        case .integer: return "\(statement.integer(at: index))"
        case .real: return "\(statement.double(at: index))"
        case .text: return try statement.string(at: index) ?? ""
        case .blob: return Data(try statement.blob(at: index)).base64EncodedString()
        }
    }

    /// What one statement gives as text.
    func text(_ sql: String, in name: String = Self.store) throws -> String? {
        let connection = try Connection(path: runs.path(name), mode: .readOnly)
        let text = try connection.text(sql)
        try connection.close()
        return text
    }
}
