import GranaryCoordination
import GranaryModel

/// The links of one row of a chunk, and the references that are left out.
struct KnownReferences {
    private(set) var links: [ParsedRows.ListedLink] = []
    private(set) var leftOut: [Schema.Relationship] = []
    /// Whether a lookup has found or left out its object.
    private(set) var hasFound = false

    mutating func noteFound() { hasFound = true }

    mutating func removeAll() {
        hasFound = false
        links.removeAll(keepingCapacity: true)
        leftOut.removeAll(keepingCapacity: true)
    }

    mutating func leaveOut(_ relationship: Schema.Relationship) { leftOut.append(relationship) }

    /// Adds a member to a list. Returns false for a member that the list has already, which causes a warning.
    mutating func add(_ member: StoredCell, to relationship: Schema.Relationship) -> Bool {
        guard case .reference(let key, let entity) = member else { return true }
        let link = ParsedRows.ListedLink(relationship, entity: entity, destination: key)
        // Longer lists are read record by record.
        guard links.count < Self.linkLimit, !links.contains(link) else { return false }
        links.append(link)
        return true
    }

    private static let linkLimit = 64
}
