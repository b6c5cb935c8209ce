import GranaryBase
import GranaryFormats
import GranaryModel
import GranaryPersistence

/// The relationships that an import has still to set: references to objects that come later, the members of to-many
/// relationships, and the other ends of one-to-ones. Resolved in one go when all rows are there, so files may come in any
/// order and refer forward, to themselves and in circles.
struct ReferenceTable {
    /// One reference of one row, as its field said it.
    struct Reference {
        let relationship: Schema.Relationship
        let entity: Int
        let owner: Int64
        /// Which index of ``TrackedKeys`` finds the object; nil for an identifier.
        let tracked: Int?
        let keyStart: Int
        let keyCount: Int
        let place: RecordPlace
        let field: String?
        /// Whether the row was refused for something else already.
        let isRejected: Bool
    }

    private var references: [Reference] = []
    private var keys: [UInt8] = []
    /// Objects by the identifier that the source gave them: root entity and key there, to entity and key here.
    private(set) var identifiers = KeyIndex()
    private var holders = LinkHolders()

    mutating func addIdentifier(_ key: [UInt8], entity: Int32, object: Int64, place: RecordPlace) -> KeyIndex.Entry? {
        identifiers.insert(
            key, entity: entity, object: object, record: place.record, line: place.line, file: place.file)
    }

    mutating func postpone(
        _ relationship: Schema.Relationship, entity: Int, owner: Int64, tracked: Int?, key: [UInt8], place: RecordPlace,
        field: String?, isRejected: Bool
    ) {
        references.append(
            Reference(
                relationship: relationship, entity: entity, owner: owner, tracked: tracked, keyStart: keys.count,
                keyCount: key.count, place: place, field: field, isRejected: isRejected))
        keys.append(contentsOf: key)
    }

    /// What the resolution of all references found out.
    struct Outcome {
        var diagnostics: [Diagnostic] = []
        /// Rows that are refused because of it, by key and root entity, each once. Rows refused before are not among
        /// them.
        var rejected: Set<RowID> = []
    }

    struct RowID: Hashable {
        let root: Int
        let key: Int64
    }

    /// How a resolution reaches the store.
    struct StoreAccess {
        /// Sets a to-one that is found: of an entity's object with that key.
        let set: (Schema.Relationship, Int, Int64, KeyIndex.Entry) throws -> Void
        /// Sets a to-many with its members in order: of an entity's object with that key.
        let link: (Schema.Relationship, Int, Int64, [Link]) throws -> Void
        /// Who holds what over a relationship, by the keys held.
        let holders: (Schema.Relationship) throws -> [Int64: Int64]
    }

    /// Resolves everything.
    ///
    /// - Parameter isClean: whether nothing was wrong so far. Only then, and as long as nothing is found to be, is anything
    ///   set.
    mutating func resolve(
        in tracked: TrackedKeys, schema: Schema, files: [String], isClean: Bool, _ access: StoreAccess
    ) throws -> Outcome {
        var outcome = Outcome()
        var lists: [ListKey: Int] = [:]
        var found: [(key: ListKey, first: Reference, links: [Link], members: Set<Int64>)] = []
        var members: [(list: Int, reference: Reference, entry: KeyIndex.Entry)] = []
        for reference in references {
            let key = Array(keys[reference.keyStart..<reference.keyStart + reference.keyCount])
            let index = reference.tracked.map { tracked.tracked[$0].index } ?? identifiers
            guard let entry = index.find(key), entry.twins != .different else {
                let isAmbiguous = index.find(key) != nil
                report(reference, key, in: index, isAmbiguous, schema, files, &outcome)
                continue
            }
            guard schema.entities[reference.relationship.destination].family.contains(Int(entry.entity)) else {
                wrongEntity(reference, key, entry, schema, files, &outcome)
                continue
            }
            if entry.twins == .equal { warn(reference, key, entry, schema, files, &outcome) }
            if reference.relationship.isToMany {
                let key = ListKey(slot: reference.relationship.slot, entity: reference.entity, owner: reference.owner)
                let list = lists[key] ?? found.count
                if list == found.count {
                    lists[key] = list
                    found.append((key, reference, [], []))
                }
                members.append((list, reference, entry))
                continue
            }
            if isOneToOne(reference.relationship, schema) {
                guard try claimBoth(reference, entry, schema, files, access, &outcome) else { continue }
            }
            guard isClean, outcome.rejected.isEmpty else { continue }
            do {
                try access.set(reference.relationship, reference.entity, reference.owner, entry)
            } catch let error as GranaryError where error.code == .refused {
                // A uniqueness constraint with a to-one in it: only now are all its values there.
                notUnique(reference, error, schema, files, &outcome)
            }
        }
        // Behind the to-ones, so that a list and its members' own fields can be seen to disagree.
        for (list, reference, entry) in members {
            guard try claimMember(reference, entry, schema, files, access, &outcome) else { continue }
            guard found[list].members.insert(entry.key).inserted else {
                repeated(reference, schema, files, &outcome)
                continue
            }
            found[list].links.append(
                Link(owner: reference.owner, entity: Int(entry.entity), destination: entry.key))
        }
        guard isClean, outcome.rejected.isEmpty else { return outcome }
        for list in found { try access.link(list.first.relationship, list.key.entity, list.key.owner, list.links) }
        return outcome
    }

    /// A one-to-one has two ends, and each may be taken.
    private mutating func claimBoth(
        _ reference: Reference, _ entry: KeyIndex.Entry, _ schema: Schema, _ files: [String], _ access: StoreAccess,
        _ outcome: inout Outcome
    ) throws -> Bool {
        let relationship = reference.relationship
        var holder = try holders.claim(
            relationship, destination: entry.key, owner: reference.owner, place: reference.place,
            holders: access.holders)
        if holder == nil, let inverse = relationship.inverse {
            holder = try holders.claim(
                schema.entities[inverse.owner].relationships[inverse.relationship], destination: reference.owner,
                owner: entry.key, place: reference.place, holders: access.holders)
        }
        if let holder { taken(reference, by: holder, schema, files, &outcome) }
        return holder == nil
    }

    /// A member of a to-many whose other end is not a to-many has one owner.
    private mutating func claimMember(
        _ reference: Reference, _ entry: KeyIndex.Entry, _ schema: Schema, _ files: [String], _ access: StoreAccess,
        _ outcome: inout Outcome
    ) throws -> Bool {
        if let inverse = reference.relationship.inverse,
            schema.entities[inverse.owner].relationships[inverse.relationship].isToMany
        {
            return true
        }
        let holder = try holders.claim(
            reference.relationship, destination: entry.key, owner: reference.owner, place: reference.place,
            holders: access.holders)
        if let holder { taken(reference, by: holder, schema, files, &outcome) }
        return holder == nil
    }

    private func taken(
        _ reference: Reference, by holder: LinkHolders.Holder, _ schema: Schema, _ files: [String],
        _ outcome: inout Outcome
    ) {
        let who = holder.place?.describe(files) ?? "the object p\(holder.owner) in the store"
        add(
            Diagnostic(
                .relationshipTaken, "the object is taken already, by \(who)",
                at: reference.place.position(files: files), field: reference.field,
                entity: schema.entities[reference.entity].name, property: reference.relationship.name,
                related: holder.place.map { [$0.position(files: files)] } ?? []), reference, schema, &outcome)
    }

    private func wrongEntity(
        _ reference: Reference, _ key: [UInt8], _ entry: KeyIndex.Entry, _ schema: Schema, _ files: [String],
        _ outcome: inout Outcome
    ) {
        let found = schema.entities[Int(entry.entity)].name
        let wanted = schema.entities[reference.relationship.destination].name
        add(
            Diagnostic(
                .relationshipNotFound, "\(KeyBytes.display(key[...])) is an object of \(found), not of \(wanted)",
                at: reference.place.position(files: files), field: reference.field,
                entity: schema.entities[reference.entity].name, property: reference.relationship.name), reference,
            schema, &outcome)
    }

    private func notUnique(
        _ reference: Reference, _ error: GranaryError, _ schema: Schema, _ files: [String], _ outcome: inout Outcome
    ) {
        add(
            Diagnostic(
                .uniqueDuplicate,
                "with this reference another object has the same values in what must be unique: \(error.message)",
                at: reference.place.position(files: files), field: reference.field,
                entity: schema.entities[reference.entity].name, property: reference.relationship.name,
                coreDataCode: 1551), reference, schema, &outcome)
    }

    private func repeated(
        _ reference: Reference, _ schema: Schema, _ files: [String], _ outcome: inout Outcome
    ) {
        outcome.diagnostics.append(
            Diagnostic(
                .uniqueDuplicate, "the object stands in the list twice; it is in the relationship once",
                severity: .warning, at: reference.place.position(files: files), field: reference.field,
                entity: schema.entities[reference.entity].name, property: reference.relationship.name))
    }

    private struct ListKey: Hashable {
        let slot: Int
        let entity: Int
        let owner: Int64
    }

    func isOneToOne(_ relationship: Schema.Relationship, _ schema: Schema) -> Bool {
        guard let inverse = relationship.inverse, !relationship.isToMany else { return false }
        return !schema.entities[inverse.owner].relationships[inverse.relationship].isToMany
    }

    /// Objects of one key that are equal in every attribute: the first is taken, and that is said.
    private func warn(
        _ reference: Reference, _ key: [UInt8], _ entry: KeyIndex.Entry, _ schema: Schema, _ files: [String],
        _ outcome: inout Outcome
    ) {
        let destination = schema.entities[reference.relationship.destination].name
        outcome.diagnostics.append(
            Diagnostic(
                .relationshipAmbiguous,
                "several equal \(destination) objects have the key \(KeyBytes.display(key[...])); the first is taken",
                severity: .warning, at: reference.place.position(files: files), field: reference.field,
                entity: schema.entities[reference.entity].name, property: reference.relationship.name))
    }

    private func report(
        _ reference: Reference, _ key: [UInt8], in index: KeyIndex, _ isAmbiguous: Bool, _ schema: Schema,
        _ files: [String], _ outcome: inout Outcome
    ) {
        let destination = schema.entities[reference.relationship.destination].name
        let text = KeyBytes.display(key[...])
        var message =
            isAmbiguous
            ? "several \(destination) objects have the key \(text)" : "there is no \(destination) with the key \(text)"
        if !isAmbiguous, let wanted = KeyBytes.text(key[...]) {
            let known = index.entries.lazy.compactMap { KeyBytes.text(index.keyBytes(of: $0)) }
            message += NearestText.hint(for: wanted, in: known)
        }
        add(
            Diagnostic(
                isAmbiguous ? .relationshipAmbiguous : .relationshipNotFound, message,
                at: reference.place.position(files: files), field: reference.field,
                entity: schema.entities[reference.entity].name, property: reference.relationship.name,
                value: Diagnostic.shortened(KeyBytes.text(key[...]) ?? text)), reference, schema, &outcome)
    }

    private func add(
        _ diagnostic: Diagnostic, _ reference: Reference, _ schema: Schema, _ outcome: inout Outcome
    ) {
        outcome.diagnostics.append(diagnostic)
        guard !reference.isRejected else { return }
        outcome.rejected.insert(RowID(root: schema.entities[reference.entity].root, key: reference.owner))
    }
}

extension RecordPlace {
    func describe(_ files: [String]) -> String {
        "\(files.indices.contains(Int(file)) ? files[Int(file)] : "the store"):\(line)"
    }
}
