import GranaryBase
import GranaryFormats
import GranaryRecords

/// The columns of a file of one entity. Properties without a column are not compared.
struct DiffColumns {
    let label: String
    let path: String
    let entity: String
    /// The names in the form in which an import compares them.
    private let names: Set<String>

    /// Reads the header of a table, or all records of a file without a header.
    ///
    /// - Returns: nil for a file without records and without a header.
    init?(of source: ImportSource, _ label: String, _ path: String, entity: String) throws(GranaryError) {
        let reader = try source.makeReader()
        try reader.readHeader()
        var record = Record()
        if reader.columns.isEmpty {
            reading: while true {
                switch try reader.next(into: &record) {
                case .end: break reading
                case .record, .malformed: continue
                }
            }
        }
        guard !reader.columns.isEmpty else { return nil }
        self.label = label
        self.path = path
        self.entity = entity
        names = Set(reader.columns.map(Self.form))
    }

    func contains(_ property: String) -> Bool { names.contains(Self.form(property)) }

    private static func form(_ name: String) -> String { name.lowercased().filter { !"_- ".contains($0) } }

    /// A note that names the properties without a column; nil if there are none.
    func note(_ missing: [String]) -> Diagnostic? {
        guard !missing.isEmpty else { return nil }
        return Diagnostic(
            .headerMissing,
            "\(label): \(path) has no columns for \(missing.prefix(8).joined(separator: ", "))"
                + (missing.count > 8 ? " and \(missing.count - 8) others" : "") + "; they are not compared",
            severity: .warning, entity: entity)
    }
}
