import GranaryBase
import GranaryCoordination
import GranaryModel

/// One-to-one relationships of an export that is restored as it is.
extension LinkWriter {
    /// Sets the ends that the export omits. The other ends are not changed; if the two ends of a one-to-one
    /// relationship contradict each other, a warning is added.
    ///
    /// - Parameters:
    ///   - hasEnd: whether the source of an object has a column for the relationship; nil if no record has the object.
    ///   - note: receives each warning with the object that it is about.
    func restorePairings(
        _ hasEnd: (Schema.Relationship, RowID) -> Bool?, note: (Diagnostic, RowID) -> Void
    ) throws {
        for pairing in rows.pairings {
            guard case .reference(let key, _) = pairing.to, let inverse = schema.inverse(of: pairing.relationship)
            else { continue }
            let partner = RowID(root: schema.entities[pairing.relationship.destination].root, key: key)
            guard let isKept = hasEnd(inverse, partner) else { continue }
            let back = try reference(inverse, of: partner)
            if back == pairing.owner.key { continue }
            if back == nil, !isKept {
                try rows.writer.setReference(
                    inverse, owner: partner.key, entity: pairing.ownerEntity, destination: pairing.owner.key)
                continue
            }
            let owner = schema.objectName(entity: pairing.ownerEntity, key: pairing.owner.key)
            note(
                Diagnostic(
                    .relationshipTaken,
                    "\(owner): the other object has another \(inverse.name); both are kept", severity: .warning,
                    entity: schema.entities[pairing.ownerEntity].name, property: pairing.relationship.name),
                pairing.owner)
        }
    }
}
