import GranaryBase
import GranaryModel
import GranaryRecords

/// An object whose way into a subset is asked for.
struct ExplainedObject {
    /// `Patient/p7`
    let name: String
    /// The index of the root entity.
    let root: Int
    let key: Int64

    /// - Throws: ``GranaryError`` with code `usage` for a text of another form or an unknown entity.
    init(_ text: String, _ schema: Schema) throws(GranaryError) {
        let parts = text.split(separator: "/", omittingEmptySubsequences: false)
        guard parts.count == 2, parts[1].hasPrefix("p"), let key = Int64(parts[1].dropFirst()) else {
            throw GranaryError(
                .usage, "\(Diagnostic.shortened(text)): write an object as ENTITY/pKEY, such as Patient/p7")
        }
        guard let entity = schema.entity(named: String(parts[0])) else { throw schema.unknownEntity(String(parts[0])) }
        name = text
        root = entity.root
        self.key = key
    }
}

extension SubsetOptions.Selection {
    /// `Patient WHERE age > 60`
    var description: String { entity + (predicate.map { " WHERE \($0)" } ?? "") }
}
