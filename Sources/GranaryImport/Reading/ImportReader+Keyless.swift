import GranaryBase
import GranaryCoordination
import GranaryModel
import GranaryRecords

/// Rows of entities without a key in an import that changes stored objects.
extension ImportReader {
    /// The stored object that a nested object without a key is: the one that belongs to its stored parent.
    func ownedObject(
        _ entity: Schema.Entity, _ job: ResolvedJob, in surroundings: Surroundings
    ) -> (key: Int64, isShared: Bool)? {
        guard job.findsByKey, !job.findsByIdentifier(entity), !surroundings.relationship.isToMany,
            let owned = ownedObjects.object(of: surroundings.owner.id.key, surroundings.relationship),
            Int(owned.entity) == entity.index
        else { return nil }
        let id = RowID(root: entity.root, key: owned.key)
        let isShared = !ownedObjects.claim(id)
        if isShared { uses.sharedRows.insert(id) }
        return (owned.key, isShared)
    }

    /// Why the object of a row without a key cannot be found; nil if the row is a new object. In an import of all or
    /// nothing, the first row of a relationship has the problem for all.
    func missingKey(_ entity: Schema.Entity, _ job: ResolvedJob, in surroundings: Surroundings?) -> Diagnostic? {
        guard job.findsByKey, !job.findsByIdentifier(entity) else { return nil }
        guard let surroundings else {
            let problem = job.missingKey(of: entity, help: identifierHelp ?? "--key ATTRIBUTE")
            return Diagnostic(.valueMissing, problem.message, entity: entity.name, help: problem.help)
        }
        let relationship = surroundings.relationship
        guard !surroundings.owner.isNew, relationship.isToMany,
            keylessLists.insert(LinkOwners.Relation(relationship)).inserted || rules.keepsGood
        else { return nil }
        let list = "\(surroundings.owner.entity.name).\(relationship.name)"
        return Diagnostic(
            .valueMissing,
            "\(entity.name) has no uniqueness constraint, so the objects in the list \(list) need a key that tells which "
                + "of them are stored already",
            entity: entity.name,
            help: identifierHelp
                ?? "add a uniqueness constraint to \(entity.name) in the model, name an attribute that tells them apart "
                + "with --key \(relationship.name)=ATTRIBUTE, or leave the list out with --ignore "
                + "\(surroundings.owner.entity.name).\(relationship.name)")
    }

    private var identifierHelp: String? {
        context.identifier.isEmpty ? nil : OptionHelp.option("key", RecordTable.identifierColumn)
    }
}
