import GranaryBase
import GranaryModel
import GranaryPersistence

/// What is wrong with a reference, and with records that refer to refused ones.
extension ReferenceResolver {
    func diagnostic(
        _ reference: ReferenceTable.Reference, _ code: Diagnostic.Code, _ message: String
    ) -> Diagnostic {
        Diagnostic(
            code, message, at: reference.place.position(files: files), field: table.field(of: reference),
            entity: schema.entities[Int(reference.entity)].name, property: table.relationship(of: reference).name)
    }

    mutating func report(
        _ reference: ReferenceTable.Reference, _ code: Diagnostic.Code, _ words: String, _ key: [UInt8],
        _ tracked: Int?, property: String? = ""
    ) {
        let text = KeyBytes.display(key[...])
        var message = "\(words) the key \(text)"
        if code == .relationshipNotFound, let wanted = KeyBytes.text(key[...]) {
            message += hint(for: wanted, in: tracked.map { keys.tracked[$0].index } ?? table.identifiers)
        }
        var problem = diagnostic(reference, code, message)
        if property == nil {
            // It is about the record's own key.
            problem.property = nil
            let field = Int(reference.ownerField)
            problem.field = table.fields.indices.contains(field) ? table.fields[field] : nil
            problem.position?.column = Int(reference.ownerColumn)
            problem.position?.byteOffset = nil
        }
        problem.value = Diagnostic.shortened(KeyBytes.text(key[...]) ?? text)
        refuse(reference, problem)
    }

    mutating func hint(for text: String, in index: KeyIndex) -> String {
        guard comparisonsLeft > 0 else { return "" }
        comparisonsLeft -= min(index.entries.count, NearestText.candidateLimit)
        return NearestText.hint(
            for: text, in: index.entries.lazy.compactMap { KeyBytes.text(index.keyBytes(of: $0)) })
    }

    /// Refuses the records whose references ask for objects that the store did not take.
    mutating func refuseUnmade(_ refused: [RowID: String]) {
        for index in resolved.indices where resolved[index].entity >= 0 && !resolved[index].isDropped {
            let target = RowID(root: root(resolved[index].entity), key: resolved[index].key)
            guard let reason = refused[target] else { continue }
            resolved[index].isDropped = true
            let reference = table.references[Int(resolved[index].reference)]
            let destination = schema.entities[Int(resolved[index].entity)].name
            refuse(
                reference,
                diagnostic(
                    reference, .relationshipNotFound,
                    "there is no \(destination) with the key \(KeyBytes.display(table.key(of: reference)[...])), and none "
                        + "can be made: \(reason)"))
        }
    }

    mutating func refuse(_ reference: ReferenceTable.Reference, because entry: KeyIndex.Entry) {
        let place = RecordPlace(file: entry.file, line: entry.line, column: 1, byteOffset: -1, record: entry.record)
        refuse(reference, refersToRefused(reference, place.position(files: files), place.describe(files)))
    }

    func refersToRefused(
        _ reference: ReferenceTable.Reference, _ position: SourcePosition?, _ name: String
    ) -> Diagnostic {
        var problem = diagnostic(reference, .relationshipNotFound, "refers to the record at \(name), which is rejected")
        problem.related = position.map { [$0] } ?? []
        return problem
    }

    mutating func refuse(_ reference: ReferenceTable.Reference, _ problem: Diagnostic) {
        note(problem)
        guard !reference.isRejected else { return }
        rejects.reject(
            RecordID(reference.place),
            row: reference.isLink ? nil : RowID(root: root(reference.entity), key: reference.owner))
    }

    // MARK: Records that refer to refused ones

    /// Refuses every record that refers to a refused one, to the last.
    ///
    /// - Parameters:
    ///   - places: where the rows of this import come from.
    ///   - changed: rows that several records speak of.
    ///   - early: references that were set as they were read, by the object that they mean.
    ///   - hasLinks: whether references are set already: then none can be left out any more.
    mutating func spread(
        _ places: RowPlaces, _ changed: BeforeImages, early: inout EarlyReferences, hasLinks: Bool = false
    ) throws {
        var dependents: [RowID: [Int]]?
        while let row = rejects.next() {
            let known = dependents ?? referencesByTarget()
            dependents = known
            let position = places.position(row, files: files)
            let name = position.map { "\($0.file):\($0.line)" } ?? "p\(row.key)"
            for index in known[row] ?? [] where !resolved[index].isDropped {
                let reference = table.references[Int(resolved[index].reference)]
                let relationship = table.relationship(of: reference)
                let owner = RowID(root: root(resolved[index].ownerEntity), key: resolved[index].owner)
                if reference.policy == .null, owner != row, !hasLinks,
                    relationship.isToMany || relationship.violations(ofCount: 0).isEmpty
                {
                    (resolved[index].entity, resolved[index].key) = (-1, 0)
                    if reference.isLink { resolved[index].isDropped = true }
                    continue
                }
                resolved[index].isDropped = true
                if owner == row, !reference.isLink { continue }
                guard !rejects.records.contains(RecordID(reference.place)) else { continue }
                refuse(reference, refersToRefused(reference, position, name))
            }
            // Nor can anybody change what is not there.
            for place in changed.places(of: row) where !rejects.records.contains(RecordID(place)) {
                note(
                    Diagnostic(
                        .objectGone, "the object comes from the record at \(name), which is rejected",
                        at: place.position(files: files), related: position.map { [$0] } ?? []))
                rejects.reject(RecordID(place), row: row)
            }
            for dependent in try early.references(to: row) {
                let place = dependent.place
                if let place, rejects.records.contains(RecordID(place)) { continue }
                note(
                    Diagnostic(
                        .relationshipNotFound, "refers to the record at \(name), which is rejected",
                        at: place?.position(files: files), entity: schema.entities[dependent.entity].name,
                        property: dependent.property, related: position.map { [$0] } ?? []))
                guard let place else { continue }
                rejects.reject(RecordID(place), row: dependent.owner)
            }
        }
    }

    /// Indexes into ``resolved`` by the objects at both ends: a link goes with its owner too.
    func referencesByTarget() -> [RowID: [Int]] {
        var found: [RowID: [Int]] = [:]
        for index in resolved.indices where resolved[index].entity >= 0 {
            let one = resolved[index]
            found[RowID(root: root(one.entity), key: one.key), default: []].append(index)
            if table.references[Int(one.reference)].isLink {
                found[RowID(root: root(one.ownerEntity), key: one.owner), default: []].append(index)
            }
        }
        return found
    }
}
