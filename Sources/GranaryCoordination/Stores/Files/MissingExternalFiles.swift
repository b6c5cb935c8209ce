package import GranaryBase

/// Collects the external files that are missing, whose values are read as NULL.
package final class MissingExternalFiles {
    /// The maximum number of diagnostics. Further files are only counted.
    private static let limit = 1000

    private struct Place: Hashable {
        let entity: String
        let property: String?
    }

    private var noted: [Diagnostic] = []
    private var count = 0
    private var keys: [Place: KeySet] = [:]

    package init() {}

    /// - Parameters:
    ///   - key: the primary key of the object.
    ///   - file: the path of the file.
    package func note(entity: String, key: Int64, property: String?, file: String) {
        // A row can be read several times.
        guard keys[Place(entity: entity, property: property), default: KeySet()].insert(key) else { return }
        count += 1
        guard noted.count < Self.limit else { return }
        noted.append(
            Diagnostic(
                .storeCorrupt, "\(entity)/p\(key): the file with its external data, \(file), is missing; it is NULL",
                severity: .warning, entity: entity, property: property))
    }

    /// Whether the value of an object was read as NULL, because its file is missing.
    package func contains(entity: String, key: Int64, property: String) -> Bool {
        keys[Place(entity: entity, property: property)]?.contains(key) ?? false
    }

    /// A warning for each file.
    package var diagnostics: [Diagnostic] {
        guard count > noted.count else { return noted }
        let rest = "\(count - noted.count) more files with external data are missing; their values are NULL"
        return noted + [Diagnostic(.storeCorrupt, rest, severity: .warning)]
    }
}
