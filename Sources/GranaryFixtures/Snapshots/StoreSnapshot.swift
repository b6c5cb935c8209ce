import GranaryBase
package import GranaryContexts
import GranaryCoordination
import GranaryExport
import GranaryModel
import GranaryRecords

/// The objects of a container's stores as readable text, the same for the same objects.
package enum StoreSnapshot {
    /// The maximum size in bytes.
    static let maximumBytes = 16 << 20

    /// Returns the text of all stored objects. Unsaved changes of contexts are not part of it.
    ///
    /// ```
    /// Injury "Burn"
    ///   key: 0
    ///   name: "Burn"
    ///
    /// Patient/p1
    ///   injury: "Burn"
    ///   name: "Ann"
    /// ```
    ///
    /// An object begins with its entity and its natural key, or with its `$id`. The objects of an entity are sorted by
    /// the UTF-8 text of their keys, then by their primary keys. A reference is the key of the referenced object if
    /// this key is one attribute, otherwise its `$id`; all references are `$id` if the key of a referenced object is
    /// NULL. If references name an object with a key by its `$id`, the object has a line with its `$id`. NULL and empty
    /// lists are omitted. Also omitted are the properties that exports omit: derived attributes, and the sides of
    /// relationships that their inverses determine.
    ///
    /// - Parameter ignored: properties that are omitted, as `Patient.admitted`. Subentities omit them too.
    /// - Throws: ``GranaryError``: `usage` for an ignored property that the model does not have; `refused` if the text
    ///   is too large; as reading throws.
    package static func text(of container: PersistentContainer, ignoring ignored: [String] = []) async throws -> String
    { try await text(of: container, ignoring: ignored, maximumBytes: maximumBytes) }

    static func text(
        of container: PersistentContainer, ignoring ignored: [String] = [], maximumBytes: Int
    ) async throws -> String {
        try await InBackground.run { cancellation in
            try container.withStore(forReading: true) { store in
                var plan = try SnapshotPlan(store.schema, ignoring: ignored)
                plan.maximumBytes = maximumBytes
                var options = ExportOptions()
                options.identifiers = .always
                // A reference by an ignored key would show its value.
                if plan.ignoresKey { options.reference = .id }
                options.cancellation = cancellation
                do { return try text(of: store, plan, options) } catch let error as GranaryError {
                    // A reference to an object whose key is NULL. Then all references are by id.
                    guard options.reference == nil, error.diagnostics.first?.code == .valueMissing else { throw error }
                    options.reference = .id
                    return try text(of: store, plan, options)
                }
            }
        }
    }

    private static func text(
        of store: any StoreBackend, _ plan: SnapshotPlan, _ options: ExportOptions
    ) throws -> String {
        var plan = plan
        plan.showIdentifiers(store.schema, options.reference)
        let writer = SnapshotWriter(plan)
        try Exporter(options: options).run(store, into: writer)
        return writer.text
    }
}
