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
    /// One-to-ones that are set at this end: the object that is claimed, and by whom.
    private var claims: [Claim: (owner: Int64, place: RecordPlace)] = [:]

    private struct Claim: Hashable {
        let relationship: Schema.Inverse
        let destination: Int64
    }

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

    /// Notes that `owner` takes `destination` for itself; gives back who has it already.
    mutating func claim(
        _ relationship: Schema.Relationship, destination: Int64, owner: Int64, place: RecordPlace
    ) -> RecordPlace? {
        guard let inverse = relationship.inverse else { return nil }
        let claim = Claim(relationship: inverse, destination: destination)
        if let earlier = claims[claim] { return earlier.place }
        claims[claim] = (owner, place)
        return nil
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

    /// Resolves everything. `set` is called for each to-one that is found, `link` for each to-many with its members in
    /// order; both only where nothing was wrong so far.
    mutating func resolve(
        in tracked: TrackedKeys, schema: Schema, files: [String],
        set: (Schema.Relationship, Int64, KeyIndex.Entry) throws -> Void,
        link: (Schema.Relationship, Int, Int64, [Link]) throws -> Void
    ) throws -> Outcome {
        var outcome = Outcome()
        var links: [ListKey: [Link]] = [:]
        var order: [(ListKey, Reference)] = []
        for reference in references {
            let key = Array(keys[reference.keyStart..<reference.keyStart + reference.keyCount])
            let index = reference.tracked.map { tracked.tracked[$0].index } ?? identifiers
            guard let entry = index.find(key), entry.twins != .different else {
                let isAmbiguous = index.find(key) != nil
                report(reference, key, in: index, isAmbiguous, schema, files, &outcome)
                continue
            }
            if entry.twins == .equal { warn(reference, key, entry, schema, files, &outcome) }
            if reference.relationship.isToMany {
                let list = ListKey(slot: reference.relationship.slot, entity: reference.entity, owner: reference.owner)
                if links[list] == nil { order.append((list, reference)) }
                links[list, default: []].append(
                    Link(owner: reference.owner, entity: Int(entry.entity), destination: entry.key))
                continue
            }
            if isOneToOne(reference.relationship, schema),
                let taken = claim(
                    reference.relationship, destination: entry.key, owner: reference.owner, place: reference.place)
            {
                add(
                    Diagnostic(
                        .relationshipTaken, "the object is taken already, by \(taken.describe(files))",
                        at: reference.place.position(files: files), field: reference.field,
                        entity: schema.entities[reference.entity].name, property: reference.relationship.name,
                        related: [taken.position(files: files)]), reference, schema, &outcome)
                continue
            }
            if outcome.rejected.isEmpty { try set(reference.relationship, reference.owner, entry) }
        }
        if outcome.rejected.isEmpty {
            for (list, reference) in order {
                try link(reference.relationship, list.entity, list.owner, links[list] ?? [])
            }
        }
        return outcome
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
