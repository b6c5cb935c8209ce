#if canImport(CoreData)
    import Granary

    extension ObjectPlan {
        /// The offset from the number of an object to the number of its changed values. It is prime, so an attribute
        /// with several sample values gets another one.
        private static let valueShift = 1009

        /// Returns the plan after deletions, changes and insertions in every entity that is not abstract.
        ///
        /// Edits that would leave a relationship with too few or too many objects are omitted. Both frameworks must
        /// accept the others.
        func edited() -> ObjectPlan {
            var plan = self
            for entity in schema.entities where !entity.isAbstract {
                plan.deleteOne(of: entity)
                plan.changeValues(of: entity)
                plan.changeLinks(of: entity)
                plan.insertOne(of: entity)
            }
            return plan
        }

        private mutating func attempt(_ edit: (inout ObjectPlan) -> Void) {
            var copy = self
            edit(&copy)
            if copy.keepsCounts { self = copy }
        }

        /// Deletes the last object whose deletion only removes links: no delete rule in use cascades or denies.
        private mutating func deleteOne(of entity: Schema.Entity) {
            for number in numbers(of: entity).reversed() {
                let onlyNullifies = entity.linkedRelationships.allSatisfy { relationship in
                    linked(number, relationship).isEmpty || relationship.description.deleteRule == .nullify
                }
                guard onlyNullifies else { continue }
                let before = objects.count
                attempt { plan in
                    for relationship in entity.linkedRelationships {
                        for other in plan.linked(number, relationship) { plan.unlink(number, relationship, other) }
                    }
                    plan.objects[number] = nil
                }
                if objects.count < before { return }
            }
        }

        private mutating func changeValues(of entity: Schema.Entity) {
            for (place, number) in numbers(of: entity).enumerated() where place % 5 == 0 {
                setValues(of: number, in: entity, at: number + Self.valueShift)
            }
        }

        /// Changes links over each relationship: adds one to the first object, removes one from the second one, and
        /// reverses the order of the third one.
        private mutating func changeLinks(of entity: Schema.Entity) {
            let own = numbers(of: entity)
            guard own.count >= 3 else { return }
            for relationship in entity.linkedRelationships {
                guard let inverse = schema.inverse(of: relationship) else { continue }
                let present = linked(own[0], relationship)
                if let other = numbers(ofKind: inverse.owner).last(where: { !present.contains($0) }) {
                    attempt { plan in plan.link(own[0], relationship, other) }
                }
                if let member = linked(own[1], relationship).first {
                    attempt { plan in plan.unlink(own[1], relationship, member) }
                }
                if relationship.description.isOrdered { objects[own[2]]?.links[relationship.name]?.reverse() }
            }
        }

        /// Inserts an object and links it, over each relationship, to the first possible object.
        private mutating func insertOne(of entity: Schema.Entity) {
            let number = (objects.keys.max() ?? 0) + 1
            attempt { plan in
                plan.insert(number, of: entity)
                for relationship in entity.linkedRelationships {
                    guard let inverse = plan.schema.inverse(of: relationship),
                        let target = plan.numbers(ofKind: inverse.owner).first
                    else { continue }
                    plan.link(number, relationship, target)
                }
            }
        }

        // MARK: - Changes since another plan

        /// Returns the attributes of an object whose values differ from the values in another plan or, if the object is
        /// new, from the default values.
        func changedAttributes(of number: Int, since old: ObjectPlan) -> [Schema.Attribute] {
            guard let object = objects[number], let entity = schema.entity(named: object.entity) else { return [] }
            let before = old.objects[number] ?? newObject(of: entity)
            return entity.plainAttributes.filter { object.values[$0.name] != before.values[$0.name] }
        }

        /// Returns the relationships of an object whose links, or their order, differ from the links in another plan.
        func changedRelationships(of number: Int, since old: ObjectPlan) -> [Schema.Relationship] {
            guard let object = objects[number], let entity = schema.entity(named: object.entity) else { return [] }
            return entity.linkedRelationships.filter { relationship in
                object.links[relationship.name] ?? [] != old.linked(number, relationship)
            }
        }
    }
#endif
