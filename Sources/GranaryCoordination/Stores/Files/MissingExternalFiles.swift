package import GranaryBase

/// Collects the external files that are missing, whose values are read as NULL.
package final class MissingExternalFiles {
    /// The maximum number of diagnostics. Further files are only counted.
    private static let limit = 1000

    private var noted: [Diagnostic] = []
    private var count = 0

    package init() {}

    /// - Parameters:
    ///   - key: the primary key of the object.
    ///   - file: the path of the file.
    package func note(entity: String, key: Int64, property: String?, file: String) {
        count += 1
        guard noted.count < Self.limit else { return }
        noted.append(
            Diagnostic(
                .storeCorrupt, "\(entity)/p\(key): the file with its external data, \(file), is missing; it is NULL",
                severity: .warning, entity: entity, property: property))
    }

    /// A warning for each file.
    package var diagnostics: [Diagnostic] {
        guard count > noted.count else { return noted }
        let rest = "\(count - noted.count) more files with external data are missing; their values are NULL"
        return noted + [Diagnostic(.storeCorrupt, rest, severity: .warning)]
    }
}
