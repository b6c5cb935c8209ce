import GranaryBase
import GranaryRecords

/// The columns of a file of one table. Properties without a column are not compared.
struct DiffColumns {
    let label: String
    let path: String
    /// The names of the entities whose objects the file contains.
    let entities: Set<String>
    /// The names of the columns.
    let all: [String]
    /// The names in the form in which an import compares them.
    private let names: Set<String>

    /// - Parameter names: the columns of the file.
    init(_ names: [String], _ label: String, _ path: String, entities: Set<String>) {
        self.label = label
        self.path = path
        self.entities = entities
        all = names
        self.names = Set(names.map(Self.form))
    }

    func contains(_ property: String) -> Bool { names.contains(Self.form(property)) }

    private static func form(_ name: String) -> String { name.lowercased().filter { !"_- ".contains($0) } }

    /// A note that names the properties without a column; nil if there are none.
    func note(_ missing: [String]) -> Diagnostic? {
        guard !missing.isEmpty else { return nil }
        return Diagnostic(
            .headerMissing,
            "\(label): \(path) has no columns for \(Self.list(missing)); they are not compared", severity: .warning,
            entity: entities.count == 1 ? entities.first : nil)
    }

    /// A note that names the columns with values of expressions; nil if the sidecar tells none.
    static func note(
        onExpressions sidecar: ImportSidecar?, _ label: String, _ path: String, entity: String
    ) -> Diagnostic? {
        let names = sidecar?.expressions ?? []
        guard !names.isEmpty else { return nil }
        return Diagnostic(
            .headerUnknown,
            "\(label): \(path): columns with expressions are not compared: \(list(names))", severity: .warning,
            entity: entity)
    }

    /// The first of some names, and the number of the others.
    static func list(_ names: [String]) -> String {
        names.prefix(8).joined(separator: ", ")
            + (names.count > 8 ? " and \(CountText.count(names.count - 8, "other"))" : "")
    }
}
