import GranaryBase
import GranaryModel
import GranaryPropertyLists

/// Reads a model from an archive of Core Data: a `.mom` file, or a store's `Z_MODELCACHE`.
///
/// archive → objects with their fields by name (``CompiledObject``) → descriptions → inherited properties removed → the
/// model in a stable order. The layout was derived from 47 public models and 138 model caches.
///
/// Archives store entities and properties in the order of a hash table. The model has them in the order of their names,
/// ignoring case, as Xcode does in 120 of 120 public models (entities) and 469 of 471 entities (attributes). Indexes
/// stay in the archive's order.
enum CompiledModelReader {
    /// The limit on entities in an archive; no store can number more.
    static let entityLimit = 16_000
    /// The limit on the properties of all entities, including the copies in caches.
    static let propertyLimit = 500_000
    /// The limit on the values that are read; a long value counts several times. A few bytes of an archive can refer to
    /// the same object any number of times.
    static let workLimit = 10_000_000

    /// - Parameter diagnostics: collects the warnings and, if the model is refused, the error.
    /// - Throws: ``GranaryError`` with code `refused` if the archive is not a model or is inconsistent.
    static func read(
        _ archive: KeyedArchive, source: String, diagnostics: inout DiagnosticCollector
    ) throws(GranaryError) -> ManagedObjectModel {
        var decoder = CompiledModelDecoder(archive: archive, source: source)
        defer {
            diagnostics.add(
                contentsOf: decoder.diagnostics.diagnostics.filter { diagnostic in
                    guard diagnostic.severity != .error, let entity = diagnostic.entity,
                        let property = diagnostic.property
                    else { return true }
                    return !decoder.copies.contains([entity, property])
                })
        }
        do throws(GranaryError) {
            return try decoder.model()
        } catch {
            for diagnostic in error.diagnostics { decoder.diagnostics.add(diagnostic) }
            throw error
        }
    }
}
