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
        var entity: Int32
        var key: Int64
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
    /// Claims that hold as long as other records stay.
    private var reliant: [(reference: Int, key: Int64, holder: Int64, records: [RecordID])] = []
    private let maker: LookupMaker
    private let places: RowPlaces
    private var keysGiven: ImportKeys
    private let note: (Diagnostic) -> Void

    init(
        schema: Schema, files: [String], keepsGood: Bool, table: ReferenceTable, keys: TrackedKeys,
        rejects: LateRejects, store: any PersistentStore, maker: LookupMaker, places: RowPlaces, keysGiven: ImportKeys,
        note: @escaping (Diagnostic) -> Void
    ) {
        self.schema = schema
        self.files = files
        self.keepsGood = keepsGood
        self.table = table
        self.keys = keys
        self.rejects = rejects
        self.maker = maker
        self.places = places
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
            holders.restate(
                table.relationship(of: reference), owner: reference.owner, by: RecordID(reference.place))
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
            if found.entity < 0 {
                resolved.append(
                    Resolved(
                        reference: Int32(index), ownerEntity: owner.entity, owner: owner.key, entity: -1, key: 0))
                continue
            }
            if relationship.isToMany {
                members.append(resolved.count)
            } else if let inverse = inverse(of: relationship) {
                if !inverse.isToMany {
                    guard try claimBoth(index, relationship, inverse, found.key) else { continue }
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
        let tracked = Int(reference.ownerTracked)
        let found = keys.tracked[tracked].index.find(key)
        let name = schema.entities[Int(reference.entity)].name
        guard let entry = found, entry.twins != .different else {
            let isAmbiguous = found != nil
            report(
                reference, isAmbiguous ? .relationshipAmbiguous : .relationshipNotFound,
                isAmbiguous ? "several \(name) objects have" : "there is no \(name) with", key, tracked, property: nil)
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
        // The index is not held: look-ups may add to it, and would copy it each time.
        let found = tracked.map { keys.tracked[$0].index.find(key) } ?? table.identifiers.find(key)
        guard let entry = found else { return missing(reference, relationship, tracked, key) }
        let destination = schema.entities[relationship.destination].name
        if entry.isRejected {
            guard keepsGood else { return (entry.entity, entry.key) }
            if reference.policy == .null { return leaveOut(reference, relationship, key) }
            refuse(reference, because: entry)
            return nil
        }
        if entry.twins == .different {
            report(reference, .relationshipAmbiguous, "several \(destination) objects have", key, tracked)
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
        _ reference: ReferenceTable.Reference, _ relationship: Schema.Relationship, _ tracked: Int?, _ key: [UInt8]
    ) -> (entity: Int32, key: Int64)? {
        let destination = schema.entities[relationship.destination].name
        switch reference.policy {
        case .null: return leaveOut(reference, relationship, key)
        case .create:
            guard let tracked else { break }
            // For a record that is refused anyway nothing is made, and nothing is missing.
            guard !reference.isRejected else { return nil }
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
        report(reference, .relationshipNotFound, "there is no \(destination) with", key, tracked)
        return nil
    }

    /// A reference to nothing that is to be left empty: entity -1. What is required cannot be.
    private mutating func leaveOut(
        _ reference: ReferenceTable.Reference, _ relationship: Schema.Relationship, _ key: [UInt8]
    ) -> (entity: Int32, key: Int64)? {
        guard !relationship.isToMany, let violation = relationship.violations(ofCount: 0).first else {
            return reference.isLink ? nil : (-1, 0)
        }
        let destination = schema.entities[relationship.destination].name
        refuse(
            reference,
            diagnostic(
                reference, .relationshipNotFound,
                "there is no \(destination) with the key \(KeyBytes.display(key[...])), and \(violation.message)"))
        return nil
    }

    // MARK: Objects that only one may hold

    /// A one-to-one has two ends, and each may be taken.
    private mutating func claimBoth(
        _ number: Int, _ relationship: Schema.Relationship, _ inverse: Schema.Relationship, _ key: Int64
    ) throws -> Bool {
        let reference = table.references[number]
        for (end, destination, owner) in [(relationship, key, reference.owner), (inverse, reference.owner, key)] {
            let claim = try holders.claim(end, destination: destination, owner: owner, place: reference.place)
            guard take(claim, number, key) else {
                return false
            }
        }
        return true
    }

    /// Whether a claim is granted; one that rests on others' records is remembered.
    private mutating func take(_ claim: LinkHolders.Claim, _ number: Int, _ key: Int64) -> Bool {
        switch claim {
        case .free: return true
        case .released(let holder, let records):
            reliant.append((number, key, holder, records))
            return true
        case .held(let holder):
            taken(table.references[number], key, by: holder)
            return false
        }
    }

    /// Refuses records that have what others were to let go of, where those are refused.
    ///
    /// - Returns: whether there were any.
    mutating func refuseReliant() -> Bool {
        var found = false
        for (number, key, holder, records) in reliant {
            let reference = table.references[number]
            guard records.allSatisfy(rejects.records.contains), !rejects.records.contains(RecordID(reference.place)),
                !reference.isRejected
            else { continue }
            taken(reference, key, by: LinkHolders.Holder(owner: holder, place: nil))
            found = true
        }
        return found
    }

    /// A member of a to-many whose other end is not a to-many has one owner.
    private mutating func claimMember(_ index: Int) throws {
        let reference = table.references[Int(resolved[index].reference)]
        let relationship = table.relationship(of: reference)
        if let inverse = inverse(of: relationship), inverse.isToMany { return }
        let claim = try holders.claim(
            relationship, destination: resolved[index].key, owner: resolved[index].owner, place: reference.place)
        if !take(claim, Int(resolved[index].reference), resolved[index].key) { resolved[index].isDropped = true }
    }

    private mutating func taken(_ reference: ReferenceTable.Reference, _ key: Int64, by holder: LinkHolders.Holder) {
        // What was set as it was read is in the store already; its record is known all the same.
        let relationship = table.relationship(of: reference)
        var early: SourcePosition?
        if holder.place == nil {
            early =
                place(of: RowID(root: schema.entities[relationship.destination].root, key: key))
                ?? place(of: RowID(root: schema.entities[relationship.owner].root, key: holder.owner))
        }
        let who =
            holder.place?.describe(files) ?? early.map { "\($0.file):\($0.line)" }
            ?? "the object p\(holder.owner) in the store"
        var problem = diagnostic(reference, .relationshipTaken, "the object is taken already, by \(who)")
        problem.related = holder.place.map { [$0.position(files: files)] } ?? early.map { [$0] } ?? []
        refuse(reference, problem)
    }

    /// Where the record stands that has made the object or changes it; looked for among all keys, so not for ever.
    private mutating func place(of row: RowID) -> SourcePosition? {
        if let place = places.position(row, files: files) { return place }
        guard comparisonsLeft > 0 else { return nil }
        let (place, count) = keys.recordPlace(of: row)
        comparisonsLeft -= count / 20
        return place?.position(files: files)
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

    /// A hint costs a walk over thousands of keys, so of a file full of wrong ones the first get them: as many as this
    /// number of keys compared allows.
    private var comparisonsLeft = 1_000_000

    private mutating func hint(for text: String, in index: KeyIndex) -> String {
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
