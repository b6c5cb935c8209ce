import GranaryBase
import GranaryModel
import GranaryPredicates
import GranaryPropertyLists

extension CompiledModelBuilder {
    /// An entity's own indexes, then an index for each property with the flag `indexed`, attributes first: it has one
    /// element and the property's name, and is archived without its entity.
    static func fetchIndexes(of entity: EntityDescription) -> [(index: FetchIndexDescription, isSynthesised: Bool)] {
        var indexes = entity.fetchIndexes.map { (index: $0, isSynthesised: false) }
        let names = Set(entity.fetchIndexes.map(\.name))
        let attributes = entity.attributes.filter(\.isIndexed).map(\.name).sorted(by: utf8Less)
        let relationships = entity.relationships.filter(\.isIndexed).map(\.name).sorted(by: utf8Less)
        for name in attributes + relationships where !names.contains(name) {
            indexes.append(
                (index: FetchIndexDescription(name: name, elements: [.init(propertyName: name)]), isSynthesised: true))
        }
        return indexes
    }

    /// The attributes that the archive marks as indexed: they have the flag `indexed` or an ascending index over them
    /// alone. (A relationship is not marked; it only has the index.)
    static func markedAttributes(of entity: EntityDescription) -> Set<String> {
        let alone = entity.fetchIndexes.filter { $0.elements.count == 1 }.compactMap { index in
            index.elements.first.flatMap { $0.isAscending ? $0.propertyName : nil }
        }
        return Set(alone + entity.attributes.filter(\.isIndexed).map(\.name))
    }

    /// The fields of an entity's indexes. An entity without indexes has neither key, except in the cache of a model in
    /// which another entity has indexes.
    ///
    /// The older `NSCompoundIndexes` repeats each index over several attributes and expressions, also a partial one.
    mutating func indexFields(of entity: EntityDescription) -> [PropertyListEntry] {
        let indexes = Self.fetchIndexes(of: entity)
        let relationships = Set(memberRelationships(of: entity))
        let repeated = indexes.map(\.index).filter { index in
            index.elements.count > 1
                && index.elements.allSatisfy { element in
                    element.kind == .binary && !(element.propertyName.map(relationships.contains) ?? false)
                }
        }.map(\.compoundNames)
        let compound = repeated + entity.compoundIndexes.filter { !repeated.contains($0) }
        guard !indexes.isEmpty || (form == .modelCache && hasIndexes) else {
            return compound.isEmpty ? [] : [PropertyListEntry("NSCompoundIndexes", builder.addNameLists(compound))]
        }
        var references: [PropertyListValue] = []
        for (index, isSynthesised) in indexes {
            references.append(add(index, of: entity.name, knowsEntity: !isSynthesised))
        }
        return [
            PropertyListEntry("NSFetchIndexDescriptions", builder.addArray(references, isMutable: true)),
            PropertyListEntry("NSCompoundIndexes", builder.addNameLists(compound)),
        ]
    }

    /// The names of an entity's relationships, own and inherited.
    private func memberRelationships(of entity: EntityDescription) -> [String] {
        var names: [String] = []
        var seen: Set<String> = []
        var current: EntityDescription? = entity
        while let next = current, seen.insert(next.name).inserted {
            names += next.relationships.map(\.name)
            current = next.superentityName.flatMap(self.entity(named:))
        }
        return names
    }

    private mutating func add(
        _ index: FetchIndexDescription, of entity: String, knowsEntity: Bool
    ) -> PropertyListValue {
        let number = builder.reserve()
        var elements: [PropertyListValue] = []
        for element in index.elements {
            var fields: [PropertyListEntry] = []
            if let name = element.propertyName {
                fields.append(PropertyListEntry("NSPropertyName", builder.addText(name)))
            } else {
                expressionCount += 1
                let name = builder.addText("expression\(expressionCount)")
                fields.append(PropertyListEntry("NSPropertyName", name))
                fields.append(
                    PropertyListEntry(
                        "NSIndexedProperty", expressionProperty(of: element, name, index: index.name, entity)))
            }
            fields += [
                // `NSFetchIndexElementType`: binary 0, R-tree 1.
                PropertyListEntry("NSFetchIndexElementType", .integer(element.kind == .rTree ? 1 : 0)),
                PropertyListEntry("NSAscending", .boolean(element.isAscending)),
                PropertyListEntry("NSFetchIndexDescription", .uid(number)),
            ]
            elements.append(
                builder.add(classNames: ["NSFetchIndexElementDescription", "NSObject"], fields: fields))
        }
        let owner = knowsEntity ? reference(toEntity: entity) ?? KeyedArchiveBuilder.null : KeyedArchiveBuilder.null
        builder.set(
            number, classNames: ["NSFetchIndexDescription", "NSObject"],
            fields: [
                PropertyListEntry("NSIndexName", builder.addText(index.name)),
                PropertyListEntry("NSIndexElements", builder.addArray(elements, isMutable: form == .modelCache)),
                PropertyListEntry(
                    "NSPartialIndexPredicate",
                    predicate(index.partialIndexPredicate, "of the index \"\(index.name)\"", entity, nil)),
                PropertyListEntry("NSEntity", owner),
            ])
        return .uid(number)
    }

    /// The property that an element over an expression has in the place of one of the entity (407 of 407 elements of
    /// real model caches). Its name counts such elements of the whole model.
    private mutating func expressionProperty(
        of element: FetchIndexDescription.Element, _ name: PropertyListValue, index: String, _ entity: String
    ) -> PropertyListValue {
        let parsed: ObjectExpression
        let reference: PropertyListValue
        do throws(GranaryError) {
            parsed = try PredicateFormat.expression(element.expression ?? "")
            reference = try PredicateArchiveWriter.add(parsed, to: &builder)
        } catch {
            problem(
                .modelSyntax, "the expression of the index \"\(index)\" cannot be compiled: \(error.message)", entity)
            return KeyedArchiveBuilder.null
        }
        let type = element.expressionType ?? FetchIndexDescription.Element.defaultType(of: parsed)
        var flags: CompiledPropertyFlags = [.always, .optional, .readOnly, .noUserInfo, .noVersionHashModifier]
        flags.formUnion([.noValidationPredicates, .noValidationWarnings])
        return builder.add(
            classNames: ["NSExpressionDescription", "NSPropertyDescription", "NSObject"],
            fields: [
                PropertyListEntry("_P", .integer(flags.rawValue)),
                PropertyListEntry("NSPropertyName", name),
                PropertyListEntry("NSRenamingIdentifier", name),
                PropertyListEntry("NSEntity", KeyedArchiveBuilder.null),
                PropertyListEntry("NSIsOptional", .boolean(true)),
                PropertyListEntry("NSIsReadOnly", .boolean(true)),
                PropertyListEntry("NSExpression", reference),
                PropertyListEntry("NSExpressionType", .integer(Int64(type.rawValue))),
            ])
    }
}

extension FetchIndexDescription {
    /// The names of the elements in `NSCompoundIndexes`, where `SELF` is `self` and a key path its path.
    var compoundNames: [String] {
        elements.map { element in
            if let name = element.propertyName { return name }
            switch element.parsedExpression {
            case .evaluatedObject?: return "self"
            case .keyPath(let path)?: return path
            default: return element.expression ?? ""
            }
        }
    }
}
