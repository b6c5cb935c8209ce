/// One thing that two versions of a model have differently.
public struct ModelDifference: Sendable, Hashable {
    /// What kind of thing changed.
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

    /// What the change asks of the stores that were written for the older version.
    public enum Migration: Sendable, Hashable {
        /// Core Data migrates nothing for it: the version hashes do not know it.
        case none
        /// Compiled models do not have it, so Core Data never sees it.
        case granaryOnly
        /// An inferred mapping model follows it. The warning says what may go wrong all the same; nil for nothing.
        case lightweight(warning: String?)
        /// No mapping model can be inferred, for this reason: one has to be written.
        case needsMapping(reason: String)

        /// A word for reports: `none`, `granaryOnly`, `lightweight`, `needsMapping`.
        public var name: String {
            switch self {
            case .none: "none"
            case .granaryOnly: "granaryOnly"
            case .lightweight: "lightweight"
            case .needsMapping: "needsMapping"
            }
        }

        /// The warning or the reason; nil for none.
        public var reason: String? {
            switch self {
            case .none, .granaryOnly: nil
            case .lightweight(let warning): warning
            case .needsMapping(let reason): reason
            }
        }
    }

    /// The entity's name in the newer version, or in the older one where it is gone; nil for what belongs to no entity.
    public let entity: String?
    /// The name of the property, index, composite, configuration or fetch request, as ``entity`` has it; nil for the
    /// entity or the model itself.
    public let property: String?
    /// What kind of thing changed.
    public let subject: Subject
    /// `added`, `removed`, `renamed` and `moved` (to or from a superentity), or the name of what changed: `type`,
    /// `isOptional`, `userInfo.KEY`.
    public let what: String
    /// What the older version says; nil for nothing.
    public let from: String?
    /// What the newer version says; nil for nothing.
    public let to: String?
    /// What the change asks of existing stores.
    public let migration: Migration
}
