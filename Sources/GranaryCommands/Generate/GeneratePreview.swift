import GranaryBase
import GranaryCoordination
import GranaryExport
import GranaryFormats
import GranaryGeneration
import GranaryModel

/// Prints the first objects that a generation would add.
struct GeneratePreview {
    let request: GenerationRequest
    /// The number of objects of each entity.
    let rows: Int
    let format: ReportFormat

    /// - Parameter target: the store to which the objects would be added; nil for a new one.
    func run(schema: Schema, addedTo target: (any StoreBackend)?) throws {
        let preview = GenerationPreview(request, rows: rows)
        let (store, counts) =
            try target.map { try preview.run(addedTo: $0, cancellation: Cancellation.current) }
            ?? preview.run(schema: schema, cancellation: Cancellation.current)
        var options = ExportOptions()
        // The objects to which references lead need not be among the first ones.
        options.reference = .id
        options.identifiers = .always
        options.entities = counts.map(\.name)
        options.cancellation = Cancellation.current
        let exporter = Exporter(options: options)
        switch format {
        case .json:
            var text: [UInt8] = []
            let output = ByteOutput.sink("<stdout>") { (bytes) throws(GranaryError) in text.append(contentsOf: bytes) }
            var json = JSONWriter.Options()
            json.shape = .document
            json.nonFinite = .text
            try exporter.run(store, into: PreviewDocument(JSONWriter(output, options: json)))
            try CommandOutput.write(String(decoding: text, as: UTF8.self))
        case .text: try exporter.run(store, into: PreviewTables(counts, rows: rows))
        }
        let total = counts.reduce(0) { $0 + $1.count }
        CommandOutput.log("granary: a preview of \(CountText.count(total, "object")): nothing was stored")
    }
}
