import GranaryBase
import GranaryModel

/// The columns of a list: attributes and relationships of an entity.
struct ListColumns {
    enum Column {
        case attribute(Schema.Attribute)
        case relationship(Schema.Relationship)

        var name: String {
            switch self {
            case .attribute(let attribute): attribute.name
            case .relationship(let relationship): relationship.name
            }
        }
    }

    /// The number of columns that are shown unless the reader chooses others.
    private static let defaultCount = 12
    /// The maximum number of columns that are shown.
    static let limit = 40

    /// All columns that can be chosen, attributes first.
    let all: [Column]
    /// Those that are shown.
    let shown: [Column]

    /// - Parameter names: the chosen names; empty for the first columns.
    /// - Throws: ``GranaryError`` with code `usage` for an unknown name, or too many.
    init(of entity: Schema.Entity, choosing names: [String]) throws(GranaryError) {
        all =
            entity.attributes.filter(\.isPersistent).map(Column.attribute)
            + entity.relationships.filter(\.isPersistent).map(Column.relationship)
        guard !names.isEmpty else {
            shown = Array(all.prefix(Self.defaultCount))
            return
        }
        guard names.count <= Self.limit else {
            throw GranaryError(.usage, "at most \(Self.limit) columns can be shown at once")
        }
        var shown: [Column] = []
        for name in names {
            guard let column = all.first(where: { $0.name == name }) else {
                throw GranaryError(.usage, "\(entity.name) has no column \"\(name)\"")
            }
            if !shown.contains(where: { $0.name == name }) { shown.append(column) }
        }
        self.shown = shown
    }
}
