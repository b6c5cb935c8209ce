import Foundation
import GranaryContexts
import GranaryCoordination
import GranaryCoreDataStore
import GranaryInspection
import GranaryModel
import GranaryPredicates
import StoreTestSupport

/// Creates one valid object of every entity of a model, with links between them.
struct SampleObjects {
    let context: ManagedObjectContext
    private(set) var objects: [String: ManagedObject] = [:]

    /// A store may have several sets of samples; the values of each differ in numbers, texts and URLs.
    private let set: Int

    init(in context: ManagedObjectContext, set: Int = 0) throws {
        self.set = set
        self.context = context
        let entities = context.persistentStoreCoordinator.schema.entities.filter { !$0.isAbstract }
        for entity in entities {
            let object = try context.insert(into: entity.name)
            objects[entity.name] = object
            try fill(object)
        }
        for entity in entities { try link(entity) }
        try addRequiredMembers(of: entities)
    }

    private func fill(_ object: ManagedObject) throws {
        let entity = object.entity
        for attribute in entity.attributes
        where attribute.isPersistent && attribute.description.derivationExpression == nil {
            let isUnique = entity.uniquenessConstraints.contains { $0.names.contains(attribute.name) }
            let given = isUnique ? nil : attribute.description.defaultValue
            let value = try given ?? value(of: attribute, in: entity)
            try object.setValue(value, forKey: attribute.name)
        }
    }

    private func link(_ entity: Schema.Entity) throws {
        for relationship in entity.relationships where relationship.isPersistent {
            guard let target = self.object(for: relationship.destination) else { continue }
            if relationship.isToMany {
                let there = try objects[entity.name]?.objects(forKey: relationship.name) ?? []
                guard !there.contains(target) else { continue }
                try objects[entity.name]?.setObjects(there + [target], forKey: relationship.name)
            } else if try objects[entity.name]?.object(forKey: relationship.name) == nil {
                try objects[entity.name]?.setObject(target, forKey: relationship.name)
            }
        }
    }

    /// Repairs to-one links that setting an inverse has moved to another object.
    private mutating func addRequiredMembers(of entities: [Schema.Entity]) throws {
        let schema = context.persistentStoreCoordinator.schema
        for entity in entities {
            for relationship in entity.relationships
            where relationship.isPersistent && relationship.isToMany && !relationship.description.isOptional {
                guard let owner = objects[entity.name], try owner.objects(forKey: relationship.name).isEmpty else {
                    continue
                }
                let member = try context.insert(into: schema.entities[relationship.destination].name)
                try fill(member)
                try owner.setObjects([member], forKey: relationship.name)
                objects["\(entity.name).\(relationship.name)"] = member
            }
        }
    }

    /// The new object that a relationship to an entity may refer to.
    private func object(for entity: Int) -> ManagedObject? {
        let schema = context.persistentStoreCoordinator.schema
        return schema.entities[entity].family.lazy.compactMap { objects[schema.entities[$0].name] }.first
    }

    private func value(of attribute: Schema.Attribute, in entity: Schema.Entity) throws -> AttributeValue? {
        switch attribute.type {
        case .integer16, .integer32, .integer64: .integer(Int64(20_000 + entity.number + 200 * set))
        case .decimal: .decimal(Decimal(string: "12.5") ?? 0)
        case .double: .double(0.25)
        case .float: .float(0.25)
        case .string: .string("granary \(entity.name) \(attribute.name)" + (set == 0 ? "" : " \(set)"))
        case .boolean: .boolean(true)
        // Whole seconds are stored as an integer.
        case .date: .date(Date(timeIntervalSinceReferenceDate: 700_000_000))
        case .binary: .binary(Data([1, 2, 3]))
        case .uuid: .uuid(UUID())
        case .uri: URL(string: "https://example.org/\(set)/\(attribute.name)").map(AttributeValue.uri)
        case .transformable: .binary(try AttributeTransformer.secureUnarchiveFromData.encode("granary"))
        case .undefined, .objectID, .composite: nil
        }
    }
}
