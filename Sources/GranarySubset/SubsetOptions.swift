public import Foundation
package import GranaryBase
import GranaryModel
public import GranaryPredicates
public import GranaryRecords

/// The options of a ``Subset``: which objects it takes, and what happens to their values.
public struct SubsetOptions: Sendable {
    /// Objects of one entity and its subentities.
    public struct Selection: Sendable {
        /// The name of the entity.
        public var entity: String
        /// The condition on the objects; nil for all.
        public var predicate: ObjectPredicate?
        /// The largest number of objects: the first ones by their primary keys; nil for all.
        public var limit: Int?
        /// A part of the objects, which ``SubsetOptions/randomSeed`` determines; nil for all.
        public var sample: Sample?
        /// The text of the condition, in which messages show a place; nil without one.
        package var condition: String?

        /// Chooses the objects of an entity that satisfy a predicate; without one, all of them.
        public init(_ entity: String, where predicate: ObjectPredicate? = nil) {
            self.entity = entity
            self.predicate = predicate
        }
    }

    /// A part of the objects that a selection finds. The same seed chooses the same objects, and a larger sample contains
    /// a smaller one.
    public enum Sample: Sendable, Hashable {
        /// This many objects, or all if there are fewer.
        case count(Int)
        /// This percentage of them, rounded up.
        case percent(Double)
    }

    /// A to-many relationship of which each chosen object brings members.
    public struct Follow: Sendable {
        /// The relationship, as `Entity.relationship`.
        public var relationship: String
        /// The condition on the members; nil for all.
        public var predicate: ObjectPredicate?
        /// The order of the members; empty for that of the relationship.
        public var sortDescriptors: [ObjectSortDescriptor] = []
        /// The largest number of members of one object: the first ones; nil for all.
        public var limit: Int?

        /// Follows a relationship to its members.
        public init(
            _ relationship: String, where predicate: ObjectPredicate? = nil,
            sortDescriptors: [ObjectSortDescriptor] = [], limit: Int? = nil
        ) {
            self.relationship = relationship
            self.predicate = predicate
            self.sortDescriptors = sortDescriptors
            self.limit = limit
        }
    }

    /// How to add an object to a store that has an object with the same unique values.
    public enum ConflictPolicy: String, Sendable, CaseIterable {
        /// Nothing is added.
        case error
        /// The object of the store stays as it is and stands for the other one: added objects refer to it.
        case skip
    }

    /// An attribute whose value names an object of another entity, although the model has no relationship.
    public struct Reference: Sendable, Hashable {
        /// The attribute with the value, as `Entity.attribute`.
        public var attribute: String
        /// The attribute of the objects that the value names, as `Entity.attribute`.
        public var target: String

        /// An attribute that refers to another one, such as `Visit.patientID` to `Patient.id`.
        public init(_ attribute: String, to target: String) {
            self.attribute = attribute
            self.target = target
        }
    }

    /// The chosen objects. An object that several selections find is taken once.
    public var selections: [Selection] = []
    /// The number of steps along to-many relationships that add neighbours of the chosen objects; 0 for none.
    public var depth = 0
    /// The to-many relationships that are followed in a way of their own: from the chosen objects, their neighbours, and
    /// the objects that this adds. ``depth`` does not follow them.
    public var followed: [Follow] = []
    /// Attributes that are followed as optional to-one relationships are. A value that several objects have names all of
    /// them. Memory needs some 100 bytes more for each object of the target's entity.
    public var references: [Reference] = []
    /// The largest number of objects of a small table, such as the genres of books: an entity at the end of a many-to-many
    /// relationship that has fewer objects than the entity at the other end. Each object of the subset brings its members
    /// of small tables. 0 for none.
    public var smallTableLimit = 100
    /// The objects whose way into the subset is reported, as `Patient/p7`. Then memory needs some 50 bytes more for each
    /// object.
    public var explained: [String] = []
    /// Optional to-one relationships that are not followed, as `Entity.relationship`. They keep their object if it is
    /// taken for another reason, and are NULL otherwise.
    public var unfollowedRelationships: [String] = []
    /// The attributes whose values are replaced, as `Entity.attribute`; also in the subentities. The name of a
    /// composite attribute stands for all its elements.
    public var anonymisedAttributes: [String] = []
    /// Whether the values of all String and URI attributes are replaced, except of those that the model enumerates.
    public var anonymisesAllText = false
    /// A decision for each attribute, in place of ``anonymisedAttributes``. An attribute without one is an error.
    package var rules: AnonymisationRules?
    /// The key of the decision `hash`.
    package var hashKey: KeyedHash?
    /// The number from which replacements are computed. With the same number, the same store gives the same subset, and
    /// whoever knows the number can test guesses of the original values. Nil for a random number, which is not stored.
    public var randomSeed: UInt64?
    /// How to treat a missing file with external data.
    public var missingFiles = MissingFilePolicy.error
    /// Whether an existing store of the output's name is replaced.
    public var replacesOutput = false
    /// Whether to prepare the store for shipping: one vacuumed file, with the same bytes for the same input.
    public var ships = false
    /// With ``ships``: whether the values of external files are moved into the store, so that it is one file.
    public var inlinesExternalData = false
    /// The new store's UUID; nil for a random one, or with ``ships`` one that is computed from the content.
    public var identifier: UUID?
    /// The number of seconds to wait for a store that is in use; nil for 5.
    public var busyTimeout: Double?
    package var cancellation: Cancellation?

    /// Options without a selection.
    public init() {}

    /// Whether any values are replaced.
    package var anonymises: Bool { rules != nil || anonymisesAllText || !anonymisedAttributes.isEmpty }

    var timeout: Duration { .seconds(busyTimeout ?? 5) }
}
