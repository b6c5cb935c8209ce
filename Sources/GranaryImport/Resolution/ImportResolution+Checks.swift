import GranaryBase
import GranaryCoordination
import GranaryModel

/// Checks of links and their numbers.
extension ImportResolution {
    func checkLists(_ toOnes: SpooledToOnes) throws {
        let check = ListCheck(
            schema: schema, store: store, table: resolver.table, places: read.places, files: read.sources.files,
            recordsByObject: read.keys.recordsByObject, toOnes: toOnes,
            isWaiting: read.stream.isWaiting,
            hasColumn: { [read] in read.sources.hasColumn(for: $0, file: $1) })
        for problem in try check.problems(resolver.resolved, counts: { [unowned self] in counts($0) }) {
            // ``checkCounts(_:)`` warns of it.
            if read.rules.restores, problem.diagnostic.code == .relationshipTooMany { continue }
            reject(RecordID(problem.reference.place), problem.diagnostic)
        }
    }

    // MARK: One-to-ones

    /// Rejects records that remove the required partner of an object.
    func checkPartners(_ toOnes: SpooledToOnes) throws {
        // Restored objects take no partners from each other.
        if read.rules.restores { return }
        var lost: [(relationship: Schema.Relationship, object: Int64, place: RecordLocation)] = []
        func note(_ relationship: Schema.Relationship, _ owner: Int64, _ target: Int64?, _ place: RecordLocation) throws
        {
            guard let inverse = schema.inverse(of: relationship), schema.isOneToOne(relationship) else { return }
            // The previous partners of the owner and of the target.
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
            for (owner, value) in toOnes[relationship].sorted(by: { $0.key < $1.key }) {
                try note(relationship, owner, value.target, value.place)
            }
        }
        for (relationship, object, place) in lost {
            guard let violation = relationship.violations(ofCount: 0).first else { continue }
            // The object can have another partner by now.
            guard let inverse = schema.inverse(of: relationship),
                resolver.holders.claimant(inverse, of: object) == nil, toOnes[relationship][object]?.target == nil
            else { continue }
            let entity = schema.entities[relationship.owner]
            let stored = try store.read(root: entity.root, keys: [object])
            guard !stored.isEmpty else { continue }
            reject(
                RecordID(place),
                Diagnostic(
                    violation.code,
                    "\(stored.objectName(row: 0, schema)) would lose its \(relationship.name): \(violation.message)",
                    at: place.position(files: read.sources.files), entity: entity.name, property: relationship.name,
                    coreDataCode: violation.coreDataCode))
        }
    }

    // MARK: Counts

    func checkCounts(_ toOnes: SpooledToOnes) throws {
        let rows = ResultingRows(schema: schema, store: store, spool: read.spool, rejected: rejected)
        let references = resolver.resolved.filter { counts($0) }
        let check = RelationshipCountCheck(schema: schema, rows: rows, table: resolver.table, references: references)
        try check.run { broken in
            let entity = broken.entity
            var problem = Diagnostic(
                broken.violation.code,
                "\(schema.objectName(entity: entity.index, key: broken.row.key)): \(broken.violation.message)",
                at: nil, entity: entity.name, property: broken.relationship.name,
                coreDataCode: broken.violation.coreDataCode)
            if read.rules.restores {
                problem.position = read.places.position(broken.row, files: read.sources.files)
                problem.severity = .warning
                problems.add(problem)
            } else if let place = read.places[broken.row] {
                problem.position = read.places.position(broken.row, files: read.sources.files)
                reject(RecordID(file: place.file, record: place.record), problem)
            } else if let place = broken.place {
                problem.position = place.position(files: read.sources.files)
                reject(RecordID(place), problem)
            } else {
                // No record caused the problem: the stored object had it before.
                problems.addFatal(problem)
            }
        }
    }
}

extension Schema {
    /// The one-to-one relationships.
    var oneToOnes: [Relationship] {
        var seen: Set<LinkOwners.Relation> = []
        return entities.flatMap(\.relationships).filter { relationship in
            isOneToOne(relationship) && seen.insert(LinkOwners.Relation(relationship)).inserted
        }
    }

    /// Whether the relationship is one-to-one and required at one of its ends, so that an object must not lose its
    /// partner.
    func mayOrphan(_ relationship: Relationship) -> Bool {
        guard isOneToOne(relationship), let inverse = inverse(of: relationship) else { return false }
        return !relationship.violations(ofCount: 0).isEmpty || !inverse.violations(ofCount: 0).isEmpty
    }
}
