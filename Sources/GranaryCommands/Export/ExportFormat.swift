import ArgumentParser

/// The formats that `export` writes.
enum ExportFormat: String, ExpressibleByArgument, CaseIterable {
    case csv, tsv, terms, json, ndjson, plist

    /// The format that a file's name asks for; nil where it asks for none.
    init?(fileName: String) {
        guard let dot = fileName.lastIndex(of: ".") else { return nil }
        switch fileName[fileName.index(after: dot)...].lowercased() {
        case "csv": self = .csv
        case "tsv": self = .tsv
        case "terms": self = .terms
        case "json": self = .json
        case "ndjson", "jsonl": self = .ndjson
        case "plist": self = .plist
        default: return nil
        }
    }

    var isDelimited: Bool { self == .csv || self == .tsv }
}
