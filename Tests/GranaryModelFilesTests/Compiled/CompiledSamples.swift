import GranaryBase
import GranaryModel
import GranaryPropertyLists

@testable import GranaryModelFiles

/// Compiled models put together by hand, object by object, so that they can be wrong in every way.
struct CompiledSamples {
    var builder = KeyedArchiveBuilder()
    /// The place of the model, which entities refer to.
    let root: UInt64

    init() { root = builder.reserve() }

    mutating func text(_ text: String) -> PropertyListValue { builder.add(.string(text)) }

    mutating func array(_ members: [PropertyListValue]) -> PropertyListValue {
        builder.add(classNames: ["NSArray", "NSObject"], fields: [.init("NS.objects", .array(members))])
    }

    mutating func dictionary(_ entries: [(String, PropertyListValue)]) -> PropertyListValue {
        var keys: [PropertyListValue] = []
        for entry in entries { keys.append(text(entry.0)) }
        return builder.add(
            classNames: ["NSMutableDictionary", "NSDictionary", "NSObject"],
            fields: [.init("NS.keys", .array(keys)), .init("NS.objects", .array(entries.map(\.1)))])
    }

    mutating func attribute(
        _ name: String, type: Int64 = 700, className: String = "NSAttributeDescription",
        entity: PropertyListValue? = nil,
        _ more: [PropertyListEntry] = []
    ) -> PropertyListValue {
        let fields: [PropertyListEntry] = [
            .init("NSPropertyName", text(name)), .init("NSAttributeType", .integer(type)), .init("_P", .integer(241)),
            .init("NSEntity", entity ?? KeyedArchiveBuilder.null),
        ]
        return builder.add(
            classNames: [className, "NSAttributeDescription", "NSPropertyDescription", "NSObject"],
            fields: fields + more)
    }

    mutating func entity(
        _ name: String, at number: UInt64? = nil, properties: [(String, PropertyListValue)] = [],
        _ more: [PropertyListEntry] = []
    ) -> PropertyListValue {
        let place = number ?? builder.reserve()
        let fields: [PropertyListEntry] = [
            .init("NSEntityName", text(name)), .init("NSManagedObjectModel", .uid(root)),
            .init("NSProperties", dictionary(properties)),
        ]
        builder.set(place, classNames: ["NSEntityDescription", "NSObject"], fields: fields + more)
        return .uid(place)
    }

    /// The archive's bytes with these entities.
    mutating func bytes(
        _ entities: [(String, PropertyListValue)], _ more: [PropertyListEntry] = [],
        className: String = "NSManagedObjectModel"
    ) -> [UInt8] {
        let table = dictionary(entities)
        builder.set(root, classNames: [className, "NSObject"], fields: [.init("NSEntities", table)] + more)
        return builder.bytes(root: .uid(root))
    }

    static func read(_ bytes: [UInt8]) throws -> (model: ManagedObjectModel, diagnostics: [Diagnostic]) {
        var diagnostics = DiagnosticCollector()
        let model = try ManagedObjectModel(bytes: bytes, source: "M.mom", diagnostics: &diagnostics)
        return (model, diagnostics.diagnostics)
    }

    /// A model of one entity `E` with these properties.
    static func read(
        _ properties: (inout CompiledSamples) -> [(String, PropertyListValue)]
    ) throws -> (model: ManagedObjectModel, diagnostics: [Diagnostic]) {
        var samples = CompiledSamples()
        let members = properties(&samples)
        let entity = samples.entity("E", properties: members)
        return try read(samples.bytes([("E", entity)]))
    }
}

extension ManagedObjectModel {
    /// The model without what only Xcode's editor knows, which no compiled model has.
    var withoutEditorFacts: ManagedObjectModel {
        var model = self
        model.notes = [:]
        for index in model.entities.indices {
            model.entities[index].notes = [:]
            model.entities[index].isSyncable = false
            model.entities[index].codeGenerationType = nil
            for place in model.entities[index].attributes.indices {
                model.entities[index].attributes[place].notes = [:]
                model.entities[index].attributes[place].isSyncable = false
                model.entities[index].attributes[place].usesScalarValueType = nil
            }
            for place in model.entities[index].relationships.indices {
                model.entities[index].relationships[place].notes = [:]
                model.entities[index].relationships[place].isSyncable = false
            }
        }
        return model
    }
}
