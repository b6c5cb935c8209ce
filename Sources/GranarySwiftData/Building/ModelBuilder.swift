import Foundation
import GranaryBase
import GranaryModel

/// Makes the model of a schema: reads its classes and those that they refer to, settles inverses and what the sources do
/// not tell, and describes the entities.
struct ModelBuilder {
    let index: SourceIndex
    let options: SwiftDataOptions
    private let resolver: TypeResolver
    var messages: [Diagnostic] = []
    var problems: [Diagnostic] = []
    /// Superclasses without `@Model`.
    private(set) var superclasses: [SourceTypeID: SwiftDataEntity] = [:]
    /// The maximum number of entities.
    private static let limit = 10_000

    init(index: SourceIndex, options: SwiftDataOptions) throws(GranaryError) {
        self.index = index
        self.options = options
        var decided: [String: DecidedType] = [:]
        for (name, text) in options.types {
            guard let type = DecidedType(text) else {
                throw GranaryError(.usage, "--type \(name)=\(text): after \"=\" comes \(DecidedType.forms)")
            }
            decided[name] = type
        }
        resolver = TypeResolver(index: index, decided: decided)
    }

    /// - Throws: ``GranaryError``: `refused` with each problem at its place.
    mutating func model(
        of listed: [SourceTypeID], schema: String?, identifier: String
    ) throws(GranaryError) -> SwiftDataModel {
        var entities = read(listed)
        refuseDuplicates(entities)
        var rules = InverseRules(entities, index: index, decided: options.inverses)
        rules.settle()
        entities = rules.entities
        problems += rules.problems
        var describer = EntityDescriber(index: index)
        decide(&entities, &describer)
        guard problems.isEmpty else {
            throw GranaryError(
                .refused, "the sources do not tell the schema\(schema.map { " \($0)" } ?? "")",
                diagnostics: problems.sorted(by: Self.isBefore))
        }
        var model = ManagedObjectModel(entities: entities.map { describe($0, &describer) })
        model.composites = describer.shapes.composites
        model.versionIdentifiers = [identifier]
        try compareHashes(of: model, entities)
        return SwiftDataModel(
            model: model, schema: schema, positions: positions(entities), messages: messages.sorted(by: Self.isBefore))
    }

    /// - Throws: ``GranaryError``: `refused` if the model does not have the expected hashes.
    private func compareHashes(of model: ManagedObjectModel, _ entities: [SwiftDataEntity]) throws(GranaryError) {
        guard let expected = options.expectedHashes else { return }
        let found = try model.resolved().versionHashes
        var differences: [Diagnostic] = []
        for entity in entities where expected[entity.name] != found[entity.name] {
            let what =
                expected[entity.name] == nil
                ? "the expected hashes have no such entity" : "the version hash is not the expected one"
            differences.append(Diagnostic(.storeMismatch, what, at: entity.position, entity: entity.name))
        }
        for name in expected.keys.sorted() where found[name] == nil {
            differences.append(Diagnostic(.storeMismatch, "the schema has no such entity", entity: name))
        }
        guard differences.isEmpty else {
            throw GranaryError(
                .refused, "the schema is not that of the expected hashes", diagnostics: differences)
        }
    }

    private static func isBefore(_ left: Diagnostic, _ right: Diagnostic) -> Bool {
        guard let left = left.position, let right = right.position else { return left.position == nil }
        return (left.file, left.line, left.column) < (right.file, right.line, right.column)
    }

    /// The listed classes and all that relationships lead to.
    private mutating func read(_ listed: [SourceTypeID]) -> [SwiftDataEntity] {
        var reader = EntityReader(
            index: index, resolver: resolver, triesVariants: options.expectedHashes != nil)
        var entities: [SwiftDataEntity] = []
        var seen = Set(listed)
        var open = Array(listed.reversed())
        while let id = open.popLast(), entities.count < Self.limit {
            let entity = reader.read(id)
            entities.append(entity)
            let parent = entity.parent.flatMap { index[$0].isModel ? $0 : nil }
            for other in entity.properties.compactMap(\.destination) + [parent].compactMap({ $0 })
            where seen.insert(other).inserted {
                open.append(other)
            }
            if let id = entity.parent, parent == nil {
                let superclass = reader.read(id)
                superclasses[id] = superclass
                guard superclass.parent != nil else { continue }
                problems.append(
                    Diagnostic(
                        .modelUndecided,
                        "\(superclass.name), from which the class inherits, inherits from another class",
                        at: entity.position, entity: entity.name))
            }
        }
        if let id = open.last {
            problems.append(
                Diagnostic(
                    .limitExceeded, "the schema has more than \(Self.limit) classes", at: index[id].position))
        }
        problems += reader.problems
        messages += reader.warnings
        return entities
    }

    /// Two classes of one name cannot be entities of one schema.
    private mutating func refuseDuplicates(_ entities: [SwiftDataEntity]) {
        var first: [String: SwiftDataEntity] = [:]
        for entity in entities {
            guard let other = first[entity.name] else {
                first[entity.name] = entity
                continue
            }
            problems.append(
                Diagnostic(
                    .modelDuplicate,
                    "the schema has the classes \(index[other.id].name) and \(index[entity.id].name), whose entities "
                        + "would have the same name; name a schema with --schema, or classes with --model-class",
                    at: entity.position, entity: entity.name, related: [other.position]))
        }
    }

    private func describe(_ entity: SwiftDataEntity, _ describer: inout EntityDescriber) -> EntityDescription {
        var description = EntityDescription(name: entity.name)
        description.superentityName = entity.superentity
        let indexed = Set(entity.indexes.joined())
        for property in entity.properties {
            guard let shape = property.meaning.shape else { continue }
            if let relationship = describer.relationship(property, shape, inverse: property.inverse) {
                description.relationships.append(relationship)
            } else if var attribute = describer.attribute(property, shape) {
                attribute.isIndexed = indexed.contains(property.name)
                description.attributes.append(attribute)
            }
        }
        description.uniquenessConstraints = entity.constraints
        description.fetchIndexes = entity.indexes.map { names in
            FetchIndexDescription(
                name: "SwiftDataIndexOnBinary" + names.joined(), elements: names.map { .init(propertyName: $0) })
        }
        return description
    }

    private func positions(_ entities: [SwiftDataEntity]) -> [String: SourcePosition] {
        var positions: [String: SourcePosition] = [:]
        for entity in entities {
            positions[entity.name] = entity.position
            for property in entity.properties { positions["\(entity.name).\(property.name)"] = property.position }
        }
        return positions
    }
}
