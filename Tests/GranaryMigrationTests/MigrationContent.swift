import Foundation
import GranaryBase
import GranaryCoordination
import GranaryCoreDataStore
import GranaryModel
import GranaryPredicates

/// The objects of a store by names: the values of all attributes as text, and the related objects of all relationships.
struct MigrationContent: Equatable {
    struct Object: Equatable {
        var entity: String
        var version: Int64
        var values: [String: String] = [:]
        /// The names of objects, such as `E0/p3`, in their order; sorted for unordered relationships.
        var links: [String: [String]] = [:]
    }

    /// By entity and key, such as `E0/p3`.
    var objects: [String: Object] = [:]

    init(_ store: any StoreBackend) throws {
        let schema = store.schema
        for root in schema.entities where root.root == root.index {
            try store.read(entities: root.family, batchSize: 100) { batch in
                for row in batch.rows.indices {
                    let header = batch.rows[row]
                    let entity = schema.entities[Int(header.entity)]
                    var object = Object(entity: entity.name, version: header.version)
                    for attribute in entity.attributes {
                        object.values[attribute.name] = Self.text(try batch.value(row: row, of: attribute))
                    }
                    for relationship in entity.relationships {
                        object.links[relationship.name] = []
                        if case .reference(let key, let entity) = batch[row, relationship.slot] {
                            object.links[relationship.name] = [schema.objectName(entity: Int(entity), key: key)]
                        }
                    }
                    objects[schema.objectName(entity: entity.index, key: header.key)] = object
                }
                return true
            }
        }
        for entity in schema.entities {
            for relationship in entity.relationships where relationship.isToMany && relationship.owner == entity.index {
                try store.readLinks(of: relationship, owners: nil) { link in
                    for owner in entity.family {
                        let name = schema.objectName(entity: owner, key: link.owner)
                        objects[name]?.links[relationship.name]?.append(
                            schema.objectName(entity: link.entity, key: link.destination))
                    }
                }
                guard !relationship.description.isOrdered else { continue }
                for name in objects.keys { objects[name]?.links[relationship.name]?.sort() }
            }
        }
    }

    static func text(_ value: AttributeValue?) -> String? {
        switch value {
        case nil: nil
        case .integer(let value)?: "\(value)"
        case .double(let value)?: Int64(exactly: value).map { "\($0)" } ?? "\(value)"
        case .float(let value)?: Int64(exactly: value).map { "\($0)" } ?? "\(Double(value))"
        case .boolean(let value)?: value ? "1" : "0"
        case .decimal(let value)?: Int64("\(value)").map { "\($0)" } ?? "\(value)"
        case .binary(let data)?: data.base64EncodedString()
        case let value?: "\(value)"
        }
    }
}
