package import GranaryBase
import GranaryCoordination
package import GranaryModel
import GranaryModelFiles
import GranarySQLite

extension SQLiteStore {
    /// Writes the compiled model into the store, where Core Data keeps it for migrations.
    ///
    /// A model that cannot be compiled is left out. Stores of old frameworks do not contain one either, and nothing
    /// else needs it. ``modelCacheWarnings(for:)`` returns the reasons.
    func writeModelCache() throws {
        let content: [UInt8]
        do throws(GranaryError) {
            content = try ModelCache.write(schema.model)
        } catch {
            guard error.code == .refused else { throw error }
            return
        }
        try connection.withStatement("INSERT INTO Z_MODELCACHE (Z_CONTENT) VALUES (?)") { statement in
            try statement.bind(blob: content, at: 1)
            try statement.run()
        }
    }

    /// Warnings about a new store of the model: join tables to which Core Data may give other names, derived attributes
    /// without triggers, indexes that are not created, and the reasons why the store does not contain the model.
    ///
    /// - Parameter isLikeAnother: whether the names are taken from a store that Core Data created.
    package static func creationWarnings(for schema: Schema, isLikeAnother: Bool = false) -> [Diagnostic] {
        let names = isLikeAnother ? [] : [joinTableWarning(for: schema)].compactMap { $0 }
        return names + derivedAttributeWarnings(for: schema) + indexWarnings(for: schema)
            + modelCacheWarnings(for: schema)
    }

    /// Warnings about indexes, R-trees and triggers of the model that a new store does not have, with the reasons.
    private static func indexWarnings(for schema: Schema) -> [Diagnostic] {
        let layout = StoreLayoutBuilder.layout(for: schema)
        return IndexSQL(schema: schema, layout: layout).omissions()
            + LocationTreeSQL(schema: schema, layout: layout).omissions
            + TriggerKeySQL(schema: schema, layout: layout).omissions
    }

    /// The reasons why a new store cannot contain the model: predicates and derivation expressions that Granary cannot
    /// read, and elements whose compiled form is not known. Empty if the store contains the model.
    package static func modelCacheWarnings(for schema: Schema) -> [Diagnostic] {
        do throws(GranaryError) {
            try ModelCache.check(schema.model)
            return []
        } catch {
            return error.diagnostics.map { diagnostic in
                var diagnostic = diagnostic
                diagnostic.severity = .warning
                diagnostic.message += "; the store does not contain the model"
                return diagnostic
            }
        }
    }
}
