import Foundation
import GranaryCoordination
import GranaryModel
import GranaryPredicates
@testable import GranaryImport
@testable import GranarySubset

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
    private var values: [Object: [String: AttributeValue]] = [:]
    /// The largest number of objects of a small table.
    var smallTableLimit = 100
    var virtualReferences: [SubsetOptions.Reference] = []

    init(_ store: any StoreBackend) throws {
        schema = store.schema
        for entity in schema.entities where entity.root == entity.index {
            try store.read(entities: entity.family, batchSize: 50) { batch in
                for row in batch.rows.indices {
                    let object = Object(root: entity.index, key: batch.rows[row].key)
                    entities[object] = Int(batch.rows[row].entity)
                    for attribute in schema.entities[Int(batch.rows[row].entity)].attributes
                    where attribute.isPersistent
                        && [.string, .integer16, .integer32, .integer64, .uuid].contains(attribute.type)
                    {
                        values[object, default: [:]][attribute.name] = try batch.value(row: row, of: attribute)
                    }
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
                let next = Set(taken.flatMap { (references[$0] ?? []) + named(by: $0) }).filter { entities[$0] != nil }
                added = !next.isSubset(of: taken)
                taken.formUnion(next)
            }
            var more: Set<Object> = []
            for object in taken {
                for relationship in toManys(of: object) {
                    let members = self.members(relationship, object)
                    if isSmallTable(relationship) { more.formUnion(members.filter { !taken.contains($0) }) }
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

    /// The objects that the values of virtual references name.
    private func named(by object: Object) -> [Object] {
        virtualReferences.flatMap { reference -> [Object] in
            let (attribute, target) = (
                reference.attribute.split(separator: "."), reference.target.split(separator: ".")
            )
            guard isObject(object, of: attribute[0]), let value = values[object]?[String(attribute[1])] else {
                return []
            }
            return entities.keys.filter { other in
                guard isObject(other, of: target[0]), let name = values[other]?[String(target[1])] else { return false }
                return Self.text(name) == Self.text(value)
            }
        }
    }

    private func isObject(_ object: Object, of name: Substring) -> Bool {
        guard let index = entities[object], let entity = schema.entity(named: String(name)) else { return false }
        return entity.family.contains(index)
    }

    private static func text(_ value: AttributeValue) -> [UInt8] {
        switch value {
        case .string(let text): Array((UUID(uuidString: text)?.uuidString ?? text).utf8)
        case .uuid(let uuid): Array(uuid.uuidString.utf8)
        case .integer(let number): Array("\(number)".utf8)
        default: []
        }
    }

    /// A many-to-many relationship to a smaller entity with few objects.
    private func isSmallTable(_ relationship: Schema.Relationship) -> Bool {
        guard let inverse = relationship.inverse,
            schema.entities[inverse.owner].relationships[inverse.relationship].isToMany
        else { return false }
        func count(_ entity: Int) -> Int {
            entities.values.count { schema.entities[entity].family.contains($0) }
        }
        let total = count(relationship.destination)
        return total <= smallTableLimit && total < count(relationship.owner)
    }
}
