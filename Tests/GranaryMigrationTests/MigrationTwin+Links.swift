import GranaryCoordination
import GranaryModel
import TestSupport
@testable import GranaryMigration
@testable import SeedingTestSupport

/// Changes of links: to-manys that become to-ones, other destinations, and duplicates.
extension MigrationTwin {
    /// A to-many becomes a to-one: the first member stays, of an unordered one that with the lowest key.
    mutating func makeToOne() {
        guard let index = pair([.oneToMany, .orderedOneToMany, .manyToMany, .orderedManyToMany, .toMany]) else {
            return
        }
        let pair = pairs[index]
        guard !unordered.contains(pair.name), widened.isDisjoint(with: [pair.name, pair.inverse]) else { return }
        pairs.remove(at: index)
        let isOrdered = [.orderedOneToMany, .orderedManyToMany].contains(pair.kind)
        relationship(
            {
                $0.minCount = 0
                $0.maxCount = 1
                $0.isOrdered = false
                $0.isOptional = true
            }, pair.owner, pair.name)
        var kept: [String: String] = [:]
        forEach(pair.owner) { object in
            let members = object.links[pair.name] ?? []
            let first = isOrdered ? members.first : members.min { Self.key($0) < Self.key($1) }
            object.links[pair.name] = first.map { [$0] } ?? []
        }
        for (name, object) in content.objects { kept[name] = object.links[pair.name]?.first }
        if pair.kind != .toMany {
            let existing = Set(content.objects.keys)
            for name in existing where content.objects[name]?.links[pair.inverse] != nil {
                // References to objects that do not exist stay.
                content.objects[name]?.links[pair.inverse]?.removeAll { existing.contains($0) && kept[$0] != name }
            }
        }
        changes.append("\(pair.name) is to-one")
    }

    /// A relationship without an inverse leads to the superentity, or to a subentity: links to other objects go.
    mutating func changeDestination() {
        let destinations = pairs.indices.flatMap { index in
            let pair = pairs[index]
            guard [.toOne, .toMany].contains(pair.kind) else { return [] as [(Int, String)] }
            let children = model.entities.filter { $0.superentityName == pair.destination }.map(\.name)
            let parent = place(pair.destination).flatMap { model.entities[$0].superentityName }
            return (children + [parent].compactMap(\.self)).map { (index, $0) }
        }
        guard let (index, new) = destinations.randomElement(using: &random) else { return }
        let pair = pairs[index]
        pairs.remove(at: index)
        relationship({ $0.destinationEntityName = new }, pair.owner, pair.name)
        let possible = family(new)
        forEach(pair.owner) { object in
            object.links[pair.name]?.removeAll { !possible.contains(String($0.prefix { $0 != "/" })) }
        }
        changes.append("\(pair.name) leads to \(new), not \(pair.destination)")
    }

    // MARK: Duplicates

    /// An attribute becomes unique. Links to the objects that go lead to the first or the last one of those that are equal.
    mutating func addConstraint() throws {
        let candidates = model.entities.flatMap { entity in
            entity.attributes.filter { [.boolean, .integer16, .string].contains($0.type) && $0.name != "key" }
                .map { (entity.name, $0.name) }
        }
        guard let (entity, attribute) = candidates.randomElement(using: &random), let index = place(entity) else {
            return
        }
        let rule: StoreMigrationOptions.DuplicateRule = Bool.random(using: &random) ? .first : .last
        unique = (entity, attribute, rule)
        model.entities[index].uniquenessConstraints.append([attribute])
        let concerned = family(entity)
        var kept: [String: String] = [:]
        let objects = content.objects.filter { concerned.contains($0.value.entity) }
            .sorted { Self.key($0.key) < Self.key($1.key) }
        for (name, object) in rule == .first ? objects : objects.reversed() {
            if let value = object.values[attribute], kept[value] == nil { kept[value] = name }
        }
        var replacements: [String: String] = [:]
        for (name, object) in objects {
            guard let value = object.values[attribute], let other = kept[value], other != name else { continue }
            replacements[name] = other
        }
        for pair in pairs { try turn(pair, replacements) }
        content.objects = content.objects.filter { replacements[$0.key] == nil }
        changes.append("\(attribute) is unique, \(rule) is kept")
    }

    private struct Pair: Hashable {
        let owner: String
        let member: String
    }

    /// Links of the objects that go become links of those that stay, as far as these are free.
    private mutating func turn(_ pair: GeneratedModel.Pair, _ replacements: [String: String]) throws {
        func isGone(_ name: String) -> Bool { replacements[name] != nil }
        func object(_ name: String) -> String { replacements[name] ?? name }
        func isOf(_ name: String, _ entity: String) -> Bool {
            family(entity).contains(String(name.prefix { $0 != "/" }))
        }
        let isOwnInverse = pair.kind == .ownInverse
        let names = content.objects.keys.sorted { Self.key($0) < Self.key($1) }
        var links: [Pair] = []
        // References to objects that do not exist are at the other end only.
        let isReadFromMember = [.oneToMany, .orderedOneToMany].contains(pair.kind)
        for name in names {
            for other in content.objects[name]?.links[isReadFromMember ? pair.inverse : pair.name] ?? [] {
                links.append(isReadFromMember ? Pair(owner: other, member: name) : Pair(owner: name, member: other))
            }
        }
        if pair.kind == .oneToOne {
            // Of several, the first one counts that is read from the end with the lower number.
            let schema = try model.resolved()
            guard let (here, there) = ends(of: pair, schema) else { return }
            if (there.owner, there.slot) < (here.owner, here.slot) {
                links.sort { Self.key($0.member) < Self.key($1.member) }
            }
        }
        let membersHaveOneOwner = [.oneToOne, .oneToMany, .orderedOneToMany, .toMany].contains(pair.kind)
        let ownersHaveOneMember = pair.kind == .oneToOne
        var held: Set<Pair> = []
        var owners: [String: String] = [:]
        var members: [String: String] = [:]
        func isDirect(_ link: Pair) -> Bool {
            switch pair.kind {
            case .oneToOne: !isGone(link.owner) && !isGone(link.member)
            case .oneToMany, .orderedOneToMany, .toMany: !isGone(link.member)
            // A value of an object goes with it.
            default: true
            }
        }
        for link in links.filter(isDirect) + links.filter({ !isDirect($0) }) {
            if pair.kind == .toOne, isGone(link.owner) { continue }
            let new = Pair(owner: object(link.owner), member: object(link.member))
            if new.owner != link.owner, !isOf(new.owner, pair.owner) { continue }
            if new.member != link.member, !isOf(new.member, pair.destination) { continue }
            if !held.contains(new) {
                if membersHaveOneOwner, owners[new.member] != nil { continue }
                if ownersHaveOneMember, members[new.owner] != nil { continue }
            }
            held.insert(new)
            owners[new.member] = new.owner
            members[new.owner] = new.member
        }
        // The lists: those of objects that stay first, then those of the objects that they stand for.
        var lists: [String: [String]] = [:]
        var inverses: [String: [String]] = [:]
        for name in names.filter({ !isGone($0) }) + names.filter(isGone) {
            for other in content.objects[name]?.links[pair.name] ?? [] {
                let (owner, member) = (object(name), object(other))
                if held.contains(Pair(owner: owner, member: member)), !(lists[owner]?.contains(member) ?? false) {
                    lists[owner, default: []].append(member)
                }
            }
        }
        for link in held { inverses[link.member, default: []].append(link.owner) }
        for name in names where content.objects[name]?.links[pair.name] != nil {
            content.objects[name]?.links[pair.name] = lists[name] ?? []
        }
        guard !isOwnInverse, ![.toOne, .toMany].contains(pair.kind) else { return }
        for name in names where content.objects[name]?.links[pair.inverse] != nil {
            content.objects[name]?.links[pair.inverse] = (inverses[name] ?? []).sorted()
        }
    }

    private func ends(
        of pair: GeneratedModel.Pair, _ schema: Schema
    ) -> (here: (owner: Int, slot: Int), there: (owner: Int, slot: Int))? {
        guard let here = schema.entity(named: pair.owner)?.relationship(named: pair.name),
            let there = schema.entity(named: pair.destination)?.relationship(named: pair.inverse)
        else { return nil }
        return ((here.owner, here.slot), (there.owner, there.slot))
    }
}
