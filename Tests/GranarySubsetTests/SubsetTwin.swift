import GranaryCoordination
import GranaryModel
@testable import GranaryImport

/// The objects of a subset, found slowly: the whole store is in memory, and every rule is tested for every object until
/// nothing changes.
struct SubsetTwin {
    struct Object: Hashable {
        let root: Int
        let key: Int64
    }

    private struct ListName: Hashable {
        let relationship: LinkLayout.ID
        let owner: Object
    }

    private let schema: Schema
    private var entities: [Object: Int] = [:]
    private var references: [Object: [Object]] = [:]
    private var lists: [ListName: [Object]] = [:]

    init(_ store: any StoreBackend) throws {
        schema = store.schema
        for entity in schema.entities where entity.root == entity.index {
            try store.read(entities: entity.family, batchSize: 50) { batch in
                for row in batch.rows.indices {
                    let object = Object(root: entity.index, key: batch.rows[row].key)
                    entities[object] = Int(batch.rows[row].entity)
                    for relationship in schema.entities[Int(batch.rows[row].entity)].relationships
                    where relationship.isPersistent && !relationship.isToMany {
                        guard case .reference(let key, _) = batch[row, relationship.slot] else { continue }
                        let root = schema.entities[relationship.destination].root
                        references[object, default: []].append(Object(root: root, key: key))
                    }
                }
                return true
            }
        }
        for entity in schema.entities {
            for relationship in entity.relationships
            where relationship.owner == entity.index && relationship.isPersistent && relationship.isToMany {
                let root = schema.entities[relationship.destination].root
                try store.readLinks(of: relationship, owners: nil) { link in
                    let name = ListName(
                        relationship: LinkLayout.ID(relationship), owner: Object(root: entity.root, key: link.owner))
                    lists[name, default: []].append(Object(root: root, key: link.destination))
                }
            }
        }
    }

    /// The keys by the index of the concrete entity.
    func keys(of objects: Set<Object>) -> [Int: [Int64]] {
        Dictionary(grouping: objects, by: { entities[$0] ?? -1 }).mapValues { $0.map(\.key).sorted() }
    }

    func objects(choosing chosen: Set<Object>, depth: Int) -> Set<Object> {
        var (taken, visited, frontier) = (chosen, chosen, chosen)
        complete(&taken)
        for _ in 0..<depth {
            var next: Set<Object> = []
            for object in frontier {
                for relationship in toManys(of: object) { next.formUnion(members(relationship, object)) }
            }
            frontier = next.subtracting(visited)
            visited.formUnion(frontier)
            taken.formUnion(frontier)
            complete(&taken)
        }
        return taken
    }

    private func toManys(of object: Object) -> [Schema.Relationship] {
        guard let entity = entities[object] else { return [] }
        return schema.entities[entity].relationships.filter { $0.isPersistent && $0.isToMany }
    }

    private func members(_ relationship: Schema.Relationship, _ owner: Object) -> [Object] {
        lists[ListName(relationship: LinkLayout.ID(relationship), owner: owner)] ?? []
    }

    private func complete(_ taken: inout Set<Object>) {
        while true {
            var added = true
            while added {
                let next = Set(taken.flatMap { references[$0] ?? [] }).filter { entities[$0] != nil }
                added = !next.isSubset(of: taken)
                taken.formUnion(next)
            }
            var more: Set<Object> = []
            for object in taken {
                for relationship in toManys(of: object) {
                    let members = self.members(relationship, object)
                    let present = members.filter(taken.contains).count
                    if present == 0, relationship.description.isOptional { continue }
                    let lacking = max(0, relationship.description.minCount - present)
                    more.formUnion(members.filter { !taken.contains($0) }.prefix(lacking))
                }
            }
            if more.isEmpty { return }
            taken.formUnion(more)
        }
    }
}
