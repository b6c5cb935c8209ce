#if canImport(CoreData)
    import Granary

    /// An object of a plan.
    struct PlannedObject: Sendable, Hashable {
        /// The name of its entity.
        let entity: String
        /// The values that a program sets, by attribute; NULL is absent. A leaf of a composite is `composite.leaf`.
        var values: [String: AttributeValue] = [:]
        /// For each relationship the numbers of its objects, in their order; at most one for a to-one.
        var links: [String: [Int]] = [:]
    }

    /// The objects that a store must contain.
    ///
    /// A plan depends on neither framework. Either framework writes it to a store; the tests then compare the contents
    /// of the store, as the other framework reads it, with the plan.
    struct ObjectPlan: Sendable {
        let schema: Schema
        /// The objects by number. An object keeps its number in edited plans.
        var objects: [Int: PlannedObject] = [:]

        /// Creates an empty plan.
        init(_ schema: Schema) { self.schema = schema }

        /// The numbers of all objects, ascending.
        var numbers: [Int] { objects.keys.sorted() }

        /// Returns the numbers of the objects of an entity and its subentities, ascending.
        func numbers(ofKind index: Int) -> [Int] {
            let names = Set(schema.entities[index].family.map { schema.entities[$0].name })
            return numbers.filter { number in objects[number].map { names.contains($0.entity) } ?? false }
        }

        /// Returns the numbers of the objects of an entity, without its subentities, ascending.
        func numbers(of entity: Schema.Entity) -> [Int] {
            numbers.filter { objects[$0]?.entity == entity.name }
        }

        /// Returns a new object as both frameworks make it, with the model's default values.
        func newObject(of entity: Schema.Entity) -> PlannedObject {
            var object = PlannedObject(entity: entity.name)
            for attribute in entity.plainAttributes {
                object.values[attribute.name] = attribute.description.defaultValue
            }
            return object
        }

        /// Adds an object without links, with the values that ``SampleValues`` has for its number.
        mutating func insert(_ number: Int, of entity: Schema.Entity) {
            objects[number] = PlannedObject(entity: entity.name)
            setValues(of: number, in: entity, at: number)
        }

        /// Sets all values of an object to those that ``SampleValues`` has for a number.
        mutating func setValues(of number: Int, in entity: Schema.Entity, at place: Int) {
            for attribute in entity.plainAttributes {
                objects[number]?.values[attribute.name] = SampleValues(attribute, of: entity).value(at: place)
            }
        }

        // MARK: - Links

        /// Returns the numbers of the objects in an object's relationship.
        func linked(_ number: Int, _ relationship: Schema.Relationship) -> [Int] {
            objects[number]?.links[relationship.name] ?? []
        }

        /// Links two objects at both ends. A to-one end first loses its previous link.
        mutating func link(_ source: Int, _ relationship: Schema.Relationship, _ target: Int) {
            guard let inverse = schema.inverse(of: relationship), !linked(source, relationship).contains(target) else {
                return
            }
            if !relationship.isToMany {
                for other in linked(source, relationship) { unlink(source, relationship, other) }
            }
            if !inverse.isToMany {
                for other in linked(target, inverse) { unlink(target, inverse, other) }
            }
            objects[source]?.links[relationship.name, default: []].append(target)
            // An object that is linked to itself by a relationship that is its own inverse has one link.
            if !linked(target, inverse).contains(source) {
                objects[target]?.links[inverse.name, default: []].append(source)
            }
        }

        /// Removes the link between two objects at both ends.
        mutating func unlink(_ source: Int, _ relationship: Schema.Relationship, _ target: Int) {
            guard let inverse = schema.inverse(of: relationship) else { return }
            objects[source]?.links[relationship.name]?.removeAll { $0 == target }
            objects[target]?.links[inverse.name]?.removeAll { $0 == source }
        }

        /// Whether the number of objects in every relationship is within the bounds of the model.
        var keepsCounts: Bool {
            objects.values.allSatisfy { object in
                guard let entity = schema.entity(named: object.entity) else { return false }
                return entity.linkedRelationships.allSatisfy { relationship in
                    let description = relationship.description
                    let count = object.links[relationship.name]?.count ?? 0
                    if count == 0 {
                        return description.isOptional || (description.isToMany && description.minCount == 0)
                    }
                    return count >= description.minCount && (description.maxCount <= 0 || count <= description.maxCount)
                }
            }
        }
    }

    extension Schema {
        /// Returns the inverse of a relationship, or nil if there is none.
        func inverse(of relationship: Relationship) -> Relationship? {
            guard let inverse = relationship.inverse else { return nil }
            return entities[inverse.owner].relationships[inverse.relationship]
        }
    }

    extension Schema.Entity {
        /// The attributes that a store keeps and a program sets.
        var plainAttributes: [Schema.Attribute] {
            attributes.filter { $0.isPersistent && $0.description.derivationExpression == nil }
        }

        /// The attributes that the store computes.
        var derivedAttributes: [Schema.Attribute] {
            attributes.filter { $0.isPersistent && $0.description.derivationExpression != nil }
        }

        /// The relationships that a store keeps. In all tested models each has an inverse.
        var linkedRelationships: [Schema.Relationship] {
            relationships.filter { $0.isPersistent && $0.inverse != nil }
        }
    }
#endif
