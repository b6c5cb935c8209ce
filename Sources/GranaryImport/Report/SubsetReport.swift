public import GranaryBase
package import GranaryCoreDataStore

/// The result of a ``Subset``: the numbers of objects, what was replaced and kept, and the links that were cut.
public struct SubsetReport: Sendable, Codable {
    /// The objects of an entity, without those of its subentities.
    public struct Entity: Sendable, Hashable, Codable {
        /// The entity's name.
        public var name: String
        /// The number of its objects in the subset.
        public var count: Int
        /// The number of its objects that the selections found.
        public var chosen: Int
        /// The number of its objects that other objects of the subset need.
        public var needed: Int
        /// The number of its objects that each step along to-many relationships added.
        public var neighbours: [Int]
        /// The number of objects that were added as members of a followed relationship.
        public var followed = 0
        /// The number of its objects in the source.
        public var total: Int

        /// Creates the counts of an entity.
        package init(
            name: String, count: Int, chosen: Int, needed: Int, neighbours: [Int], followed: Int, total: Int
        ) {
            self.name = name
            self.count = count
            self.chosen = chosen
            self.needed = needed
            self.neighbours = neighbours
            self.followed = followed
            self.total = total
        }
    }

    /// The values of an attribute, in the objects of the entity that declares it and of its subentities.
    public struct Attribute: Sendable, Hashable, Codable {
        /// The name of the entity that declares the attribute.
        public var entity: String
        /// The attribute's name; `composite.element` for an element of a composite attribute.
        public var name: String
        /// The attribute's type, such as `String`.
        public var type: String
        /// The number of values that were replaced.
        public var replaced: Int
        /// The number of these values that kept all letters, so that only digits are new. Others break a rule, or the
        /// letters became themselves by chance, as in short codes.
        public var digitsOnly: Int
        /// The number of values that were kept, without NULL and empty values.
        public var kept: Int
        /// The number of NULL values.
        public var null: Int
        /// The number of empty texts and empty binary values, which stay empty.
        public var empty: Int
        /// Why values were kept, with a count for each reason if there are several; nil if none was.
        public var reason: String?

        /// Creates the counts of an attribute.
        package init(
            entity: String, name: String, type: String, replaced: Int, digitsOnly: Int, kept: Int, null: Int,
            empty: Int, reason: String?
        ) {
            self.entity = entity
            self.name = name
            self.type = type
            self.replaced = replaced
            self.digitsOnly = digitsOnly
            self.kept = kept
            self.null = null
            self.empty = empty
            self.reason = reason
        }
    }

    /// The links of a relationship, from the objects of the subset.
    public struct Relationship: Sendable, Hashable, Codable {
        /// The name of the entity that declares the relationship.
        public var entity: String
        /// The relationship's name.
        public var name: String
        /// The number of links to objects of the subset.
        public var kept: Int
        /// The number of links of the copied objects to objects that are not in the subset. These links are not copied.
        public var cut: Int

        /// Creates the counts of a relationship.
        package init(
            entity: String, name: String, kept: Int, cut: Int
        ) {
            self.entity = entity
            self.name = name
            self.kept = kept
            self.cut = cut
        }
    }

    /// A many-to-many relationship to a small table, whose members were taken.
    public struct SmallTable: Sendable, Hashable, Codable {
        /// The relationship: `Book.genres`.
        public var relationship: String
        /// The name of the entity of the members.
        public var entity: String
        /// The number of its objects in the subset, with those of its subentities.
        public var count: Int
        /// The number of its objects in the source.
        public var total: Int

        /// Creates the counts of a small table.
        package init(
            relationship: String, entity: String, count: Int, total: Int
        ) {
            self.relationship = relationship
            self.entity = entity
            self.count = count
            self.total = total
        }
    }

    /// Why an object is in the subset.
    public struct Explanation: Sendable, Hashable, Codable {
        /// The object: `Injury/p3`.
        public var object: String
        /// The way from it to a chosen object, one link a line; empty if the object is not in the subset.
        public var path: [String]

        /// Creates an explanation.
        package init(
            object: String, path: [String]
        ) {
            self.object = object
            self.path = path
        }
    }

    /// The search for replaced values in the bytes of the new store, its journals and its external files.
    public struct Search: Sendable, Hashable, Codable {
        /// The number of different values that were searched: texts and binary data.
        public var values = 0
        /// Shorter texts, in bytes, are not searched; nor is binary data of fewer than 16 bytes, or of three different
        /// bytes.
        public var shortest: Int
        /// The part of the values that was searched; nil for all.
        public var sample: Double?
        /// The number of files that were searched.
        public var files = 0
        /// The values that were found, without the values.
        public var found: [Find] = []

        /// Creates the report of a search that found nothing yet.
        package init(shortest: Int) { self.shortest = shortest }
    }

    /// Replaced values of an attribute that are in the new store for another reason.
    public struct Find: Sendable, Hashable, Codable {
        /// The attribute that had the values: `Patient.name`.
        public var attribute: String
        /// The first attribute whose values contain them, kept ones first; `the model`, whose texts contain them; or
        /// `values side by side`, such as `AB` and `1234567`. In an attribute that was not kept, other values became
        /// these.
        public var place: String?
        /// The number of values.
        public var count: Int

        /// Creates the count of values that were found.
        package init(
            attribute: String, place: String?, count: Int
        ) {
            self.attribute = attribute
            self.place = place
            self.count = count
        }
    }

    /// The entities with objects in the subset, in the order of the store's entity numbers.
    public var entities: [Entity] = []
    /// The stored attributes of these entities.
    public var attributes: [Attribute] = []
    /// The stored relationships of these entities.
    public var relationships: [Relationship] = []
    /// The small tables of which objects were taken.
    public var smallTables: [SmallTable] = []
    /// Whether values were replaced.
    public var isAnonymised = false
    /// The search for replaced values; nil if nothing was replaced, or if the new store is no file.
    public var search: Search?
    /// The path of the source.
    public var source = ""
    /// The path of the new store.
    public var store = ""
    /// The duration in seconds.
    public var seconds: Double = 0
    /// Problems of the source that the subset still has, or that were mended. At most 10,000.
    public var warnings: [Diagnostic] = []
    /// The number of all warnings.
    public var warningCount = 0
    /// What was done to ship the store; nil if it was not to be shipped. It is not part of the JSON.
    package var shipping: ShippingReport?
    /// Why objects are in the subset, for ``SubsetOptions/explained``.
    public var explanations: [Explanation] = []

    /// An empty report.
    package init() {}

    private enum CodingKeys: String, CodingKey {
        case entities, attributes, relationships, isAnonymised, source, store, seconds, warnings, warningCount
        case explanations, search, smallTables
    }

    /// The number of objects in the subset.
    public var count: Int { entities.reduce(0) { $0 + $1.count } }

    /// `took 12 objects: Injury 2, Patient 10`
    public var ledger: String {
        let parts = entities.map { "\($0.name) \($0.count)" }.joined(separator: ", ")
        return "took \(count) \(count == 1 ? "object" : "objects")" + (parts.isEmpty ? "" : ": " + parts)
    }
}
