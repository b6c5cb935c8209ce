import Foundation
import Measuring

/// How DuckDB gets at the rows.
enum DuckDB {
    /// Its extension for SQLite reads the store.
    case store
    /// The extension is not there: a table of its own holds the rows.
    case table(database: String)
    case missing

    /// Fills the table if it is needed; not measured.
    init(_ folder: Workplace) throws {
        guard let python = Measured.find("python3") else {
            self = .missing
            return
        }
        let database = "own.duckdb"
        let command = [
            python, Workplace.script("rivals.py"), "fill", folder.path(ExportStores.rowStore),
            folder.path(ExportStores.rowFile), folder.path(database),
        ]
        guard try Measured.run(command, output: folder.log) != nil else {
            self = .missing
            return
        }
        let isFilled = FileManager.default.fileExists(atPath: folder.path(database))
        self = isFilled ? .table(database: database) : .store
    }

    func contestant(_ task: ExportTask, in folder: Workplace) -> Contestant {
        let package = "duckdb-extension-sqlite-scanner"
        return switch self {
        case .store:
            .python(
                "DuckDB, reads the store", "duckdb-store", package: package, from: task.store, task.duckDBSQL, task,
                in: folder)
        case .table(let database):
            .python(
                "DuckDB, from a table of its own", "duckdb-table", package: package, from: database, task.sql(), task,
                in: folder)
        case .missing:
            Contestant(title: "DuckDB", remedy: "pip install \(package)", output: nil) { nil }
        }
    }
}
