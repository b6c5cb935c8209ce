/// The formats that can be imported.
public enum SourceFormat: String, Sendable, CaseIterable {
    case csv, tsv, json, ndjson, plist, terms

    /// What a file's name says, `.gz` behind it not counted; nil where it says nothing.
    package init?(fileName: String) {
        switch Self.parts(of: fileName).last {
        case "csv": self = .csv
        case "tsv", "tab": self = .tsv
        case "json": self = .json
        case "ndjson", "jsonl": self = .ndjson
        case "plist": self = .plist
        case "terms": self = .terms
        default: return nil
        }
    }

    /// Whether its files hold one table of lines, so that they can be named after the entity.
    var isNamedAfterEntity: Bool {
        switch self {
        case .json, .plist, .terms: false
        case .csv, .tsv, .ndjson: true
        }
    }

    /// Whether records may have objects inside.
    var nests: Bool { self == .json || self == .ndjson || self == .plist }

    var isDelimited: Bool { self == .csv || self == .tsv }

    /// The file's name without its folder, the ending of its format and `.gz`.
    static func baseName(of path: String) -> String {
        let name = path.split(separator: "/").last.map(String.init) ?? path
        var base = name[...]
        let endings = name.lowercased().hasSuffix(".gz") ? 2 : 1
        for _ in 0..<endings {
            guard let dot = base.lastIndex(of: "."), dot != base.startIndex else { break }
            base = base[..<dot]
        }
        return String(base)
    }

    /// The parts of a name between its points, in lower case.
    private static func parts(of fileName: String) -> [String] {
        var parts = fileName.split(separator: ".").map { $0.lowercased() }
        if parts.count > 1, parts.last == "gz" { parts.removeLast() }
        return parts
    }
}
