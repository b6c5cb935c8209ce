import Foundation
import GranaryBase
import GranaryCoordination
import GranaryCoreDataStore
import GranaryModel
import GranaryPredicates
import TestSupport
import Testing

/// A store that a seed determines. Unless it is sound, its values break rules of its model, and some references mean
/// missing objects.
struct GeneratedStore {
    private struct Object {
        let entity: Schema.Entity
        let key: Int64
        /// The index of its row.
        let row: Int
    }

    private struct List {
        let relationship: Schema.Relationship
        let owner: Object
        let members: [Object]
    }

    let store: SQLiteStore
    /// Whether references are written as keys. Otherwise they are identifiers, and some mean missing objects.
    let usesKeys: Bool
    /// Whether XML can have all its texts.
    let isXML: Bool
    /// Whether required attributes have values, and all references mean objects.
    private let isSound: Bool
    private var random: SeededGenerator
    private var objects: [Object] = []
    private var lists: [List] = []
    private var rows = RowBatch()

    /// The value of an attribute of the object with a key; nil for a random one.
    typealias Planted = (Schema.Attribute, Schema.Entity, Int64) -> AttributeValue?

    /// Creates the store of a seed in a folder. Seeds differ in whether the store has keys, and texts beyond XML.
    init(
        seed: UInt64, in folder: TemporaryFolder, hasComposites: Bool = false, hasDerived: Bool = false,
        isSound: Bool = false, planted: Planted? = nil
    ) throws {
        self.isSound = isSound
        var random = SeededGenerator(seed: seed)
        usesKeys = seed % 4 >= 2
        isXML = seed % 2 == 0
        let generated = GeneratedModel(
            hasKeys: seed % 4 >= 2, hasComposites: hasComposites, hasDerived: hasDerived, &random)
        self.random = random
        let schema = try generated.model.resolved()
        store = try SQLiteStore.create(path: folder.url.appending(path: "Generated.sqlite").path, schema: schema)
        addObjects(schema, planted)
        for pair in generated.pairs { try connect(pair) }
        var last: [Int: Int64] = [:]
        for object in objects { last[object.entity.root] = max(last[object.entity.root] ?? 0, object.key) }
        try store.transaction { writer in
            for (root, key) in last { try writer.reserveKeys(root: root, through: key) }
            try writer.insert(rows)
            try writer.bulk?.finishRows()
            for list in lists {
                let links = list.members.map {
                    Link(owner: list.owner.key, entity: $0.entity.index, destination: $0.key)
                }
                try writer.setLinks(
                    list.relationship, owner: list.owner.key, ownerEntity: list.owner.entity.index, to: links)
            }
            try writer.completeOrder()
        }
    }

    // MARK: - Objects

    private mutating func addObjects(_ schema: Schema, _ planted: Planted?) {
        let texts = GeneratedValues.texts(isXML: isXML)
        var last: [Int: Int64] = [:]
        for entity in schema.entities where !entity.isAbstract {
            for _ in 0..<Int.random(in: 0...7, using: &random) {
                let key = (last[entity.root] ?? 0) + Int64.random(in: 1...3, using: &random)
                last[entity.root] = key
                let row = rows.appendRow(entity: entity.index, key: key, version: 1, slotCount: entity.slotCount)
                for attribute in entity.attributes where attribute.description.derivationExpression == nil {
                    if let value = planted?(attribute, entity, key) {
                        value.withBorrowed { rows.set($0, row: row, slot: attribute.slot) }
                        continue
                    }
                    var value: AttributeValue? =
                        attribute.name == "key"
                        ? .string("k\(entity.root);\(key)") : GeneratedValues.value(of: attribute.type, texts, &random)
                    while isSound, value == nil, !attribute.description.isOptional {
                        value = GeneratedValues.value(of: attribute.type, texts, &random)
                    }
                    value?.withBorrowed { rows.set($0, row: row, slot: attribute.slot) }
                }
                objects.append(Object(entity: entity, key: key, row: row))
            }
        }
    }

    private func objects(of name: String) throws -> [Object] {
        let family = try #require(store.schema.entity(named: name)).family
        return objects.filter { family.contains($0.entity.index) }
    }

    // MARK: - Relationships

    private mutating func connect(_ pair: GeneratedModel.Pair) throws {
        let (owners, destinations) = (try objects(of: pair.owner), try objects(of: pair.destination))
        guard !owners.isEmpty, !destinations.isEmpty else { return }
        switch pair.kind {
        case .toOne:
            for owner in owners { try refer(owner, pair.name, to: destinations) }
        case .oneToMany:
            for member in destinations { try refer(member, pair.inverse, to: owners) }
        case .oneToOne:
            for (owner, partner) in zip(owners.shuffled(using: &random), destinations.shuffled(using: &random)) {
                guard Int.random(in: 0..<3, using: &random) > 0 else { continue }
                try set(owner, pair.name, key: partner.key, entity: partner.entity.index)
                try set(partner, pair.inverse, key: owner.key, entity: owner.entity.index)
            }
        case .orderedOneToMany, .toMany:
            var members: [Int: [Object]] = [:]
            for member in destinations.shuffled(using: &random) where Int.random(in: 0..<4, using: &random) > 0 {
                members[Int.random(in: 0..<owners.count, using: &random), default: []].append(member)
            }
            for (owner, members) in members.sorted(by: { $0.key < $1.key }) {
                try link(owners[owner], pair.name, to: members)
            }
        case .manyToMany, .orderedManyToMany, .ownInverse:
            for owner in owners {
                let count = Int.random(in: 0...destinations.count, using: &random)
                try link(owner, pair.name, to: Array(destinations.shuffled(using: &random).prefix(count)))
            }
        }
    }

    /// Sets a to-one relationship to one of the objects, to none, or to one that does not exist.
    private mutating func refer(_ object: Object, _ name: String, to others: [Object]) throws {
        let choice = Int.random(in: 0..<8, using: &random)
        if choice == 0 { return }
        let other = others[Int.random(in: 0..<others.count, using: &random)]
        // A reference by key cannot name a missing object.
        let isMissing = choice == 1 && !usesKeys && !isSound
        try set(object, name, key: isMissing ? other.key + 1000 : other.key, entity: other.entity.index)
    }

    private mutating func set(_ object: Object, _ name: String, key: Int64, entity: Int) throws {
        let relationship = try #require(object.entity.relationship(named: name))
        rows[object.row, relationship.slot] = .reference(key: key, entity: Int32(entity))
    }

    private mutating func link(_ owner: Object, _ name: String, to members: [Object]) throws {
        guard !members.isEmpty else { return }
        lists.append(
            List(relationship: try #require(owner.entity.relationship(named: name)), owner: owner, members: members))
    }
}
