public import GranaryBase

/// The result of a ``StoreDiff``: counts for each entity, and the differences of the models.
public struct StoreDiffSummary: Sendable, Hashable {
    /// The counts of one entity, without subentities.
    public struct Entity: Sendable, Hashable {
        /// The entity's name.
        public var name: String
        /// The number of objects that both stores have with the same values.
        public var same = 0
        /// The number of objects that both stores have with different values.
        public var changed = 0
        /// The number of objects that only the first store has.
        public var onlyInA = 0
        /// The number of objects that only the second store has.
        public var onlyInB = 0

        init(_ name: String) { self.name = name }

        /// The number of differences.
        public var differences: Int { changed + onlyInA + onlyInB }
    }

    /// An entity or a property that is not the same in the two models.
    public struct SchemaDifference: Sendable, Hashable {
        /// The kind of a difference.
        public enum Kind: String, Sendable, Hashable, CaseIterable {
            /// Only the first model has the entity, or stores the property.
            case onlyInA
            /// Only the second model has the entity, or stores the property.
            case onlyInB
            /// The property has another type, destination, order or number of destinations.
            case different
        }

        /// The name of the entity.
        public var entity: String
        /// The name of the property; nil if the entity differs.
        public var property: String?
        /// The kind of the difference.
        public var kind: Kind
        /// The type of the property in the first model, for ``Kind/different``.
        public var a: String?
        /// The type of the property in the second model, for ``Kind/different``.
        public var b: String?
        /// Whether the values of the property are compared nevertheless.
        public var isCompared: Bool

        init(
            _ kind: Kind, _ entity: String, property: String? = nil, a: String? = nil, b: String? = nil,
            isCompared: Bool = false
        ) {
            self.entity = entity
            self.property = property
            self.kind = kind
            self.a = a
            self.b = b
            self.isCompared = isCompared
        }
    }

    /// A to-many relationship in which the two stores have different links of objects that do not exist.
    public struct LinkDifference: Sendable, Hashable {
        /// The name of the entity that declares the relationship.
        public var entity: String
        /// The name of the relationship.
        public var property: String
        /// The number of such links in the first store.
        public var a: Int
        /// The number of such links in the second store.
        public var b: Int
    }

    /// The counts of the entities that are not abstract, in the order of the first model.
    public internal(set) var entities: [Entity] = []
    /// The differences of the two models. They are differences of the stores too.
    public internal(set) var schema: [SchemaDifference] = []
    /// The relationships with different links of objects that do not exist. No object shows these differences.
    public internal(set) var links: [LinkDifference] = []
    /// Warnings about the stores, their models, and objects that could not be paired by their key.
    public internal(set) var warnings: [Diagnostic] = []

    init() {}

    /// Whether the stores have the same objects with the same values, and their models store the same properties.
    public var isEqual: Bool { schema.isEmpty && links.isEmpty && differences == 0 }
    /// The number of objects that differ.
    public var differences: Int { entities.reduce(0) { $0 + $1.differences } }
}
