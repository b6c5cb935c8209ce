import GranaryBase
import GranaryCoordination
import GranaryModel

/// A step in code with its place among the versions of a model.
struct PlacedStep {
    let step: MigrationStep
    /// The indexes of the older and the newer version.
    let range: Range<Int>

    /// - Throws: ``GranaryError`` with code `usage` if the versions do not exist in this order.
    static func all(_ steps: [MigrationStep], _ chain: ModelVersionChain) throws(GranaryError) -> [PlacedStep] {
        let names = chain.versions.map(\.name)
        var found: [PlacedStep] = []
        for step in steps {
            guard let from = names.firstIndex(of: step.from), let to = names.firstIndex(of: step.to), from < to else {
                throw GranaryError(
                    .usage,
                    "there is no step from \"\(step.from)\" to \"\(step.to)\"; the versions are "
                        + names.joined(separator: ", "))
            }
            found.append(PlacedStep(step: step, range: from..<to))
        }
        return found
    }

    /// The reason why the step does not start at a store that no version fits; nil if it does: the store has the name of
    /// the older version as an identifier, or the entities that the step computes have the hashes of that version.
    ///
    /// - Parameter model: the model of the store.
    func reasonAgainst(
        _ store: MigratedStoreFile, _ model: ManagedObjectModel, _ chain: ModelVersionChain
    ) throws(GranaryError) -> String? {
        let (old, new) = (chain.versions[range.lowerBound], chain.versions[range.upperBound])
        let newSchema = try new.model.resolved()
        if !store.identifiers.contains(step.from) {
            let mapping = ModelMapping(from: try old.model.resolved(), to: newSchema)
            let names = step.policies.keys.compactMap { name in
                newSchema.entity(named: name).flatMap { mapping.oldEntities[$0.index] }
                    .map { mapping.old.entities[$0].name }
            }.sorted(by: utf8Less)
            guard !names.isEmpty else { return "no identifier of the store is \"\(step.from)\"" }
            let differing = names.filter { store.hashes[$0] == nil || store.hashes[$0] != old.versionHashes?[$0] }
            guard differing.isEmpty else {
                return "the version hash of \(differing.joined(separator: ", ")) is not that in \"\(step.from)\""
            }
        }
        // What the step does not compute must be inferred.
        let rest = model.differences(to: new.model).mappingReasons.filter { reason in
            !computes(reason.entity.flatMap { newSchema.entity(named: $0) }, newSchema)
        }
        guard let first = rest.first else { return nil }
        return "no mapping of the rest is inferred: \(first.statement)"
    }

    /// Whether a policy computes the objects of an entity.
    private func computes(_ entity: Schema.Entity?, _ schema: Schema) -> Bool {
        var next = entity?.index
        while let place = next {
            if step.policies[schema.entities[place].name] != nil { return true }
            next = schema.entities[place].superentity
        }
        return false
    }
}
