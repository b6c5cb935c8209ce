/// The references in one relationship that an import left out, because there is no object with their key
/// (``ImportOptions/MissingPolicy/null``).
public struct OmittedReferences: Codable, Sendable, Hashable {
    /// The entity of the records.
    public var entity: String
    /// The relationship.
    public var property: String
    /// The number of references. Each key of a list is one.
    public var count: Int

    /// Creates the count of one relationship.
    public init(entity: String, property: String, count: Int) {
        self.entity = entity
        self.property = property
        self.count = count
    }

    /// The sums of each relationship, in the order of entities and relationships.
    static func sums(_ all: [OmittedReferences]) -> [OmittedReferences] {
        var sums: [[String]: Int] = [:]
        for one in all { sums[[one.entity, one.property], default: 0] += one.count }
        return sums.map { OmittedReferences(entity: $0.key[0], property: $0.key[1], count: $0.value) }
            .sorted { ($0.entity, $0.property) < ($1.entity, $1.property) }
    }
}
