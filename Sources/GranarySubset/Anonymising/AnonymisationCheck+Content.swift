package import GranaryCoordination
import GranaryBase
import GranaryModel
import GranaryPredicates

extension AnonymisationCheck {
    /// The number of objects of an entity whose values are looked at: the first ones by their keys.
    package static let lookedAt = 200

    /// Looks at values of a store of the model, and changes the proposals for attributes whose values look personal. Kept
    /// attributes with such values become ``doubts``.
    ///
    /// - Throws: as reading throws.
    package mutating func look(into store: any StoreBackend) throws {
        // The numbers of a store's entities can be others than those of the model alone.
        let schema = store.schema
        for entity in schema.entities {
            let own = entity.attributes.filter { attribute in
                attribute.owner == entity.index && Self.needsDecision(attribute) && ContentTally.isPossible(attribute)
            }
            let open = own.filter { attribute in
                switch rules.decision(on: attribute, of: entity, schema) {
                case nil, .keep?: true
                default: false
                }
            }
            guard !open.isEmpty else { continue }
            var tallies = open.map { ContentTally($0) }
            let batch = try store.read(entities: entity.family, after: 0, limit: Self.lookedAt)
            for row in batch.rows.indices {
                for index in open.indices {
                    // A value of another type is for the check of the store.
                    do {
                        try batch.withValue(row: row, of: open[index]) { tallies[index].note($0) }
                    } catch is CellMismatch {
                        continue
                    }
                }
            }
            for tally in tallies { note(tally, entity, schema) }
        }
    }

    private mutating func note(_ tally: ContentTally, _ entity: Schema.Entity, _ schema: Schema) {
        guard let finding = tally.finding else { return }
        let name = "\(entity.name).\(tally.attribute.name)"
        guard let place = undecided.firstIndex(where: { $0.attribute == name }) else {
            guard case .keep? = rules.decision(on: tally.attribute, of: entity, schema) else { return }
            let message = "the attribute is kept, and \(finding.reason)"
            doubts.append(
                Diagnostic(
                    .modelRule, message, severity: .note, entity: entity.name, property: tally.attribute.name))
            return
        }
        undecided[place].reason = finding.reason
        let proposal = (finding.kind ?? .name).proposal
        let isPossible = finding.kind != nil && Self.problem(proposal.decision, tally.attribute, entity) == nil
        undecided[place].proposal = isPossible ? proposal.text : "replace"
    }
}
