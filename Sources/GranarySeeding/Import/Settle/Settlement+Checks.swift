import GranaryBase
import GranaryContexts
import GranaryCoordination
import GranaryCoreDataStore
import GranaryModel

/// Links, and what they and their number must be.
extension Settlement {
    func checkLists(_ words: EarlyWords) throws {
        let check = ListCheck(
            schema: schema, store: store, table: resolver.table, places: intake.places, files: intake.files,
            claimed: claimed, words: words, isWaiting: { [intake] in intake.isWaiting($0) },
            says: { [intake] in intake.says($0, file: $1) })
        for problem in try check.problems(resolver.resolved, counts: { [unowned self] in counts($0) }) {
            refuse(RecordID(problem.reference.place), problem.diagnostic)
        }
    }

    // MARK: One-to-ones

    /// Refuses records that take the partner away from an object for which one is required.
    func checkPartners(_ words: EarlyWords) throws {
        var lost: [(relationship: Schema.Relationship, object: Int64, place: RecordPlace)] = []
        func note(_ relationship: Schema.Relationship, _ owner: Int64, _ target: Int64?, _ place: RecordPlace) throws {
            guard let inverse = schema.inverse(of: relationship), !inverse.isToMany, !relationship.isToMany else {
                return
            }
            // The object at the other end of the owner, and the one at the other end of the target.
            if let partner = try resolver.holders.storedHolder(inverse, of: owner), partner != target {
                lost.append((inverse, partner, place))
            }
            if let target, let other = try resolver.holders.storedHolder(relationship, of: target), other != owner {
                lost.append((relationship, other, place))
            }
        }
        for one in resolver.resolved where counts(one) {
            let reference = resolver.table.references[Int(one.reference)]
            let relationship = resolver.table.relationship(of: reference)
            guard schema.mayOrphan(relationship) else { continue }
            try note(relationship, one.owner, one.entity < 0 ? nil : one.key, reference.place)
        }
        for relationship in schema.oneToOnes where schema.mayOrphan(relationship) {
            for (owner, word) in words[relationship].sorted(by: { $0.key < $1.key }) {
                try note(relationship, owner, word.target, word.place)
            }
        }
        for (relationship, object, place) in lost {
            guard let violation = relationship.violations(ofCount: 0).first else { continue }
            // It may have got another partner, or be an end of a claim itself.
            guard let inverse = schema.inverse(of: relationship),
                resolver.holders.claimant(inverse, of: object) == nil, words[relationship][object]?.target == nil
            else { continue }
            let entity = schema.entities[relationship.owner]
            let stored = try store.read(root: entity.root, keys: [object])
            guard !stored.isEmpty else { continue }
            refuse(
                RecordID(place),
                Diagnostic(
                    violation.code,
                    "\(stored.objectName(row: 0, schema)) would be left without one: \(violation.message)",
                    at: place.position(files: intake.files), entity: entity.name, property: relationship.name,
                    coreDataCode: violation.coreDataCode))
        }
    }

    // MARK: Counts

    func checkCounts(_ words: EarlyWords) throws {
        let rows = RowsToCome(schema: schema, store: store, spool: spool, refused: refused)
        let references = resolver.resolved.filter { counts($0) }
        let check = CountCheck(schema: schema, rows: rows, table: resolver.table, references: references)
        try check.run { broken in
            let entity = broken.entity
            var problem = Diagnostic(
                broken.violation.code,
                "\(schema.objectName(entity: entity.index, key: broken.row.key)): \(broken.violation.message)",
                at: nil, entity: entity.name, property: broken.relationship.name,
                coreDataCode: broken.violation.coreDataCode)
            if let place = intake.places[broken.row] {
                problem.position = intake.places.position(broken.row, files: intake.files)
                refuse(RecordID(file: place.file, record: place.record), problem)
            } else if let place = broken.place {
                problem.position = place.position(files: intake.files)
                refuse(RecordID(place), problem)
            } else {
                // No record is to blame: the object was so before.
                intake.addFatal(problem)
            }
        }
    }
}

extension Schema {
    /// The relationships that lead to one object and back to one.
    var oneToOnes: [Relationship] {
        var seen: Set<LinkHolders.Relation> = []
        return entities.flatMap(\.relationships).filter { relationship in
            guard !relationship.isToMany, let inverse = inverse(of: relationship), !inverse.isToMany else {
                return false
            }
            return seen.insert(LinkHolders.Relation(relationship)).inserted
        }
    }

    /// Whether a one-to-one is required at one of its ends, so that nobody may lose it.
    func mayOrphan(_ relationship: Relationship) -> Bool {
        guard !relationship.isToMany, let inverse = inverse(of: relationship), !inverse.isToMany else { return false }
        return !relationship.violations(ofCount: 0).isEmpty || !inverse.violations(ofCount: 0).isEmpty
    }
}
