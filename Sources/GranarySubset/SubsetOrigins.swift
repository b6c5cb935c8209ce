import GranaryBase
import GranaryCoordination
import GranaryModel

/// Why each object was taken: kept only if somebody asks, because it takes some 50 bytes for each object.
struct SubsetOrigins: Sendable {
    /// Why an object was taken.
    enum Origin: Sendable {
        /// A selection found it.
        case chosen(selection: Int)
        /// Another object refers to it, or has it as a member.
        case link(entity: Int, key: Int64, relationship: String, why: Why)
    }

    enum Why: String, Sendable {
        case toOne = "needed by"
        case minimum = "needed for the minimum of"
        case smallTable = "of a small table, in"
        case virtual = "named by"
        case neighbour = "a neighbour, in"
        case followed = "followed, in"
    }

    private let schema: Schema
    /// By the index of the root entity.
    private var origins: [[Int64: Origin]]

    init(_ schema: Schema) {
        self.schema = schema
        origins = Array(repeating: [:], count: schema.entities.count)
    }

    /// The first origin of an object counts.
    mutating func note(_ key: Int64, root: Int, _ origin: Origin) {
        if origins[root][key] == nil { origins[root][key] = origin }
    }

    /// The way from a chosen object to another one, the last step first; empty if the object is not in the subset.
    ///
    /// - Parameter selections: the texts of the selections.
    func path(to key: Int64, root: Int, _ selection: SubsetSelection, selections: [String]) -> [String] {
        var lines: [String] = []
        var (key, root) = (key, root)
        // Each object was asked for by an earlier one, so that there is no circle.
        while let origin = origins[root][key],
            let entity = selection.entity(of: key, in: schema.entities[root].family)
        {
            let name = schema.objectName(entity: entity, key: key)
            switch origin {
            case .chosen(let index):
                let text = selections.indices.contains(index) ? selections[index] : ""
                lines.append("\(name) is chosen by \(text)")
                return lines
            case .link(let owner, let ownerKey, let relationship, let why):
                lines.append(
                    "\(name) is \(why.rawValue) \(schema.objectName(entity: owner, key: ownerKey)).\(relationship)")
                (key, root) = (ownerKey, schema.entities[owner].root)
            }
        }
        return lines
    }
}
