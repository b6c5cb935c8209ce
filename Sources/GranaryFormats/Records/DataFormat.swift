/// The formats that Granary imports and exports.
public enum DataFormat: String, Sendable, Hashable, CaseIterable {
    /// Comma-separated values, one entity in a file.
    case csv
    /// Tab-separated values, one entity in a file.
    case tsv
    /// A JSON array of one entity's objects, or a document of several entities.
    case json
    /// JSON Lines, one entity in a file.
    case ndjson
    /// A property list: an array of one entity's objects, or a document of several entities.
    case plist
    /// A delimited constant table of one entity.
    case terms

    /// The format for the extension of a file's name; a last extension `.gz` is skipped. Nil if the extension is
    /// unknown.
    public init?(fileName: String) {
        var parts = fileName.split(separator: ".").map { $0.lowercased() }
        if parts.count > 1, parts.last == "gz" { parts.removeLast() }
        switch parts.last {
        case "csv": self = .csv
        case "tsv", "tab": self = .tsv
        case "json", "geojson", "topojson": self = .json
        case "ndjson", "jsonl", "geojsonl", "geojsons": self = .ndjson
        case "plist": self = .plist
        case "terms": self = .terms
        default: return nil
        }
    }

    /// Whether one file can hold the objects of several entities.
    public var holdsSeveralEntities: Bool { self == .json || self == .plist }

    /// Whether records can contain objects.
    package var nests: Bool { self == .json || self == .ndjson || self == .plist }

    package var isDelimited: Bool { self == .csv || self == .tsv }

    /// Whether a file is named after its entity when nothing else names the entity.
    package var isNamedAfterEntity: Bool { isDelimited || self == .ndjson }

    /// The name of a file without its folder, the format's extension and `.gz`.
    package static func baseName(of path: String) -> String {
        let name = path.split(separator: "/").last.map(String.init) ?? path
        var base = name[...]
        let extensions = name.lowercased().hasSuffix(".gz") ? 2 : 1
        for _ in 0..<extensions {
            guard let dot = base.lastIndex(of: "."), dot != base.startIndex else { break }
            base = base[..<dot]
        }
        return String(base)
    }
}
