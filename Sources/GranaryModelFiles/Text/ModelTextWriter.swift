import Foundation
import GranaryBase
import GranaryModel
import GranaryPredicates

/// Writes a model as text (docs/model-text.md): the short form of each part where it has one, otherwise the long form.
struct ModelTextWriter {
    let model: ManagedObjectModel
    /// The comments of entities and properties, by `Entity` and `Entity.property`.
    let comments: [String: String]
    /// The kinds of which most are syncable, and what most attributes of a type are.
    let syncable: Set<ModelTextNames.Syncable>
    let scalars: [AttributeType: Bool]
    /// The relationships whose inverse is left out because another one states it, as entity and name.
    let impliedInverses: Set<[String]>
    /// The relationships without inverse that another one names.
    let deniedInverses: Set<[String]>

    /// - Throws: `GranaryError` with code `refused` if reading the text would give another model, as with a name that
    ///   occurs twice.
    static func write(
        _ model: ManagedObjectModel, isJSON: Bool, target: String, header: [String] = [],
        comments: [String: String] = [:]
    ) throws(GranaryError) -> [UInt8] {
        let node: ModelTextNode
        do {
            node = try ModelTextWriter(model, comments: comments).node()
        } catch {
            throw ModelArchive.unwritable(error, target)
        }
        let bytes = Array((isJSON ? node.json : node.yaml(header: header)).utf8)
        do throws(GranaryError) {
            if try ModelTextReader.read(bytes, source: target, isJSON: isJSON) == model { return bytes }
        } catch {
            throw GranaryError(
                .refused, "\(target): the model cannot be written as text: \(error.message)", underlying: error)
        }
        throw GranaryError(
            .refused,
            "\(target): the model cannot be written as text without a loss; write it as an archive (.json, .plist)")
    }

    private init(_ model: ManagedObjectModel, comments: [String: String]) {
        self.model = model
        self.comments = comments
        var counts: [ModelTextNames.Syncable: Int] = [:]
        var scalarCounts: [AttributeType: [Bool?: Int]] = [:]
        for entity in model.entities {
            counts[.entities, default: 0] += entity.isSyncable ? 1 : -1
            for item in entity.relationships { counts[.relationships, default: 0] += item.isSyncable ? 1 : -1 }
            for item in entity.fetchedProperties { counts[.fetchedProperties, default: 0] += item.isSyncable ? 1 : -1 }
        }
        for attribute in model.entities.flatMap(\.attributes) + model.composites.flatMap(\.elements) {
            counts[.attributes, default: 0] += attribute.isSyncable ? 1 : -1
            scalarCounts[attribute.type, default: [:]][attribute.usesScalarValueType, default: 0] += 1
        }
        syncable = Set(counts.filter { $0.value > 0 }.keys)
        scalars = scalarCounts.compactMapValues { counts in
            let total = counts.values.reduce(0, +)
            return counts.first { $0.value * 2 > total }?.key
        }
        (impliedInverses, deniedInverses) = Self.inverses(of: model)
    }

    /// The first of two relationships that are each other's inverse states it.
    private static func inverses(of model: ManagedObjectModel) -> (implied: Set<[String]>, denied: Set<[String]>) {
        let entities = Dictionary(model.entities.map { ($0.name, $0) }) { first, _ in first }
        var claims: [[String]: Int] = [:]
        var stated: Set<[String]> = []
        var implied: Set<[String]> = []
        var denied: Set<[String]> = []
        for entity in model.entities {
            for relationship in entity.relationships {
                guard let name = relationship.inverseName,
                    let target = owner(of: name, in: relationship.destinationEntityName, entities)
                else { continue }
                let place = [target.name, name]
                claims[place, default: 0] += 1
                guard let inverse = target.relationship(named: name) else { continue }
                if inverse.inverseName == nil {
                    denied.insert(place)
                } else if inverse.inverseName == relationship.name,
                    !implied.contains([entity.name, relationship.name]),
                    !stated.contains(place), place != [entity.name, relationship.name]
                {
                    stated.insert([entity.name, relationship.name])
                    implied.insert(place)
                }
            }
        }
        return (implied.filter { claims[$0] == 1 }, denied)
    }

    private static func owner(
        of relationship: String, in entity: String, _ entities: [String: EntityDescription]
    ) -> EntityDescription? {
        var current: String? = entity
        for _ in 0..<entities.count {
            guard let found = current.flatMap({ entities[$0] }) else { return nil }
            if found.relationship(named: relationship) != nil { return found }
            current = found.superentityName
        }
        return nil
    }

    // MARK: The top

    private func node() throws -> ModelTextNode {
        var members = ModelTextMembers<ModelTextKey>()
        if !model.versionIdentifiers.isEmpty {
            members.add(.versionIdentifiers, .texts(model.versionIdentifiers))
        }
        if syncable.count == ModelTextNames.Syncable.allCases.count {
            members.add(.syncable, .flag(true))
        } else if !syncable.isEmpty {
            members.add(
                .syncable, .texts(ModelTextNames.Syncable.allCases.filter(syncable.contains).map(\.rawValue)))
        }
        let types = ModelTextNames.types.compactMap { name, type in scalars[type].map { (name, $0) } }
        if !types.isEmpty { members.add(.scalars, .flow(types.map { .init($0, .flag($1)) })) }
        members.add(
            .entities,
            .block(
                try model.entities.map {
                    ModelTextNode.Member($0.name, try entity($0), comment: comments[$0.name])
                }))
        if !model.composites.isEmpty {
            members.add(
                .composites,
                .block(
                    try model.composites.map { composite in
                        var inner = ModelTextMembers<ModelCompositeKey>()
                        inner.add(.attributes, try attributes(composite.elements, entity: nil, unique: []))
                        inner.add(.notes, notes: composite.notes)
                        return ModelTextNode.Member(composite.name, .block(inner.members))
                    }))
        }
        if !model.configurations.isEmpty {
            members.add(
                .configurations,
                .block(
                    model.configurations.map { configuration in
                        let names = ModelTextNode.texts(configuration.entityNames)
                        if configuration.notes.isEmpty { return ModelTextNode.Member(configuration.name, names) }
                        var inner = ModelTextMembers<ModelConfigurationKey>()
                        inner.add(.entities, names)
                        inner.add(.notes, notes: configuration.notes)
                        return ModelTextNode.Member(configuration.name, .flow(inner.members))
                    }))
        }
        if !model.fetchRequestTemplates.isEmpty {
            members.add(
                .fetchRequests,
                .block(model.fetchRequestTemplates.map { .init($0.name, fetchRequest($0, name: $0.name)) }))
        }
        members.add(.notes, notes: model.notes)
        return .block(members.members)
    }
}
