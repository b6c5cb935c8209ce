import GranaryBase
import GranaryModel
import GranaryPropertyLists

/// Makes a model of what Core Data archives: a `.mom` file, or what a store keeps in `Z_MODELCACHE`.
///
/// archive → objects with their fields by name (``CompiledObject``) → descriptions → what is inherited taken out → the
/// model in a stable order. Layout as seen in 47 public models and 138 model caches.
///
/// Entities, and the attributes, relationships and fetched properties of each, are in the order of their names without
/// regard to case: archives keep them in the order of a hash table, and that is how Xcode keeps them in 120 of 120
/// public models (entities) and 469 of 471 entities (attributes). Indexes stay in the archive's order.
enum CompiledModelReader {
    /// How many entities an archive may have; no store can number more.
    static let entityLimit = 16_000
    /// How many properties all entities may list together, those that caches repeat included.
    static let propertyLimit = 500_000
    /// How much may be looked at: one for a value, and more for what is long. In an archive a few
    /// bytes can refer to the same object as often as they like.
    static let workLimit = 10_000_000

    /// - Parameter diagnostics: takes warnings, and the error too when the model is refused.
    /// - Throws: ``GranaryError`` with code `refused` for what is no archive of a model, or one that contradicts itself.
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
