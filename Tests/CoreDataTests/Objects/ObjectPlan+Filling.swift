#if canImport(CoreData)
    import Granary

    extension ObjectPlan {
        /// More than the sample values of any attribute, so that every value occurs in a store.
        private static let objectsPerEntity = 16

        /// Returns a plan with objects of every entity that is not abstract, and links over every relationship.
        static func full(_ schema: Schema) -> ObjectPlan {
            var plan = ObjectPlan(schema)
            for entity in schema.entities where !entity.isAbstract {
                for _ in 0..<objectsPerEntity { plan.insert(plan.objects.count, of: entity) }
            }
            for entity in schema.entities {
                for (index, relationship) in entity.relationships.enumerated() where relationship.owner == entity.index
                {
                    // Each pair is handled once, from the end that comes first.
                    guard relationship.isPersistent, let place = relationship.inverse,
                        (entity.index, index) <= (place.owner, place.relationship),
                        let inverse = schema.inverse(of: relationship)
                    else { continue }
                    if relationship.isToMany && !inverse.isToMany {
                        plan.fill(inverse, relationship)
                    } else {
                        plan.fill(relationship, inverse)
                    }
                }
            }
            plan.reorder()
            return plan
        }

        /// Links the objects of two inverse relationships. If the first one is to-many, so is the second one.
        private mutating func fill(_ relationship: Schema.Relationship, _ inverse: Schema.Relationship) {
            let sources = numbers(ofKind: relationship.owner)
            let targets = numbers(ofKind: inverse.owner)
            guard !sources.isEmpty, !targets.isEmpty else { return }
            if relationship.isToMany {
                for source in sources {
                    for target in targets where (source + 2 * target) % 3 == 0 { link(source, relationship, target) }
                }
            } else if inverse.isToMany {
                fillTrees(relationship, inverse, sources, targets)
            } else {
                fillPairs(relationship, inverse, sources, targets)
            }
        }

        /// Links each source to an owner, except every fourth one. Within one entity the links form a tree.
        private mutating func fillTrees(
            _ relationship: Schema.Relationship, _ inverse: Schema.Relationship, _ sources: [Int], _ targets: [Int]
        ) {
            let isWithinEntity = relationship.owner == inverse.owner
            for (place, source) in sources.enumerated() {
                if relationship.description.isOptional && place % 4 == 3 && inverse.description.minCount == 0 {
                    continue
                }
                if isWithinEntity {
                    if place > 0 { link(source, relationship, sources[place / 2]) }
                } else if inverse.description.minCount > 0 {
                    link(source, relationship, targets[place % targets.count])
                } else {
                    link(source, relationship, targets[(place / 3) % targets.count])
                }
            }
        }

        /// Links objects one to one, except every fourth source. Within one entity the links form chains.
        private mutating func fillPairs(
            _ relationship: Schema.Relationship, _ inverse: Schema.Relationship, _ sources: [Int], _ targets: [Int]
        ) {
            let isWithinEntity = relationship.owner == inverse.owner
            let isOwnInverse = isWithinEntity && relationship.name == inverse.name
            for (place, source) in sources.enumerated() {
                if relationship.description.isOptional && inverse.description.isOptional && place % 4 == 3 { continue }
                if isOwnInverse && !place.isMultiple(of: 2) { continue }
                let target = isWithinEntity ? place + 1 : place
                if target < targets.count { link(source, relationship, targets[target]) }
            }
        }

        /// Reverses every other ordered list, so that its order differs from the order of the keys.
        private mutating func reorder() {
            for number in numbers where !number.isMultiple(of: 2) {
                guard let object = objects[number], let entity = schema.entity(named: object.entity) else { continue }
                for relationship in entity.linkedRelationships where relationship.description.isOrdered {
                    objects[number]?.links[relationship.name]?.reverse()
                }
            }
        }
    }
#endif
