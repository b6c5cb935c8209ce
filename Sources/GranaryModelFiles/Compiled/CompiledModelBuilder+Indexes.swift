import GranaryBase
import GranaryModel
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

    /// The attributes that the archive marks as indexed: they have the flag `indexed` or an index over them alone. (A
    /// relationship is not marked; it only has the index.)
    static func markedAttributes(of entity: EntityDescription) -> Set<String> {
        let alone = entity.fetchIndexes.filter { $0.elements.count == 1 }.compactMap { $0.elements.first?.propertyName }
        return Set(alone + entity.attributes.filter(\.isIndexed).map(\.name))
    }

    /// The fields of an entity's indexes. An entity without indexes has neither key, except in the cache of a model in
    /// which another entity has indexes.
    ///
    /// The older `NSCompoundIndexes` repeats each index over several properties.
    mutating func indexFields(of entity: EntityDescription) -> [PropertyListEntry] {
        let indexes = Self.fetchIndexes(of: entity)
        let repeated = indexes.map(\.index).filter(Self.isCompound).map { $0.elements.compactMap(\.propertyName) }
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

    private static func isCompound(_ index: FetchIndexDescription) -> Bool {
        index.elements.count > 1 && index.partialIndexPredicate == nil
            && index.elements.allSatisfy { $0.propertyName != nil && $0.kind == .binary }
    }

    private mutating func add(
        _ index: FetchIndexDescription, of entity: String, knowsEntity: Bool
    ) -> PropertyListValue {
        let number = builder.reserve()
        var elements: [PropertyListValue] = []
        for element in index.elements {
            guard let name = element.propertyName else {
                problem(
                    .modelSyntax,
                    "the index \"\(index.name)\" is over an expression, which Granary cannot compile",
                    entity)
                continue
            }
            elements.append(
                builder.add(
                    classNames: ["NSFetchIndexElementDescription", "NSObject"],
                    fields: [
                        PropertyListEntry("NSPropertyName", builder.addText(name)),
                        // `NSFetchIndexElementType`: binary 0, R-tree 1.
                        PropertyListEntry("NSFetchIndexElementType", .integer(element.kind == .rTree ? 1 : 0)),
                        PropertyListEntry("NSAscending", .boolean(element.isAscending)),
                        PropertyListEntry("NSFetchIndexDescription", .uid(number)),
                    ]))
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
}
