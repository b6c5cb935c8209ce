package import GranaryModel

extension Diagram {
    /// The diagram of a model, with the entities in the order of their names.
    package init(_ model: ManagedObjectModel) {
        let entities = model.entities.sorted { utf8Less($0.name, $1.name) }
        let groups = model.configurations.count > 1 ? model.configurations : []
        boxes = entities.map { entity in
            Box(
                name: entity.name, isAbstract: entity.isAbstract, rows: Self.rows(entity),
                group: groups.firstIndex { $0.entityNames.contains(entity.name) })
        }
        self.groups = groups.map(\.name)
        links = []
        addLinks(entities)
    }

    private static func rows(_ entity: EntityDescription) -> [Row] {
        let unique = Set(entity.uniquenessConstraints.filter { $0.count == 1 }.joined())
        var rows = entity.attributes.map { attribute in
            let type = attribute.type == .composite ? attribute.compositeName ?? "Composite" : attribute.type.name
            var row = Row(kind: .attribute, name: attribute.name, type: type, isOptional: attribute.isOptional)
            if unique.contains(attribute.name) { row.words.append("unique") }
            if attribute.derivationExpression != nil { row.words.append("derived") }
            if attribute.isTransient { row.words.append("transient") }
            return row
        }
        rows += entity.relationships.map { relationship in
            Row(
                kind: .relationship, name: relationship.name,
                type: "\(relationship.destinationEntityName) \(cardinality(relationship).rawValue)",
                isOptional: relationship.isOptional,
                words: (relationship.isOrdered ? ["ordered"] : []) + [relationship.deleteRule.name.lowercased()])
        }
        rows += entity.fetchedProperties.map { property in
            Row(kind: .fetchedProperty, name: property.name, type: "fetched \(property.fetchRequest.entityName)")
        }
        return rows
    }

    private static func cardinality(_ relationship: RelationshipDescription) -> Cardinality {
        let isOptional = relationship.isOptional || (relationship.isToMany && relationship.minCount == 0)
        return relationship.isToMany
            ? isOptional ? .zeroOrMore : .oneOrMore : isOptional ? .zeroOrOne : .one
    }

    private mutating func addLinks(_ entities: [EntityDescription]) {
        let places = Dictionary(boxes.enumerated().map { ($1.name, $0) }, uniquingKeysWith: { first, _ in first })
        for (box, entity) in entities.enumerated() {
            if let superentity = entity.superentityName.flatMap({ places[$0] }) {
                links.append(
                    Link(
                        isInheritance: true, from: End(box: box, row: nil, cardinality: nil),
                        to: End(box: superentity, row: nil, cardinality: nil)))
            }
            for relationship in entity.relationships {
                guard let other = places[relationship.destinationEntityName] else { continue }
                add(relationship, of: entity, box, to: entities[other], other)
            }
        }
    }

    private mutating func add(
        _ relationship: RelationshipDescription, of entity: EntityDescription, _ box: Int,
        to destination: EntityDescription,
        _ other: Int
    ) {
        let inverse = relationship.inverseName.flatMap { destination.relationship(named: $0) }
        if let inverse {
            // Each pair of inverses is one link: that of the first entity.
            let isFirst = box < other || box == other && !utf8Less(inverse.name, relationship.name)
            let isMutual = inverse.destinationEntityName == entity.name && inverse.inverseName == relationship.name
            if isMutual, !isFirst { return }
        }
        func row(_ name: String, in box: Int) -> Int? {
            boxes[box].rows.firstIndex { $0.kind == .relationship && $0.name == name }
        }
        links.append(
            Link(
                isInheritance: false,
                from: End(
                    box: box, row: row(relationship.name, in: box), cardinality: inverse.map(Self.cardinality)),
                to: End(
                    box: other, row: inverse.flatMap { row($0.name, in: other) },
                    cardinality: Self.cardinality(relationship))))
    }
}
