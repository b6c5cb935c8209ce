#if canImport(CoreData)
    import Foundation
    import Granary

    /// Functions that write plans to a store and read its contents with Granary. Every call opens and closes the store.
    enum GranaryObjects {
        /// Changes a store so that it contains the objects of a plan. Creates the store if it does not exist.
        ///
        /// - Parameters:
        ///   - old: the plan that the store contains; an empty one for a new store.
        ///   - paths: the paths of the objects in the store by their numbers.
        /// - Returns: the paths of the objects of `plan`.
        static func apply(
            _ plan: ObjectPlan, over old: ObjectPlan, paths: [Int: String], to store: URL, model: ManagedObjectModel
        ) throws -> [Int: String] {
            try withContext(store, model) { context in
                let stored = try objects(in: context, schema: plan.schema)
                var live: [Int: ManagedObject] = [:]
                for number in old.numbers {
                    guard let object = paths[number].flatMap({ stored[$0] }) else {
                        throw UnknownObject(number: number)
                    }
                    if plan.objects[number] == nil { try context.delete(object) } else { live[number] = object }
                }
                for number in plan.numbers where live[number] == nil {
                    guard let planned = plan.objects[number] else { continue }
                    live[number] = try context.insert(into: planned.entity)
                }
                for number in plan.numbers {
                    guard let object = live[number], let planned = plan.objects[number] else { continue }
                    for attribute in plan.changedAttributes(of: number, since: old) {
                        try set(planned.values[attribute.name], attribute, of: object)
                    }
                    for relationship in plan.changedRelationships(of: number, since: old) {
                        let members = plan.linked(number, relationship).compactMap { live[$0] }
                        if relationship.isToMany {
                            try object.setObjects(members, forKey: relationship.name)
                        } else {
                            try object.setObject(members.first, forKey: relationship.name)
                        }
                    }
                }
                try context.save()
                return live.mapValues { path(of: $0) }
            }
        }

        /// Returns the contents of a store.
        static func contents(of store: URL, model: ManagedObjectModel) throws -> StoreContents {
            let schema = try model.resolved()
            return try withContext(store, model) { context in
                var contents = StoreContents()
                for (path, object) in try objects(in: context, schema: schema) {
                    var read = StoreContents.Object()
                    for attribute in object.entity.attributes where attribute.isPersistent {
                        read.values[attribute.name] = try value(attribute, of: object)
                    }
                    for relationship in object.entity.linkedRelationships {
                        let paths: [String] = try members(relationship, of: object).map { Self.path(of: $0) }
                        read.links[relationship.name] = StoreContents.ordered(paths, relationship)
                    }
                    contents.objects[path] = read
                }
                return contents
            }
        }

        private static func withContext<Value>(
            _ store: URL, _ model: ManagedObjectModel, _ body: (ManagedObjectContext) throws -> Value
        ) throws -> Value {
            let container = try PersistentContainer(model: model, store: .sqlite(store))
            let value = try body(container.makeContext())
            let coordinator = container.persistentStoreCoordinator
            for attached in coordinator.persistentStores { try coordinator.remove(attached) }
            return value
        }

        /// Returns all objects by path. Fetching each entity alone checks the entity of every object.
        private static func objects(
            in context: ManagedObjectContext, schema: Schema
        ) throws -> [String: ManagedObject] {
            var result: [String: ManagedObject] = [:]
            for entity in schema.entities where !entity.isAbstract {
                var request = FetchRequest(entity.name)
                request.includesSubentities = false
                for object in try context.fetch(request) { result[path(of: object)] = object }
            }
            return result
        }

        private static func path(of object: ManagedObject) -> String {
            object.objectID.uriRepresentation.path(percentEncoded: false)
        }

        private static func members(
            _ relationship: Schema.Relationship, of object: ManagedObject
        ) throws -> [ManagedObject] {
            if relationship.isToMany { return try object.objects(forKey: relationship.name) }
            guard let member = try object.object(forKey: relationship.name) else { return [] }
            return [member]
        }

        // MARK: - Values

        /// Sets an attribute. Plans have the value of a Transformable as one text; objects have it as an array of the
        /// lines.
        private static func set(
            _ value: AttributeValue?, _ attribute: Schema.Attribute, of object: ManagedObject
        ) throws {
            guard attribute.type == .transformable, case .string(let text)? = value else {
                try object.setValue(value, forKey: attribute.name)
                return
            }
            let lines: [String] = text.components(separatedBy: "\n")
            try object.setTransformedValue(lines, forKey: attribute.name)
        }

        private static func value(_ attribute: Schema.Attribute, of object: ManagedObject) throws -> AttributeValue? {
            guard attribute.type == .transformable else { return try object.value(forKey: attribute.name) }
            let lines: [String]? = try object.transformedValue(forKey: attribute.name, as: [String].self)
            return lines.map { AttributeValue.string($0.joined(separator: "\n")) }
        }
    }

    /// The error for an object of a plan that the store does not contain.
    struct UnknownObject: Error {
        let number: Int
    }
#endif
