import GranaryBase
import GranaryModel
import GranaryPersistence

/// Finds the objects that an import's references mean, once all rows are known, and refuses the records whose references
/// mean nothing, several objects, or one that another has.
struct ReferenceResolver {
    /// A reference whose two ends are known.
    struct Resolved {
        /// An index into the table's references.
        let reference: Int32
        let ownerEntity: Int32
        let owner: Int64
        /// -1: a list without members.
        let entity: Int32
        let key: Int64
        /// Left out after all: what it means was refused, and that was to leave it empty.
        var isDropped = false
    }

    let schema: Schema
    let files: [String]
    /// Whether records that refer to refused ones are refused too; otherwise nothing is kept anyway.
    let keepsGood: Bool
    let table: ReferenceTable
    private(set) var keys: TrackedKeys
    private(set) var resolved: [Resolved] = []
    var rejects: LateRejects
    private var holders: LinkHolders
    private let maker: LookupMaker
    private var keysGiven: ImportKeys
    private let note: (Diagnostic) -> Void

    init(
        schema: Schema, files: [String], keepsGood: Bool, table: ReferenceTable, keys: TrackedKeys,
        rejects: LateRejects, store: any PersistentStore, maker: LookupMaker, keysGiven: ImportKeys,
        note: @escaping (Diagnostic) -> Void
    ) {
        self.schema = schema
        self.files = files
        self.keepsGood = keepsGood
        self.table = table
        self.keys = keys
        self.rejects = rejects
        self.maker = maker
        self.keysGiven = keysGiven
        self.note = note
        holders = LinkHolders(schema: schema, store: store)
    }

    /// What the look-ups' objects have taken is known here.
    var keysGivenNow: ImportKeys { keysGiven }

    private func root(_ entity: Int32) -> Int { schema.entities[Int(entity)].root }

    mutating func resolve() throws {
        // Rows say anew what they speak of, whoever had it.
        for reference in table.references where !reference.isLink && !reference.isRejected {
            holders.restate(table.relationship(of: reference), owner: reference.owner)
        }
        var listed: Set<LinkHolders.Relation> = []
        for relationship in table.relationships where relationship.isToMany {
            listed.insert(LinkHolders.Relation(relationship))
        }
        var members: [Int] = []
        for index in table.references.indices {
            let reference = table.references[index]
            let relationship = table.relationship(of: reference)
            guard let owner = findOwner(of: reference, relationship) else { continue }
            guard reference.target != .nothing else {
                resolved.append(
                    Resolved(
                        reference: Int32(index), ownerEntity: owner.entity, owner: owner.key, entity: -1, key: 0))
                continue
            }
            guard let found = try find(reference, relationship) else { continue }
            if relationship.isToMany {
                members.append(resolved.count)
            } else if let inverse = inverse(of: relationship) {
                if !inverse.isToMany {
                    guard try claimBoth(reference, relationship, inverse, found.key) else { continue }
                } else if listed.contains(LinkHolders.Relation(inverse)) {
                    holders.note(inverse, destination: owner.key, owner: found.key, place: reference.place)
                }
            }
            resolved.append(
                Resolved(
                    reference: Int32(index), ownerEntity: owner.entity, owner: owner.key, entity: found.entity,
                    key: found.key))
        }
        // Behind the to-ones, so that a list and its members' own fields can be seen to disagree.
        for index in members { try claimMember(index) }
    }

    private func inverse(of relationship: Schema.Relationship) -> Schema.Relationship? {
        relationship.inverse.map { schema.entities[$0.owner].relationships[$0.relationship] }
    }

    /// Who has the reference; a link's owner is found by its key.
    private mutating func findOwner(
        of reference: ReferenceTable.Reference, _ relationship: Schema.Relationship
    ) -> (entity: Int32, key: Int64)? {
        guard reference.isLink else { return (reference.entity, reference.owner) }
        let key = table.ownerKey(of: reference)
        let index = keys.tracked[Int(reference.ownerTracked)].index
        let name = schema.entities[Int(reference.entity)].name
        guard let entry = index.find(key), entry.twins != .different else {
            let isAmbiguous = index.find(key) != nil
            report(
                reference, isAmbiguous ? .relationshipAmbiguous : .relationshipNotFound,
                isAmbiguous ? "several \(name) objects have" : "there is no \(name) with", key, in: index, property: nil
            )
            return nil
        }
        if entry.isRejected, keepsGood {
            refuse(reference, because: entry)
            return nil
        }
        return (entry.entity, entry.key)
    }

    private mutating func find(
        _ reference: ReferenceTable.Reference, _ relationship: Schema.Relationship
    ) throws -> (entity: Int32, key: Int64)? {
        let tracked: Int?
        switch reference.target {
        case .nothing: return nil
        case .object(let entity, let key): return (entity, key)
        case .identifier: tracked = nil
        case .key(let number): tracked = Int(number)
        }
        let key = table.key(of: reference)
        let index = tracked.map { keys.tracked[$0].index } ?? table.identifiers
        guard let entry = index.find(key) else { return missing(reference, relationship, tracked, key, in: index) }
        let destination = schema.entities[relationship.destination].name
        if entry.isRejected {
            guard keepsGood else { return (entry.entity, entry.key) }
            if reference.policy == .null { return nil }
            refuse(reference, because: entry)
            return nil
        }
        if entry.twins == .different {
            report(reference, .relationshipAmbiguous, "several \(destination) objects have", key, in: index)
            return nil
        }
        guard schema.entity(Int(entry.entity), isKindOf: relationship.destination) else {
            let found = schema.entities[Int(entry.entity)].name
            refuse(
                reference,
                diagnostic(
                    reference, .relationshipNotFound,
                    "\(KeyBytes.display(key[...])) is an object of \(found), not of \(destination)"))
            return nil
        }
        if entry.twins == .equal {
            var warning = diagnostic(
                reference, .relationshipAmbiguous,
                "several equal \(destination) objects have the key \(KeyBytes.display(key[...])); the first is taken")
            warning.severity = .warning
            note(warning)
        }
        return (entry.entity, entry.key)
    }

    private mutating func missing(
        _ reference: ReferenceTable.Reference, _ relationship: Schema.Relationship, _ tracked: Int?, _ key: [UInt8],
        in index: KeyIndex
    ) -> (entity: Int32, key: Int64)? {
        let destination = schema.entities[relationship.destination].name
        switch reference.policy {
        case .null:
            // What is required cannot be left out.
            guard !relationship.isToMany, let violation = relationship.violations(ofCount: 0).first else { return nil }
            refuse(
                reference,
                diagnostic(
                    reference, .relationshipNotFound,
                    "there is no \(destination) with the key \(KeyBytes.display(key[...])), and \(violation.message)"))
            return nil
        case .create:
            guard let tracked, !reference.isRejected else { break }
            let result = maker.make(tracked, key, relationship, in: &keys) { keysGiven.next(root: $0) }
            switch result {
            case .success(let made): return made
            case .failure(let problem):
                refuse(
                    reference,
                    diagnostic(
                        reference, .relationshipNotFound,
                        "there is no \(destination) with the key \(KeyBytes.display(key[...])), and none can be made: "
                            + problem.reason))
                return nil
            }
        case .error: break
        }
        report(reference, .relationshipNotFound, "there is no \(destination) with", key, in: index)
        return nil
    }

    // MARK: Objects that only one may hold

    /// A one-to-one has two ends, and each may be taken.
    private mutating func claimBoth(
        _ reference: ReferenceTable.Reference, _ relationship: Schema.Relationship, _ inverse: Schema.Relationship,
        _ key: Int64
    ) throws -> Bool {
        var holder = try holders.claim(
            relationship, destination: key, owner: reference.owner, place: reference.place)
        if holder == nil {
            holder = try holders.claim(
                inverse, destination: reference.owner, owner: key, place: reference.place)
        }
        if let holder { taken(reference, by: holder) }
        return holder == nil
    }

    /// A member of a to-many whose other end is not a to-many has one owner.
    private mutating func claimMember(_ index: Int) throws {
        let reference = table.references[Int(resolved[index].reference)]
        let relationship = table.relationship(of: reference)
        if let inverse = inverse(of: relationship), inverse.isToMany { return }
        let holder = try holders.claim(
            relationship, destination: resolved[index].key, owner: resolved[index].owner, place: reference.place)
        guard let holder else { return }
        taken(reference, by: holder)
        resolved[index].isDropped = true
    }

    private mutating func taken(_ reference: ReferenceTable.Reference, by holder: LinkHolders.Holder) {
        let who = holder.place?.describe(files) ?? "the object p\(holder.owner) in the store"
        var problem = diagnostic(reference, .relationshipTaken, "the object is taken already, by \(who)")
        problem.related = holder.place.map { [$0.position(files: files)] } ?? []
        refuse(reference, problem)
    }

    // MARK: What is wrong

    private func diagnostic(
        _ reference: ReferenceTable.Reference, _ code: Diagnostic.Code, _ message: String
    ) -> Diagnostic {
        Diagnostic(
            code, message, at: reference.place.position(files: files), field: table.field(of: reference),
            entity: schema.entities[Int(reference.entity)].name, property: table.relationship(of: reference).name)
    }

    private mutating func report(
        _ reference: ReferenceTable.Reference, _ code: Diagnostic.Code, _ words: String, _ key: [UInt8],
        in index: KeyIndex, property: String? = ""
    ) {
        let text = KeyBytes.display(key[...])
        var message = "\(words) the key \(text)"
        if code == .relationshipNotFound, let wanted = KeyBytes.text(key[...]) {
            message += hint(for: wanted, in: index)
        }
        var problem = diagnostic(reference, code, message)
        if property == nil { problem.property = nil }
        problem.value = Diagnostic.shortened(KeyBytes.text(key[...]) ?? text)
        refuse(reference, problem)
    }

    /// A hint costs a walk over thousands of keys, so a file full of wrong ones gets them for the first.
    private var hintsLeft = 1000

    private mutating func hint(for text: String, in index: KeyIndex) -> String {
        guard hintsLeft > 0 else { return "" }
        hintsLeft -= 1
        return NearestText.hint(
            for: text, in: index.entries.lazy.compactMap { KeyBytes.text(index.keyBytes(of: $0)) })
    }

    private mutating func refuse(_ reference: ReferenceTable.Reference, because entry: KeyIndex.Entry) {
        let place = RecordPlace(file: entry.file, line: entry.line, column: 1, byteOffset: -1, record: entry.record)
        refuse(reference, refersToRefused(reference, place.position(files: files), place.describe(files)))
    }

    private func refersToRefused(
        _ reference: ReferenceTable.Reference, _ position: SourcePosition?, _ name: String
    ) -> Diagnostic {
        var problem = diagnostic(reference, .relationshipNotFound, "refers to the record at \(name), which is rejected")
        problem.related = position.map { [$0] } ?? []
        return problem
    }

    private mutating func refuse(_ reference: ReferenceTable.Reference, _ problem: Diagnostic) {
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
    ///   - early: references that were set as they were read, by the object that they mean.
    mutating func spread(_ places: RowPlaces, early: inout EarlyReferences) throws {
        var dependents: [RowID: [Int]]?
        while let row = rejects.next() {
            // An object that was there before is still there.
            guard places[row] != nil else { continue }
            let known = dependents ?? referencesByTarget()
            dependents = known
            let position = places.position(row, files: files)
            let name = position.map { "\($0.file):\($0.line)" } ?? "p\(row.key)"
            for index in known[row] ?? [] where !resolved[index].isDropped {
                resolved[index].isDropped = true
                let reference = table.references[Int(resolved[index].reference)]
                let owner = RowID(root: root(resolved[index].ownerEntity), key: resolved[index].owner)
                if owner == row, !reference.isLink { continue }
                if reference.policy == .null, owner != row { continue }
                guard !rejects.contains(owner) || reference.isLink, !rejects.records.contains(RecordID(reference.place))
                else { continue }
                refuse(reference, refersToRefused(reference, position, name))
            }
            for dependent in try early.references(to: row) where !rejects.contains(dependent.owner) {
                let place = dependent.place
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
    private func referencesByTarget() -> [RowID: [Int]] {
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
