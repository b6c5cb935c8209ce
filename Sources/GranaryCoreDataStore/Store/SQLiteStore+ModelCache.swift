package import GranaryBase
import GranaryCoordination
package import GranaryModel
import GranaryModelFiles
import GranarySQLite

extension SQLiteStore {
    /// The model inside the store, as Core Data keeps it for migrations. A model that cannot be compiled has no row, as
    /// the stores of old frameworks have none: nothing else needs it. ``modelCacheWarnings(for:)`` says why.
    func writeModelCache() throws {
        let content: [UInt8]
        do throws(GranaryError) {
            content = try ModelCache.write(schema.model)
        } catch {
            guard error.code == .refused else { throw error }
            return
        }
        try connection.withStatement("INSERT INTO Z_MODELCACHE (Z_CONTENT) VALUES (?)") { statement in
            try content.withUnsafeBufferPointer { try statement.bindBlob($0, at: 1) }
            try statement.run()
        }
    }

    /// Warnings about a new store of the model: names of join tables that Core Data may expect otherwise, derived
    /// attributes without triggers, and why the store does not carry the model.
    ///
    /// - Parameter isLikeAnother: whether the names were taken from a store that Core Data made.
    package static func creationWarnings(for schema: Schema, isLikeAnother: Bool = false) -> [Diagnostic] {
        let names = isLikeAnother ? [] : [joinTableWarning(for: schema)].compactMap { $0 }
        return names + derivedAttributeWarnings(for: schema) + modelCacheWarnings(for: schema)
    }

    /// What keeps a new store of the model from carrying the model: predicates and derivations that Granary cannot
    /// read, and what it does not know a compiled form of. Empty where the store has it.
    package static func modelCacheWarnings(for schema: Schema) -> [Diagnostic] {
        do throws(GranaryError) {
            _ = try ModelCache.write(schema.model)
            return []
        } catch {
            // A cache repeats what is inherited, and so do its problems.
            let own = error.diagnostics.filter { diagnostic in
                guard let property = diagnostic.property,
                    let entity = diagnostic.entity.flatMap(schema.model.entity(named:))
                else { return true }
                return entity.declaresProperty(named: property)
            }
            return own.map { diagnostic in
                var diagnostic = diagnostic
                diagnostic.severity = .warning
                diagnostic.message += "; the store does not carry the model"
                return diagnostic
            }
        }
    }
}

extension EntityDescription {
    fileprivate func declaresProperty(named name: String) -> Bool {
        attribute(named: name) != nil || relationship(named: name) != nil
            || fetchedProperties.contains { $0.name == name }
    }
}
