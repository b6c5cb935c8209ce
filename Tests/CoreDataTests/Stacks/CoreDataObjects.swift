#if canImport(CoreData)
    import CoreData
    import Foundation
    import Granary

    /// Functions that write plans to a store and read its contents with Core Data, by key-value coding. They must run
    /// on the queue of the context.
    enum CoreDataObjects {
        /// Changes the store of a context so that it contains the objects of a plan, and saves.
        ///
        /// - Parameters:
        ///   - old: the plan that the store contains; an empty one for a new store.
        ///   - paths: the paths of the objects in the store by their numbers.
        /// - Returns: the paths of the objects of `plan`.
        static func apply(
            _ plan: ObjectPlan, over old: ObjectPlan, paths: [Int: String], in context: NSManagedObjectContext
        ) throws -> [Int: String] {
            let stored: [String: NSManagedObject] = try objects(in: context, schema: plan.schema)
            var live: [Int: NSManagedObject] = [:]
            for number in old.numbers {
                guard let object: NSManagedObject = paths[number].flatMap({ stored[$0] }) else {
                    throw UnknownObject(number: number)
                }
                if plan.objects[number] == nil { context.delete(object) } else { live[number] = object }
            }
            for number in plan.numbers where live[number] == nil {
                guard let planned: PlannedObject = plan.objects[number] else { continue }
                live[number] = NSEntityDescription.insertNewObject(forEntityName: planned.entity, into: context)
            }
            for number in plan.numbers {
                guard let object: NSManagedObject = live[number] else { continue }
                setValues(of: object, number, in: plan, since: old)
                for relationship in plan.changedRelationships(of: number, since: old) {
                    let members: [NSManagedObject] = plan.linked(number, relationship).compactMap { live[$0] }
                    set(members, relationship, of: object)
                }
            }
            try context.save()
            var result: [Int: String] = [:]
            for (number, object) in live { result[number] = path(of: object) }
            return result
        }

        /// Returns the contents of the store of a context.
        static func contents(of context: NSManagedObjectContext, schema: Schema) throws -> StoreContents {
            var contents = StoreContents()
            for (path, object) in try objects(in: context, schema: schema) {
                guard let entity: Schema.Entity = schema.entity(named: object.entity.name ?? "") else { continue }
                var read = StoreContents.Object()
                for attribute in entity.attributes where attribute.isPersistent {
                    read.values[attribute.name] = try CoreDataValue.read(attribute, of: object)
                }
                for relationship in entity.linkedRelationships {
                    let paths: [String] = members(relationship, of: object).map { Self.path(of: $0) }
                    read.links[relationship.name] = StoreContents.ordered(paths, relationship)
                }
                contents.objects[path] = read
            }
            return contents
        }

        /// Returns all objects by path. Fetching each entity alone checks the entity of every object.
        private static func objects(
            in context: NSManagedObjectContext, schema: Schema
        ) throws -> [String: NSManagedObject] {
            var result: [String: NSManagedObject] = [:]
            for entity in schema.entities where !entity.isAbstract {
                let request = NSFetchRequest<NSManagedObject>(entityName: entity.name)
                request.includesSubentities = false
                let found: [NSManagedObject] = try context.fetch(request)
                for object in found { result[path(of: object)] = object }
            }
            return result
        }

        private static func path(of object: NSManagedObject) -> String {
            object.objectID.uriRepresentation().path(percentEncoded: false)
        }

        // MARK: - Properties

        private static func setValues(
            of object: NSManagedObject, _ number: Int, in plan: ObjectPlan, since old: ObjectPlan
        ) {
            guard let planned: PlannedObject = plan.objects[number],
                let entity: Schema.Entity = plan.schema.entity(named: planned.entity)
            else { return }
            var composites: Set<String> = []
            for attribute in plan.changedAttributes(of: number, since: old) {
                if let dot = attribute.name.firstIndex(of: ".") {
                    composites.insert(String(attribute.name[..<dot]))
                } else {
                    let value: NSObject? = CoreDataValue.object(planned.values[attribute.name], of: attribute.type)
                    object.setValue(value, forKey: attribute.name)
                }
            }
            // A composite is set as a whole.
            for name in composites {
                object.setValue(CoreDataValue.composite(name, of: entity, planned.values), forKey: name)
            }
        }

        private static func set(
            _ members: [NSManagedObject], _ relationship: Schema.Relationship, of object: NSManagedObject
        ) {
            if !relationship.isToMany {
                object.setValue(members.first, forKey: relationship.name)
            } else if relationship.description.isOrdered {
                object.setValue(NSOrderedSet(array: members), forKey: relationship.name)
            } else {
                object.setValue(NSSet(array: members), forKey: relationship.name)
            }
        }

        private static func members(_ relationship: Schema.Relationship, of object: NSManagedObject)
            -> [NSManagedObject]
        {
            let value: Any? = object.value(forKey: relationship.name)
            let members: [Any]
            if !relationship.isToMany {
                members = value.map { [$0] } ?? []
            } else if relationship.description.isOrdered {
                members = (value as? NSOrderedSet)?.array ?? []
            } else {
                members = (value as? NSSet)?.allObjects ?? []
            }
            return members.compactMap { $0 as? NSManagedObject }
        }
    }
#endif
