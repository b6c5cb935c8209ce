import GranaryBase
import GranaryCoordination
import GranaryModel

/// Checks the number of objects that each to-many relationship will have after the import: Core Data's 1580 and 1590.
struct RelationshipCountCheck {
    let schema: Schema
    let rows: ResultingRows
    let table: ReferenceTable
    /// The references of accepted records.
    let references: [ReferenceResolver.Resolved]

    /// An object with too few or too many objects in a relationship.
    struct Broken {
        let row: RowID
        let entity: Schema.Entity
        let relationship: Schema.Relationship
        let violation: Violation
        /// The last record that changed the number; nil if no record did.
        let place: RecordLocation?
    }

    /// The number of objects in one relationship, by owner.
    private struct Counts {
        var counts: [Int64: Int] = [:]
        var places: [Int64: RecordLocation] = [:]

        mutating func add(_ owner: Int64, _ change: Int) { counts[owner, default: 0] += change }

        mutating func touch(_ owner: Int64?, _ place: RecordLocation?) {
            guard let owner, let place else { return }
            if let known = places[owner], RecordID(place) < RecordID(known) { return }
            places[owner] = place
        }
    }

    /// Checks all objects, including those that no record names, because the import can change their numbers. Only
    /// relationships with a minimum or maximum count are read.
    func run(_ report: (Broken) -> Void) throws {
        for entity in schema.entities where !entity.isAbstract {
            for relationship in entity.relationships
            where relationship.isToMany && relationship.isPersistent && relationship.hasCountRule {
                try check(relationship, of: entity, report)
            }
        }
    }

    private func check(
        _ relationship: Schema.Relationship, of entity: Schema.Entity, _ report: (Broken) -> Void
    ) throws {
        let counts: Counts
        if let inverse = schema.inverse(of: relationship), !inverse.isToMany {
            counts = try countMembers(of: relationship, inverse)
        } else {
            counts = try countLinks(of: relationship)
        }
        try rows.forEach(of: entity.index..<entity.index + 1, slots: []) { row, batch, _ in
            guard batch.rows[row.index].entity == Int32(entity.index) else { return }
            for violation in relationship.violations(ofCount: counts.counts[row.id.key] ?? 0) {
                report(
                    Broken(
                        row: row.id, entity: entity, relationship: relationship, violation: violation,
                        place: counts.places[row.id.key]))
            }
        }
    }

    private func isSame(_ one: Schema.Relationship, _ other: Schema.Relationship) -> Bool {
        LinkOwners.Relation(one) == LinkOwners.Relation(other)
    }

    /// Returns the members and places of the lists, by owner, and the links that link files add.
    private func lists(
        of relationship: Schema.Relationship
    ) -> (
        members: [Int64: [Int64]], places: [Int64: RecordLocation],
        added: [(owner: Int64, member: Int64, RecordLocation)]
    ) {
        var members: [Int64: [Int64]] = [:]
        var places: [Int64: RecordLocation] = [:]
        var added: [(owner: Int64, member: Int64, RecordLocation)] = []
        for one in references {
            let reference = table.references[Int(one.reference)]
            guard isSame(table.relationship(of: reference), relationship) else { continue }
            if reference.isLink {
                if one.entity >= 0 { added.append((one.owner, one.key, reference.place)) }
                continue
            }
            // If two records have a list for one relationship, the later one wins.
            if places[one.owner].map({ RecordID($0) != RecordID(reference.place) }) ?? true { members[one.owner] = [] }
            places[one.owner] = reference.place
            if one.entity >= 0 { members[one.owner, default: []].append(one.key) }
        }
        return (members, places, added)
    }

    // MARK: One-to-many

    private func countMembers(
        of relationship: Schema.Relationship, _ inverse: Schema.Relationship
    ) throws -> Counts {
        var counts = Counts()
        // The owners that references and lists set for members, in the order of writing.
        var owners: [Int64: (owner: Int64?, place: RecordLocation)] = [:]
        for one in references {
            let reference = table.references[Int(one.reference)]
            guard isSame(table.relationship(of: reference), inverse) else { continue }
            owners[one.owner] = (one.entity < 0 ? nil : one.key, reference.place)
        }
        let lists = lists(of: relationship)
        for (owner, place) in lists.places {
            counts.touch(owner, place)
            for member in lists.members[owner] ?? [] { owners[member] = (owner, place) }
        }
        for (owner, member, place) in lists.added { owners[member] = (owner, place) }
        try rows.forEach(of: schema.entities[inverse.owner].family, slots: [inverse.slot]) { row, batch, _ in
            var owner: Int64?
            if case .reference(let key, _) = batch[row.index, inverse.slot] { owner = key }
            if let new = owners[row.id.key] {
                counts.touch(owner, new.place)
                counts.touch(new.owner, new.place)
                owner = new.owner
            } else if let own = owner, let place = lists.places[own] {
                // The owner's list omits this member.
                counts.touch(owner, place)
                owner = nil
            } else if row.place != nil {
                counts.touch(owner, row.place)
                counts.touch(row.reference, row.place)
            }
            if let owner { counts.add(owner, 1) }
        }
        return counts
    }

    // MARK: Many-to-many

    private func countLinks(of relationship: Schema.Relationship) throws -> Counts {
        struct Pair: Hashable {
            let owner: Int64
            let member: Int64
        }
        var counts = Counts()
        let own = lists(of: relationship)
        // If a relationship is its own inverse, each link counts at both ends.
        let other = schema.inverse(of: relationship).map { isSame($0, relationship) ? own : lists(of: $0) }
        var pairs: Set<Pair> = []
        func add(_ owner: Int64, _ member: Int64, _ place: RecordLocation) {
            counts.touch(owner, place)
            if pairs.insert(Pair(owner: owner, member: member)).inserted { counts.add(owner, 1) }
        }
        for (owner, place) in own.places {
            counts.touch(owner, place)
            for member in own.members[owner] ?? [] { add(owner, member, place) }
        }
        for (owner, member, place) in own.added { add(owner, member, place) }
        for (member, place) in other?.places ?? [:] {
            for owner in other?.members[member] ?? [] { add(owner, member, place) }
        }
        for (member, owner, place) in other?.added ?? [] { add(owner, member, place) }
        try rows.store.readLinks(of: relationship, owners: nil) { link in
            if let place = own.places[link.owner] ?? other?.places[link.destination] {
                counts.touch(link.owner, place)
                return
            }
            if !pairs.contains(Pair(owner: link.owner, member: link.destination)) { counts.add(link.owner, 1) }
        }
        return counts
    }
}
