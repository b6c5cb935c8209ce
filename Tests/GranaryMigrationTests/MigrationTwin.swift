import GranaryModel
import TestSupport
@testable import GranaryMigration
@testable import SeedingTestSupport

/// Random changes of a model, and what each does to objects: one object after the other, by names. It knows which
/// changes were made, while the migration finds them by comparing the models.
struct MigrationTwin {
    let old: ManagedObjectModel
    var model: ManagedObjectModel
    var content: MigrationContent
    /// The changes, for the message of a test.
    var changes: [String] = []
    var pairs: [GeneratedModel.Pair]
    var random: SeededGenerator
    /// The entity with a new uniqueness constraint, and the attribute, which nothing else changes.
    var unique: (entity: String, attribute: String, rule: StoreMigrationOptions.DuplicateRule)?
    /// The entity that was moved below another root.
    var joined: String?
    /// The relationships that were changed from to-one to to-many.
    private(set) var widened: Set<String> = []

    init(_ model: ManagedObjectModel, _ pairs: [GeneratedModel.Pair], _ content: MigrationContent, seed: UInt64) {
        self.model = model
        old = model
        self.pairs = pairs
        self.content = content
        random = SeededGenerator(seed: seed &* 31 &+ 7)
    }

    mutating func change(_ count: Int) throws {
        // Both depend on the keys of the old store.
        switch Int.random(in: 0..<4, using: &random) {
        case 0: try addConstraint()
        case 1: joinHierarchies()
        default: break
        }
        for _ in 0..<count {
            switch Int.random(in: 0..<21, using: &random) {
            case 0: renameEntity()
            case 1: renameAttribute()
            case 2: renameRelationship()
            case 3: addAttribute()
            case 4: removeAttribute()
            case 5: removePair()
            case 6: widen()
            case 7: toggleOrder()
            case 8: makeToMany()
            case 9: require()
            case 10: narrow()
            case 11: removeInverse()
            case 12: addInverse()
            case 13: removeLeaf()
            case 14: makeToOne()
            case 15: makeAbstract()
            case 16, 18: changeDestination()
            case 17, 19: changeComposite()
            default: moveUp()
            }
        }
    }

    var duplicateRules: [String: StoreMigrationOptions.DuplicateRule] {
        unique.map { [$0.entity: $0.rule] } ?? [:]
    }

    func place(_ entity: String) -> Int? { model.entities.firstIndex { $0.name == entity } }

    /// The entity and all that inherit from it.
    func family(_ entity: String) -> Set<String> {
        var found: Set = [entity]
        for _ in model.entities {
            for other in model.entities where other.superentityName.map(found.contains) ?? false {
                found.insert(other.name)
            }
        }
        return found
    }

    mutating func forEach(_ entity: String, _ body: (inout MigrationContent.Object) -> Void) {
        let family = family(entity)
        for name in content.objects.keys where family.contains(content.objects[name]?.entity ?? "") {
            content.objects[name].map { object in
                var object = object
                body(&object)
                content.objects[name] = object
            }
        }
    }

    // MARK: Entities and attributes

    private mutating func renameEntity() {
        let index = Int.random(in: 0..<model.entities.count, using: &random)
        let old = model.entities[index].name
        // A second renaming in one step is not possible.
        guard model.entities[index].renamingIdentifier == nil else { return }
        // The order of the entities changes, and so do their numbers.
        let new = ["A", "M", "Z"][Int.random(in: 0..<3, using: &random)] + old
        model.entities[index].name = new
        model.entities[index].renamingIdentifier = old
        for place in model.entities.indices {
            if model.entities[place].superentityName == old { model.entities[place].superentityName = new }
            for number in model.entities[place].relationships.indices
            where model.entities[place].relationships[number].destinationEntityName == old {
                model.entities[place].relationships[number].destinationEntityName = new
            }
        }
        if unique?.entity == old { unique?.entity = new }
        if joined == old { joined = new }
        pairs = pairs.map {
            .init(
                kind: $0.kind, owner: $0.owner == old ? new : $0.owner, name: $0.name,
                destination: $0.destination == old ? new : $0.destination, inverse: $0.inverse)
        }
        func renamed(_ name: String) -> String {
            name.hasPrefix(old + "/") ? new + name.dropFirst(old.count) : name
        }
        var objects: [String: MigrationContent.Object] = [:]
        for (name, object) in content.objects {
            var object = object
            if object.entity == old { object.entity = new }
            object.links = object.links.mapValues { $0.map(renamed) }
            objects[renamed(name)] = object
        }
        content.objects = objects
        changes.append("\(old) is \(new)")
    }

    /// An attribute that is no key and has no renaming identifier.
    private mutating func attribute() -> (entity: Int, attribute: Int)? {
        let index = Int.random(in: 0..<model.entities.count, using: &random)
        let attributes = model.entities[index].attributes
        guard !attributes.isEmpty else { return nil }
        let place = Int.random(in: 0..<attributes.count, using: &random)
        guard attributes[place].name != "key", attributes[place].renamingIdentifier == nil,
            attributes[place].type != .composite, attributes[place].name != unique?.attribute
        else { return nil }
        return (index, place)
    }

    private mutating func renameAttribute() {
        guard let (entity, place) = attribute() else { return }
        let old = model.entities[entity].attributes[place].name
        let new = "n" + old
        model.entities[entity].attributes[place].name = new
        model.entities[entity].attributes[place].renamingIdentifier = old
        forEach(model.entities[entity].name) { $0.values[new] = $0.values.removeValue(forKey: old) }
        changes.append("\(old) is \(new)")
    }

    private mutating func addAttribute() {
        let entity = Int.random(in: 0..<model.entities.count, using: &random)
        let name = "added\(changes.count)"
        var attribute = AttributeDescription(name: name, type: .string)
        switch Int.random(in: 0..<3, using: &random) {
        case 0: break
        case 1: attribute.defaultValue = "default"
        default:
            attribute.isOptional = false
            attribute.defaultValue = "required"
        }
        model.entities[entity].attributes.append(attribute)
        let text = MigrationContent.text(attribute.defaultValue)
        forEach(model.entities[entity].name) { $0.values[name] = text }
        changes.append("\(name) = \(text ?? "NULL")")
    }

    private mutating func removeAttribute() {
        guard let (entity, place) = attribute() else { return }
        let name = model.entities[entity].attributes.remove(at: place).name
        forEach(model.entities[entity].name) { $0.values[name] = nil }
        changes.append("\(name) is gone")
    }

    private mutating func widen() {
        guard let (entity, place) = attribute() else { return }
        let attribute = model.entities[entity].attributes[place]
        let wider: [AttributeType]
        switch attribute.type {
        case .boolean: wider = [.integer16, .integer32, .double, .decimal]
        case .integer16: wider = [.integer32, .integer64, .float, .double, .decimal]
        case .integer32: wider = [.integer64, .double]
        case .float: wider = [.double]
        default: return
        }
        var new = AttributeDescription(name: attribute.name, type: wider.randomElement(using: &random) ?? .double)
        new.renamingIdentifier = attribute.renamingIdentifier
        new.isOptional = attribute.isOptional
        model.entities[entity].attributes[place] = new
        changes.append("\(new.name): \(new.type)")
    }

    /// Moves an attribute to the superentity, whose other subentities have none.
    private mutating func moveUp() {
        guard let (entity, place) = attribute(),
            let parent = model.entities[entity].superentityName.flatMap({ self.place($0) })
        else { return }
        var attribute = model.entities[entity].attributes[place]
        guard attribute.isOptional, attribute.defaultValue == nil else { return }
        attribute.isOptional = true
        model.entities[entity].attributes.remove(at: place)
        model.entities[parent].attributes.append(attribute)
        changes.append("\(attribute.name) moves up")
    }

    /// A text becomes required, with a default value.
    private mutating func require() {
        guard let (entity, place) = attribute(), model.entities[entity].attributes[place].type == .string,
            // What was added has another default value.
            !model.entities[entity].attributes[place].name.hasPrefix("added")
        else { return }
        var attribute = AttributeDescription(name: model.entities[entity].attributes[place].name, type: .string)
        attribute.isOptional = false
        attribute.defaultValue = "default"
        model.entities[entity].attributes[place] = attribute
        let name = model.entities[entity].attributes[place].name
        let text = MigrationContent.text("default")
        let wasOptional = oldAttribute(name)?.isOptional ?? true
        // A store can have NULL in an attribute that was required before. It stays.
        if wasOptional {
            forEach(model.entities[entity].name) { $0.values[name] = $0.values[name] ?? text }
        }
        if let joined, self.place(joined).flatMap({ model.entities[$0].superentityName }) == model.entities[entity].name
        {
            // The attribute is new to the objects that were moved below the entity.
            forEach(joined) { $0.values[name] = text }
        }
        changes.append("\(name) is required")
    }

    /// The attribute before all changes.
    private func oldAttribute(_ name: String) -> AttributeDescription? {
        old.entities.flatMap(\.attributes).first { $0.name == name }
    }

    /// A number gets a smaller type, if all values fit it.
    private mutating func narrow() {
        guard let (entity, place) = attribute() else { return }
        let attribute = model.entities[entity].attributes[place]
        guard oldAttribute(attribute.name)?.type == attribute.type,
            [.integer64, .integer32, .double].contains(attribute.type)
        else { return }
        let family = family(model.entities[entity].name)
        let fits = content.objects.values.filter { family.contains($0.entity) }.allSatisfy { object in
            object.values[attribute.name].map { Int16($0) != nil } ?? true
        }
        guard fits else { return }
        var new = AttributeDescription(name: attribute.name, type: .integer16)
        new.isOptional = attribute.isOptional
        model.entities[entity].attributes[place] = new
        changes.append("\(new.name): \(new.type)")
    }

    /// An entity without subentities and relationships goes, with its objects.
    private mutating func removeLeaf() {
        let leaves = model.entities.filter { entity in
            !model.entities.contains { $0.superentityName == entity.name } && isAlone(entity.name)
                && !(unique.map { family($0.entity).contains(entity.name) } ?? false)
        }
        guard model.entities.count > 1, let leaf = leaves.randomElement(using: &random) else { return }
        // An entity that was renamed has the old name as its identifier.
        model.entities.removeAll { $0.name == leaf.name }
        content.objects = content.objects.filter { $0.value.entity != leaf.name }
        changes.append("\(leaf.name) is gone")
    }

    /// Whether an entity has no relationships, with those that it inherits and those that lead to it.
    private func isAlone(_ entity: String) -> Bool {
        !model.entities.contains { other in
            other.relationships.contains {
                family(other.name).contains(entity) || family($0.destinationEntityName).contains(entity)
            }
        }
    }

    // MARK: Relationships

    mutating func relationship(
        _ body: (inout RelationshipDescription) -> Void, _ entity: String, _ name: String
    ) {
        guard let index = place(entity),
            let number = model.entities[index].relationships.firstIndex(where: { $0.name == name })
        else { return }
        body(&model.entities[index].relationships[number])
    }

    mutating func pair(_ kinds: [GeneratedModel.Kind]) -> Int? {
        guard !pairs.isEmpty else { return nil }
        let index = Int.random(in: 0..<pairs.count, using: &random)
        return kinds.contains(pairs[index].kind) ? index : nil
    }

    private mutating func renameRelationship() {
        guard let index = pair(GeneratedModel.Kind.allCases) else { return }
        let pair = pairs[index]
        guard !pair.name.hasPrefix("n") else { return }
        let (old, new) = (pair.name, "n" + pair.name)
        relationship(
            {
                $0.name = new
                $0.renamingIdentifier = old
                if $0.inverseName == old { $0.inverseName = new }
            }, pair.owner, old)
        relationship({ $0.inverseName = new }, pair.destination, pair.inverse)
        pairs[index] = .init(
            kind: pair.kind, owner: pair.owner, name: new, destination: pair.destination, inverse: pair.inverse)
        forEach(pair.owner) { $0.links[new] = $0.links.removeValue(forKey: old) }
        changes.append("\(old) is \(new)")
    }

    private mutating func removePair() {
        guard let index = pair(GeneratedModel.Kind.allCases) else { return }
        let pair = pairs.remove(at: index)
        for (entity, name) in [(pair.owner, pair.name), (pair.destination, pair.inverse)] {
            guard let place = place(entity) else { continue }
            model.entities[place].relationships.removeAll { $0.name == name }
            forEach(entity) { $0.links[name] = nil }
        }
        changes.append("\(pair.name) is gone")
    }

    /// Order appears or goes. What has a new order is compared without it.
    private mutating func toggleOrder() {
        guard let index = pair([.oneToMany, .orderedOneToMany, .manyToMany, .orderedManyToMany]) else { return }
        let pair = pairs[index]
        relationship({ $0.isOrdered.toggle() }, pair.owner, pair.name)
        unordered.insert(pair.name)
        changes.append("\(pair.name) changes its order")
    }

    /// A to-one with or without an inverse becomes a to-many.
    private mutating func makeToMany() {
        guard let index = pair([.oneToMany, .orderedOneToMany, .toOne]) else { return }
        let pair = pairs[index]
        if pair.kind == .toOne {
            // Without an inverse, an object has one owner only.
            return
        }
        relationship({ $0.maxCount = 0 }, pair.destination, pair.inverse)
        widened.formUnion([pair.name, pair.inverse])
        // A list does not show links to objects that do not exist.
        let existing = Set(content.objects.keys)
        forEach(pair.destination) { $0.links[pair.inverse]?.removeAll { !existing.contains($0) } }
        pairs[index] = .init(
            kind: .manyToMany, owner: pair.owner, name: pair.name, destination: pair.destination, inverse: pair.inverse)
        changes.append("\(pair.inverse) is to-many")
    }

    /// The inverse of a one-to-many goes: one end keeps the links.
    private mutating func removeInverse() {
        guard let index = pair([.oneToMany, .orderedOneToMany]), !pairs[index].inverse.isEmpty else { return }
        let pair = pairs.remove(at: index)
        let keepsList = Bool.random(using: &random)
        let (kept, gone) = keepsList ? (pair.name, pair.inverse) : (pair.inverse, pair.name)
        let (keeper, loser) = keepsList ? (pair.owner, pair.destination) : (pair.destination, pair.owner)
        guard let place = place(loser) else { return }
        model.entities[place].relationships.removeAll { $0.name == gone }
        forEach(loser) { $0.links[gone] = nil }
        relationship({ $0.inverseName = nil }, keeper, kept)
        changes.append("\(gone) is gone, \(kept) stays")
    }

    /// A to-one without an inverse gets a to-many, which has the links to objects that exist.
    private mutating func addInverse() {
        guard let index = pair([.toOne]), let destination = place(pairs[index].destination) else { return }
        let pair = pairs.remove(at: index)
        let name = "added\(pair.name)"
        var inverse = RelationshipDescription(name: name, destination: pair.owner, inverse: pair.name)
        inverse.isOptional = true
        inverse.maxCount = 0
        model.entities[destination].relationships.append(inverse)
        relationship({ $0.inverseName = name }, pair.owner, pair.name)
        forEach(pair.destination) { $0.links[name] = [] }
        for (owner, object) in content.objects.sorted(by: { $0.key < $1.key }) {
            for member in object.links[pair.name] ?? [] { content.objects[member]?.links[name]?.append(owner) }
        }
        changes.append("\(pair.name) has the inverse \(name)")
    }

    /// The relationships that are compared without their order.
    private(set) var unordered: Set<String> = []
}
