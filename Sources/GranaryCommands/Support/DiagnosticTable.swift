import GranaryBase
import GranaryFormats

/// Diagnostics as CSV for a spreadsheet, one row for each.
enum DiagnosticTable {
    static let columns = [
        "file", "line", "column", "record", "severity", "entity", "property", "field", "rule", "value", "message",
        "help",
    ]

    /// - Throws: ``GranaryError`` with code `internalDefect`.
    static func text(of diagnostics: some Sequence<Diagnostic>) throws(GranaryError) -> String {
        var options = CSVWriter.Options()
        // Values come from files of others, and the table is opened in a spreadsheet.
        options.escapesFormulas = true
        let output = ByteOutput.memory()
        let writer = try CSVWriter(output, options: options)
        try writer.beginTable(entity: "Diagnostic", columns: columns)
        for diagnostic in diagnostics {
            try writer.beginRow()
            let place = diagnostic.position
            let numbers = [place?.line, place?.column, place?.record]
            let texts = [
                diagnostic.severity.rawValue, diagnostic.entity, diagnostic.property, diagnostic.field,
                diagnostic.code.rawValue, diagnostic.value, diagnostic.message, diagnostic.help,
            ]
            try write(place?.file, 0, writer)
            for (index, number) in numbers.enumerated() {
                if let number { try writer.write(.integer(Int64(number)), column: 1 + index) }
            }
            for (index, text) in texts.enumerated() { try write(text, 1 + numbers.count + index, writer) }
            try writer.endRow()
        }
        try writer.endTable()
        try writer.finish(model: nil)
        return String(decoding: output.buffer, as: UTF8.self)
    }

    private static func write(_ text: String?, _ column: Int, _ writer: CSVWriter) throws(GranaryError) {
        guard let text else { return }
        try Array(text.utf8).withUnsafeBufferPointer { (bytes) throws(GranaryError) in
            try writer.write(.text(bytes), column: column)
        }
    }
}
