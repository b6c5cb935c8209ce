import Foundation
import GranaryBase
import GranaryCoordination
import GranaryCoreDataStore
import GranaryExport
import GranaryFormats
import GranaryModel
import TestSupport

/// What a store contains, read without a command: in a debug build the argument parser takes a quarter of a second for
/// each command line.
extension CommandRun {
    /// Objects as CSV.
    ///
    /// - Parameters:
    ///   - store: the name of the store, which contains its model.
    ///   - entity: nil for the only entity of the model.
    ///   - columns: the columns, with commas between them; empty for all.
    func csv(_ store: String, _ entity: String? = nil, _ columns: String = "", null: String? = nil) throws -> String {
        var warnings: [Diagnostic] = []
        let source = try SQLiteStore.openForReading(
            path: path(store), model: nil, busyTimeout: .zero, warnings: &warnings)
        source.leavesFiles = true
        var options = ExportOptions()
        options.entities = entity.map { [$0] } ?? []
        options.columns = columns.split(separator: ",").map(String.init)
        options.nullText = null
        let file = try TemporaryFolder()
        let output = file.url.appending(path: "rows.csv").path
        _ = try Exporter(options: options).run(source, to: .path(output, format: .csv, replacing: false))
        return try String(contentsOfFile: output, encoding: .utf8)
    }

    /// The lines of ``csv(_:_:_:null:)`` without the header.
    func rows(_ store: String, _ entity: String, _ columns: String = "") throws -> [String] {
        try csv(store, entity, columns).split(separator: "\n").dropFirst().map(String.init)
    }
}
