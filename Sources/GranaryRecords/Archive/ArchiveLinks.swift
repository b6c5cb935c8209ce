import GranaryBase
import GranaryCoordination
import GranaryModel

/// The relationships in an archive. They are put into the store after all rows.
///
/// All links in the file must agree: the archive is refused if two rows contradict each other.
struct ArchiveLinks {
    /// A reference to an object that comes later in the file. The row has the reference already.
    struct Reference {
        let relationship: Schema.Relationship
        let entity: Int
        let owner: Int64
        let target: (entity: Int, key: Int64)
        let place: SourcePosition
    }

    /// The members of a to-many relationship.
    struct List {
        let relationship: Schema.Relationship
        let entity: Int
        let owner: Int64
        var links: [Link]
        let place: SourcePosition
    }

    let schema: Schema
    var references: [Reference] = []
    var lists: [List] = []

    init(schema: Schema) { self.schema = schema }

    func apply(to store: InMemoryStore, _ problems: inout DiagnosticCollector) throws {
        checkTargets(in: store, &problems)
        guard problems.count == 0 else { return }
        let writer = InMemoryWriter(store: store)
        // One relationship at a time: if both sides are ordered, the second finds the links of the first.
        let groups = Dictionary(grouping: lists) { LinkLayout.ID($0.relationship) }
        for id in groups.keys.sorted(by: { ($0.owner, $0.slot) < ($1.owner, $1.slot) }) {
            for list in groups[id] ?? [] {
                let layout = LinkLayout(list.relationship, schema: schema)
                // The references are stored in the members' rows, and setting links would change them.
                if let inverse = layout.inverse, !inverse.isToMany, !holds(list, in: store, ordered: false) {
                    problems.add(
                        contradiction(list, "its members are not the objects whose \(inverse.name) refers to it"))
                    continue
                }
                try writer.setLinks(list.relationship, owner: list.owner, ownerEntity: list.entity, to: list.links)
            }
        }
        guard problems.count == 0 else { return }
        for list in lists where !holds(list, in: store, ordered: list.relationship.description.isOrdered) {
            problems.add(contradiction(list, "another object contradicts these links"))
        }
    }

    private func checkTargets(in store: InMemoryStore, _ problems: inout DiagnosticCollector) {
        for reference in references where !store.contains(entity: reference.target.entity, key: reference.target.key) {
            problems.add(
                missing(
                    reference.target.entity, reference.target.key, reference.relationship, reference.entity,
                    reference.owner, reference.place))
        }
        for list in lists {
            for link in list.links where !store.contains(entity: link.entity, key: link.destination) {
                problems.add(
                    missing(link.entity, link.destination, list.relationship, list.entity, list.owner, list.place))
            }
        }
    }

    private func holds(_ list: List, in store: InMemoryStore, ordered: Bool) -> Bool {
        let found = (store.state.links[LinkLayout.ID(list.relationship)]?[list.owner]?.entries ?? []).map(\.key)
        let said = list.links.map(\.destination)
        return ordered ? found == said : found.sorted() == said.sorted()
    }

    private func missing(
        _ target: Int, _ key: Int64, _ relationship: Schema.Relationship, _ entity: Int, _ owner: Int64,
        _ place: SourcePosition
    ) -> Diagnostic {
        Diagnostic(
            .relationshipNotFound,
            "\(schema.objectName(entity: entity, key: owner)): refers to "
                + "\(schema.objectName(entity: target, key: key)), which is not in the file",
            at: place, entity: schema.entities[entity].name, property: relationship.name)
    }

    private func contradiction(_ list: List, _ reason: String) -> Diagnostic {
        Diagnostic(
            .storeCorrupt, "\(schema.objectName(entity: list.entity, key: list.owner)): \(reason)", at: list.place,
            entity: schema.entities[list.entity].name, property: list.relationship.name)
    }
}
