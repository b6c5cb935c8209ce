import GranaryBase
import GranaryCoordination
import GranaryExport
import GranaryFormats
import GranaryModel

/// The objects of a list as CSV or JSON: all pages of it, with its condition, order and columns.
enum DownloadAnswer {
    static func make(_ context: PageContext) throws -> BrowserResponse {
        let entity = try context.entity()
        let query = try ListQuery(context.address, entity: entity, of: context.store)
        var options = ExportOptions()
        options.predicate = query.predicate
        options.sortDescriptors = query.order
        options.columns = ["$id"] + query.columns.shown.map(\.name)
        let exporter = Exporter(options: options)
        // What is wrong is found before the first byte.
        try exporter.checkQuery(of: entity.name, in: context.schema)
        let (store, name) = (context.store, entity.name)
        switch context.address["format"] {
        case "csv":
            return answer("text/csv; charset=utf-8", name + ".csv") { output in
                var csv = CSVWriter.Options()
                csv.allowsBlankRows = true
                csv.nonFinite = .text
                try exporter.runQuery(store, entity: name, into: try CSVWriter(output, options: csv))
            }
        case "json":
            return answer("application/json", name + ".json") { output in
                var json = JSONWriter.Options()
                json.nonFinite = .text
                json.shape = .array
                try exporter.runQuery(store, entity: name, into: JSONWriter(output, options: json))
            }
        default: throw PageError(400, "The format of a download is csv or json.")
        }
    }

    private static func answer(
        _ type: String, _ file: String, _ write: @escaping (ByteOutput) throws -> Void
    ) -> BrowserResponse {
        var response = BrowserResponse(200, type: type, .stream { sink in try write(ByteOutput.sink(file, sink)) })
        response.add("Content-Disposition", FileNameHeader.attachment(file))
        return response
    }
}
