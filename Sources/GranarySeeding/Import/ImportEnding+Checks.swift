import GranaryBase
import GranaryModel
import GranaryPersistence

/// Links, and what they and their number must be.
extension ImportEnding {
    func checkLists(_ resolver: inout ReferenceResolver, _ early: inout EarlyReferences) throws {
        let check = ListCheck(
            schema: schema, store: store, table: resolver.table, places: session.places, files: fileNames,
            claimed: claimed, says: { [session] in session.says($0, file: $1) })
        // A record that is refused here takes its own words back with it, so what is left is looked at again.
        for _ in 0..<Self.countRounds {
            let problems = try check.problems(resolver.resolved, rejects: resolver.rejects)
            guard !problems.isEmpty else { return }
            for problem in problems {
                session.add(problem.diagnostic)
                resolver.rejects.reject(RecordID(problem.reference.place), row: problem.owner)
            }
            if session.keepsGood {
                repeat {
                    try resolver.spread(session.places, rows.before, early: &early)
                } while resolver.refuseReliant()
            }
            try followUp(resolver.rejects)
            guard session.keepsGood, !session.isRefused else { return }
        }
    }

    func setLinks(_ resolver: inout ReferenceResolver, _ early: inout EarlyReferences) throws {
        var needed: Set<RowID> = []
        for one in resolver.resolved where one.entity >= 0 && !one.isDropped {
            let target = RowID(root: schema.entities[Int(one.entity)].root, key: one.key)
            guard maker.hasMade(target) else { continue }
            let reference = resolver.table.references[Int(one.reference)]
            let owner = RowID(root: schema.entities[Int(one.ownerEntity)].root, key: one.owner)
            if !resolver.rejects.refuses(reference, owner: owner) { needed.insert(target) }
        }
        var unmade: [RowID: String] = [:]
        madeByLookup = try maker.insert(needed, through: rows, refused: &unmade)
        if !unmade.isEmpty {
            resolver.refuseUnmade(unmade)
            if session.keepsGood { try resolver.spread(session.places, rows.before, early: &early, hasLinks: hasLinks) }
            try followUp(resolver.rejects)
            guard !session.isRefused else { return }
        }
        var links = LinkWriter(
            schema: schema, store: store, rows: rows, table: resolver.table, places: session.places,
            shared: session.sharedRows)
        hasLinks = true
        try links.write(resolver.resolved, rejects: resolver.rejects, { session.add($0) }, files: fileNames)
        linkRecords = links.added
        for refusal in links.refused {
            let reference = refusal.reference
            session.add(
                Diagnostic(
                    .uniqueDuplicate,
                    "with this reference another object has the same values in what must be unique: "
                        + refusal.error.message,
                    at: reference.place.position(files: fileNames), field: resolver.table.field(of: reference),
                    entity: schema.entities[Int(reference.entity)].name,
                    property: resolver.table.relationship(of: reference).name, coreDataCode: 1551))
            resolver.rejects.reject(RecordID(reference.place), row: refusal.owner)
        }
        if session.keepsGood { try resolver.spread(session.places, rows.before, early: &early, hasLinks: hasLinks) }
        try followUp(resolver.rejects)
    }

    /// One-to-ones that were moved away from objects for which one is required.
    func checkOrphans() throws {
        for orphan in rows.orphans {
            guard let violation = orphan.relationship.violations(ofCount: 0).first else { continue }
            let entity = schema.entities[orphan.relationship.owner]
            let stored = try store.read(root: entity.root, keys: [orphan.object])
            guard !stored.isEmpty, stored[0, orphan.relationship.slot] == .null else { continue }
            session.addFatal(
                Diagnostic(
                    violation.code,
                    "\(stored.objectName(row: 0, schema)) would be left without one: \(violation.message)",
                    at: orphan.place?.position(files: fileNames), entity: entity.name,
                    property: orphan.relationship.name, coreDataCode: violation.coreDataCode))
        }
    }

    func checkCounts(_ resolver: inout ReferenceResolver, _ early: inout EarlyReferences) throws {
        for _ in 0..<Self.countRounds {
            var found: [(RowID, Diagnostic)] = []
            try CountCheck(schema: schema, store: store).run { row, entity, relationship, violation in
                found.append(
                    (
                        row,
                        Diagnostic(
                            violation.code,
                            "\(schema.objectName(entity: entity.index, key: row.key)): \(violation.message)",
                            at: session.places.position(row, files: fileNames), entity: entity.name,
                            property: relationship.name, coreDataCode: violation.coreDataCode)
                    ))
            }
            guard !found.isEmpty else { return }
            for (row, problem) in found {
                if let place = recordPlace(row) {
                    session.add(problem)
                    resolver.rejects.reject(RecordID(place), row: row)
                } else {
                    // An object that was there before: its record, where it has one, cannot be taken out any more.
                    var problem = problem
                    problem.position = rows.before.places(of: row).last?.position(files: fileNames)
                    session.addFatal(problem)
                }
            }
            if session.keepsGood { try resolver.spread(session.places, rows.before, early: &early, hasLinks: hasLinks) }
            try followUp(resolver.rejects)
            guard session.keepsGood, !session.isRefused else { return }
        }
        session.addFatal(Diagnostic(.limitExceeded, "refusing records for their counts does not come to an end"))
    }
}
