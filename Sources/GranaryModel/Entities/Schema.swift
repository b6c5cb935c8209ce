public import Foundation

/// A model that was checked as a whole: what contexts, stores, importers and exporters work on.
///
/// It never changes. Entities and properties are numbers here; names are looked up once, at the border. Made by
/// ``ManagedObjectModel/resolved()``.
public final class Schema: Sendable {
    /// The model it was made from.
    public let model: ManagedObjectModel
    /// All entities, abstract ones too, in Core Data's order: roots by name without regard to case, each followed by
    /// its subentities. An entity's number in a store (`Z_ENT`) is its index plus one.
    public let entities: [Entity]
    /// The version hash of each entity (32 bytes), as Core Data computes it.
    public let versionHashes: [String: Data]
    /// What stores keep as `NSStoreModelVersionChecksumKey`.
    public let checksum: String
    /// What stores keep as `NSStoreModelVersionHashesDigest`.
    public let digest: String

    private let indexesByName: [String: Int]

    init(model: ManagedObjectModel, entities: [Entity]) {
        self.model = model
        self.entities = entities
        let hashes = VersionHasher(entities: entities, model: model).entityHashes()
        versionHashes = Dictionary(zip(entities.map(\.name), hashes)) { first, _ in first }
        checksum = VersionHasher.checksum(versionHashes)
        digest = VersionHasher.digest(versionHashes)
        indexesByName = Dictionary(entities.map { ($0.name, $0.index) }) { first, _ in first }
    }

    /// The entity of that name; nil for none.
    public func entity(named name: String) -> Entity? {
        indexesByName[name].map { entities[$0] }
    }

    /// Whether `index` is `ancestor` itself or one of its subentities, at any depth.
    package func entity(_ index: Int, isKindOf ancestor: Int) -> Bool {
        // Subentities follow their superentity without a gap.
        entities[ancestor].family.contains(index)
    }
}

// Classes, though they are values in every other way: a copy costs one reference count, where a copy of a struct with
// all the strings of a description costs twenty, for every field of every row.
extension Schema {
    /// An entity with all that it inherits.
    public final class Entity: Sendable {
        /// Its place in ``Schema/entities``.
        public let index: Int
        /// The entity as the model has it, without inherited properties.
        public let description: EntityDescription
        /// The entity it inherits from, as an index; nil for a root.
        public let superentity: Int?
        /// The top of its hierarchy, as an index; itself for a root.
        public let root: Int
        /// Itself and all its subentities at any depth, as indexes.
        public let family: Range<Int>
        /// The attributes with inherited ones first, composites taken apart into their leaves.
        public let attributes: [Attribute]
        /// The relationships with inherited ones first.
        public let relationships: [Relationship]
        /// The inherited uniqueness constraints and its own.
        public let uniquenessConstraints: [UniquenessConstraint]
        /// How many places an object's values take: each attribute and relationship has its ``Attribute/slot``.
        public let slotCount: Int

        let slotsByName: [String: Slot]

        init(
            index: Int, description: EntityDescription, superentity: Int?, root: Int, family: Range<Int>,
            attributes: [Attribute], relationships: [Relationship], uniquenessConstraints: [UniquenessConstraint],
            slotCount: Int, slotsByName: [String: Slot], propertyNames: Set<String>
        ) {
            self.index = index
            self.description = description
            self.superentity = superentity
            self.root = root
            self.family = family
            self.attributes = attributes
            self.relationships = relationships
            self.uniquenessConstraints = uniquenessConstraints
            self.slotCount = slotCount
            self.slotsByName = slotsByName
            self.propertyNames = propertyNames
        }

        /// The entity's name in the model.
        public var name: String { description.name }
        /// The keys and values of the entity's user info in the model. (`NSEntityDescription.userInfo`)
        public var userInfo: [String: String] { description.userInfo }
        /// Whether it has no objects of its own, only its subentities do.
        public var isAbstract: Bool { description.isAbstract }
        /// Its number in a store.
        public var number: Int { index + 1 }
        /// Whether any entity inherits from it.
        public var hasSubentities: Bool { family.count > 1 }

        /// The names of its properties, own and inherited: attributes, composites as a whole, relationships and fetched
        /// properties.
        let propertyNames: Set<String>

        /// The property of that name, own or inherited; nil for none.
        public func property(named name: String) -> Slot? { slotsByName[name] }

        /// The attribute of that name, own or inherited; nil for none. A composite's leaf is `composite.leaf`.
        public func attribute(named name: String) -> Attribute? {
            if case .attribute(let index)? = slotsByName[name] { attributes[index] } else { nil }
        }

        /// The relationship of that name, own or inherited; nil for none.
        public func relationship(named name: String) -> Relationship? {
            if case .relationship(let index)? = slotsByName[name] { relationships[index] } else { nil }
        }
    }

    /// Which property a name stands for: an index into the entity's attributes or relationships.
    public enum Slot: Sendable, Hashable {
        /// An index into ``Entity/attributes``.
        case attribute(Int)
        /// An index into ``Entity/relationships``.
        case relationship(Int)
    }

    /// An attribute as one entity has it.
    public final class Attribute: Sendable {
        /// The place of its value in an object; the same in every subentity.
        public let slot: Int
        /// Its name; for a composite's leaf `composite.leaf`.
        public let name: String
        /// The entity that declares it, as an index.
        public let owner: Int
        /// The attribute itself; for a composite's leaf the leaf.
        public let description: AttributeDescription
        package let validator: AttributeValidator

        init(
            slot: Int, name: String, owner: Int, description: AttributeDescription, validator: AttributeValidator
        ) {
            self.slot = slot
            self.name = name
            self.owner = owner
            self.description = description
            self.validator = validator
        }

        /// What it holds; for a composite's leaf the type of the leaf.
        public var type: AttributeType { description.type }
        /// Whether a store keeps it.
        public var isPersistent: Bool { !description.isTransient }
    }

    /// A relationship as one entity has it.
    public final class Relationship: Sendable {
        /// The place of its value in an object; the same in every subentity.
        public let slot: Int
        /// The entity that declares it, as an index.
        public let owner: Int
        /// The relationship as the model has it.
        public let description: RelationshipDescription
        /// The declared destination, as an index.
        public let destination: Int
        /// The relationship that mirrors it; nil for none.
        public let inverse: Inverse?

        init(
            slot: Int, owner: Int, description: RelationshipDescription, destination: Int, inverse: Inverse?
        ) {
            self.slot = slot
            self.owner = owner
            self.description = description
            self.destination = destination
            self.inverse = inverse
        }

        /// The relationship's name in the model.
        public var name: String { description.name }
        /// Whether it holds a set (or an ordered set) of objects: its maximum count is not 1.
        public var isToMany: Bool { description.isToMany }
        /// Whether a store keeps it.
        public var isPersistent: Bool { !description.isTransient }

        /// The entity whose objects can be at its other end, as an index: the one that declares the inverse; without an
        /// inverse the declared destination.
        package var memberEntity: Int { inverse?.owner ?? destination }
    }

    /// The other end of a relationship.
    public struct Inverse: Sendable, Hashable {
        /// The entity that declares it, as an index.
        public let owner: Int
        /// Its index among the owner's relationships; the same in the owner's subentities.
        public let relationship: Int
    }

    /// Properties whose values together occur once among an entity and its subentities.
    public struct UniquenessConstraint: Sendable, Hashable {
        /// The entity that declares it, as an index.
        public let owner: Int
        /// Its properties, in the model's order.
        public let properties: [Slot]
        /// The names of its properties, in the model's order; a composite's leaf is `composite.leaf`.
        public let names: [String]
    }
}
