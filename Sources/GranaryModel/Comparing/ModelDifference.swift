/// One difference between two versions of a model.
public struct ModelDifference: Sendable, Hashable {
    /// The kind of item that changed.
    public enum Subject: String, Sendable, Hashable, CaseIterable {
        /// The model as a whole.
        case model
        /// An entity.
        case entity
        /// An attribute.
        case attribute
        /// A relationship.
        case relationship
        /// A fetched property.
        case fetchedProperty
        /// A uniqueness constraint of an entity.
        case uniquenessConstraint
        /// A fetch index, or a compound index of the older form.
        case index
        /// A composite, or one of its elements.
        case composite
        /// A configuration.
        case configuration
        /// A fetch request of the model.
        case fetchRequest
    }

    /// The migration that the change requires for stores of the older version.
    public enum Migration: Sendable, Hashable {
        /// No migration: the version hashes do not depend on it.
        case none
        /// No migration: compiled models do not contain it.
        case granaryOnly
        /// An inferred mapping model is enough. The warning describes a possible problem; nil if there is none.
        case lightweight(warning: String?)
        /// No mapping model can be inferred for this reason, so one has to be written.
        case needsMapping(reason: String)

        /// The name for reports: `none`, `granaryOnly`, `lightweight`, `needsMapping`.
        public var name: String {
            switch self {
            case .none: "none"
            case .granaryOnly: "granaryOnly"
            case .lightweight: "lightweight"
            case .needsMapping: "needsMapping"
            }
        }

        /// The warning or the reason; nil if there is none.
        public var reason: String? {
            switch self {
            case .none, .granaryOnly: nil
            case .lightweight(let warning): warning
            case .needsMapping(let reason): reason
            }
        }
    }

    /// The entity's name in the newer version, or in the older version if it was removed; nil if the change belongs to
    /// no entity.
    public let entity: String?
    /// The name of the property, index, composite, configuration or fetch request, chosen like ``entity``; nil for the
    /// entity or the model itself.
    public let property: String?
    /// The kind of item that changed.
    public let subject: Subject
    /// `added`, `removed`, `renamed` or `moved` (to or from a superentity), or the name of the changed value: `type`,
    /// `isOptional`, `userInfo.KEY`.
    public let what: String
    /// The value in the older version; nil if there is none.
    public let from: String?
    /// The value in the newer version; nil if there is none.
    public let to: String?
    /// The migration that existing stores require.
    public let migration: Migration
}
