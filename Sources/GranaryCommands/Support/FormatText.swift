import GranaryFormats

/// Messages about files whose names tell no format.
enum FormatText {
    /// The names of the formats, for messages.
    static let all = DataFormat.allCases.map(\.rawValue).joined(separator: ", ")

    private static let spreadsheets = [".xlsx", ".xls", ".numbers", ".ods"]

    static func unknown(output: String) -> String {
        if output.hasSuffix("/") { return "which format have the files in \(output)? Pass --format: \(all)." }
        if spreadsheets.contains(where: output.lowercased().hasSuffix) {
            return
                "Granary writes no \(ending(of: output)) files; for Excel: --for excel-us --output \(stem(of: output)).csv."
        }
        return "cannot tell the format from '\(output)'; pass --format: \(all)."
    }

    static func unknown(input: String) -> String {
        if spreadsheets.contains(where: input.lowercased().hasSuffix) {
            return
                "Granary reads no \(ending(of: input)) files; save the sheet as CSV first (docs/import.md has a command)."
        }
        return "cannot tell the format from '\(input)'; pass --format: \(all)."
    }

    private static func ending(of name: String) -> String {
        "." + (name.split(separator: ".").last.map(String.init) ?? "")
    }

    private static func stem(of name: String) -> String { String(name.dropLast(ending(of: name).count)) }
}
