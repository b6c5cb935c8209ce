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
        /// Core Data infers the mapping.
        case inferred
        /// Core Data infers the mapping, and the migration fails or loses something if objects of a store fail this
        /// check.
        case inferredIfDataFits(check: String)
        /// It is not known whether Core Data infers the mapping, for this reason.
        case unsure(reason: String)
        /// Core Data infers no mapping for this reason, so a mapping model has to be written.
        case needsMapping(reason: String)

        /// The name for reports: `none`, `inferred`, `inferredIfDataFits`, `unsure`, `needsMapping`.
        public var name: String {
            switch self {
            case .none, .granaryOnly: "none"
            case .inferred: "inferred"
            case .inferredIfDataFits: "inferredIfDataFits"
            case .unsure: "unsure"
            case .needsMapping: "needsMapping"
            }
        }

        /// The check or the reason; nil if there is none.
        public var reason: String? {
            switch self {
            case .none, .inferred: nil
            case .granaryOnly: "compiled models do not contain it"
            case .inferredIfDataFits(let check): check
            case .unsure(let reason), .needsMapping(let reason): reason
            }
        }

        /// Orders the cases: the migration of several changes is the one with the largest value.
        var severity: Int {
            switch self {
            case .none: 0
            case .granaryOnly: 1
            case .inferred: 2
            case .inferredIfDataFits: 3
            case .unsure: 4
            case .needsMapping: 5
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
