package import Foundation
package import GranaryBase
package import GranaryModel

/// The migration of a store that a container opens.
package enum AutomaticMigration {
    /// Opens a store. If it was written for an older version of the model, it is migrated and opened again.
    ///
    /// - Parameters:
    ///   - description: whether the store may be migrated.
    ///   - open: opens the store with the newer version.
    ///   - migrate: migrates the store; returns false if its model is not known.
    /// - Throws: any error of `open` and `migrate`.
    package static func open<Store>(
        _ description: PersistentStoreDescription, _ open: () throws(GranaryError) -> sending Store,
        migrate: () throws(GranaryError) -> Bool
    ) throws(GranaryError) -> sending Store {
        do throws(GranaryError) { return try open() } catch {
            guard description.mayMigrate, error.code == .refused, !error.diagnostics.isEmpty,
                error.diagnostics.allSatisfy({ $0.code == .storeMismatch }), try migrate()
            else { throw error }
        }
        return try open()
    }

    /// Whether a store has other entities than the model, and no other version of an entity, because it was written for
    /// another part of the model: for one configuration, while all entities are wanted, or for more entities than those of
    /// the wanted configuration. A migration would drop objects, or make the store useless for its configuration.
    ///
    /// - Parameter isPart: whether the store is opened with one configuration.
    package static func isOfOtherPart(_ stored: [String: Data], _ schema: Schema, isPart: Bool) -> Bool {
        if isPart {
            return stored.count > schema.versionHashes.count
                && schema.versionHashes.allSatisfy { stored[$0.key] == $0.value }
        }
        return schema.model.configurations.contains { configuration in
            let names = Set(configuration.entityNames)
            return Set(stored.keys) == names && names.allSatisfy { schema.versionHashes[$0] == stored[$0] }
        }
    }

    /// Checks that Core Data infers the mapping between the versions of a model.
    ///
    /// - Throws: ``GranaryError`` with code `refused` and a diagnostic for each change that needs a mapping model, or if
    ///   the models have no entity in common.
    package static func mapping(
        from old: Schema, to new: Schema, of path: String
    ) throws(GranaryError) -> ModelMapping {
        let mapping = ModelMapping(from: old, to: new)
        guard mapping.newEntities.contains(where: { $0 != nil }) else {
            throw GranaryError(
                .refused, "\(path): the store and the model have no entity in common; the store belongs to another app")
        }
        let reasons = old.model.differences(to: new.model).mappingReasons
        guard reasons.isEmpty else {
            throw GranaryError(
                .refused, "\(path): Core Data infers no mapping from the store's model", diagnostics: reasons)
        }
        return mapping
    }
}

extension ModelDifferences {
    /// Each change for which a mapping model has to be written.
    package var mappingReasons: [Diagnostic] {
        changes.compactMap { change in
            guard case .needsMapping(let reason) = change.migration else { return nil }
            let values = [change.from, change.to].compactMap(\.self).joined(separator: " → ")
            return Diagnostic(
                .migrationMapping, "\(change.what)\(values.isEmpty ? "" : " \(values)"): \(reason)",
                entity: change.entity, property: change.property)
        }
    }
}
