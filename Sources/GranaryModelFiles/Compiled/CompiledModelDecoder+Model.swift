import GranaryBase
import GranaryModel
import GranaryPropertyLists

extension CompiledModelDecoder {
    private static let modelKeys: Set<String> = [
        "NSEntities", "NSFetchRequestTemplates", "NSVersionIdentifiers", "NSConfigurations", "CDMCompilerToolVersion",
        "CDMCompilerXcodeVersion",
    ]
    private static let toolKeys = ["CDMCompilerToolVersion", "CDMCompilerXcodeVersion"]
    /// Core Data's name for the configuration with all entities.
    private static let defaultConfiguration = "PF_DEFAULT_CONFIGURATION_NAME"

    mutating func model() throws(GranaryError) -> ManagedObjectModel {
        guard let item = try archive.top() else { throw refusal("is a keyed archive without a root object") }
        let root = try unpack(item, "the root of the archive")
        if root.isKind(of: "NSMappingModel") {
            throw refusal("is a compiled mapping model (.cdm), not a model; use the .mom or .momd that it maps")
        }
        guard root.isKind(of: "NSManagedObjectModel") else {
            throw refusal(
                "is a keyed archive of the class \(quoted(root.className)), not of a Core Data model")
        }
        var model = ManagedObjectModel()
        model.versionIdentifiers = try versionIdentifiers(of: root)
        for key in Self.toolKeys {
            guard let item = root.fields[key] else { continue }
            model.notes[key] = Self.plainText(try contents(item))
        }
        try keepUnknown(of: root, known: Self.modelKeys, &model.notes)

        let objects = try entityObjects(of: root)
        hasIndexLists = objects.contains { $0.fields["NSFetchIndexDescriptions"] != nil }
        var entities: [EntityDescription] = []
        for object in objects { entities.append(try entity(object)) }
        place = Place()
        model.entities = Self.sorted(withoutInherited(entities), by: \.name)
        try readConfigurations(of: root, into: &model)
        for (name, item) in try entries("NSFetchRequestTemplates", of: root) {
            model.fetchRequestTemplates.append(try fetchRequest(item, name: name))
        }
        model.fetchRequestTemplates = Self.sorted(model.fetchRequestTemplates, by: \.name)
        model.composites = Self.sorted(composites, by: \.name)
        return model
    }

    /// Core Data accepts objects of any class as version identifiers; numbers are kept as text.
    private mutating func versionIdentifiers(of root: CompiledObject) throws(GranaryError) -> [String] {
        var identifiers: [String] = []
        for item in try items("NSVersionIdentifiers", of: root) {
            let value = try contents(item)
            if case .string(let text) = value {
                identifiers.append(text)
            } else if let text = Self.plainText(value) {
                identifiers.append(text)
                warn("the version identifier \(quoted(text)) is not text; it is kept as text")
            } else {
                warn("a version identifier is not text; it is omitted")
            }
        }
        return identifiers
    }

    /// The objects of the entities, superentities first. Fills `entityNames` and `superentities`.
    private mutating func entityObjects(of root: CompiledObject) throws(GranaryError) -> [CompiledObject] {
        let entries = try entityEntries(of: root)
        guard entries.count <= CompiledModelReader.entityLimit else {
            throw refusal(
                "the model has \(entries.count) entities, more than the limit of \(CompiledModelReader.entityLimit)",
                code: .limitExceeded)
        }
        var objects: [CompiledObject] = []
        var names: Set<String> = []
        for (key, item) in entries {
            place = Place(entity: key)
            let object = try unpack(item, "a value of NSEntities")
            guard object.isKind(of: "NSEntityDescription") else {
                throw refusal("NSEntities contains an object of the class \(quoted(object.className))")
            }
            let name = try text("NSEntityName", of: object) ?? key
            if name != key { warn("the entity is listed as \(quoted(key)), but named \(quoted(name))") }
            guard names.insert(name).inserted, entityNames.updateValue(name, forKey: item) == nil else {
                throw refusal("the entity \(quoted(name)) occurs twice", code: .modelDuplicate)
            }
            objects.append(object)
        }
        for object in objects {
            guard let item = object.fields["NSSuperentity"], let name = entityNames[object.item] else { continue }
            place = Place(entity: name)
            superentities[name] = try entityName(of: item, "NSSuperentity")
        }
        // Root entities first, then by name: a composite is named after the first entity that uses it.
        let (known, parents) = (entityNames, superentities)
        return Self.sorted(objects) { object in
            let name = known[object.item] ?? ""
            return parents[name] == nil ? " " + name : name
        }
    }

    /// The name of the entity that `what` refers to.
    func entityName(of item: KeyedArchive.Item, _ what: String) throws(GranaryError) -> String {
        guard let name = entityNames[item] else {
            throw refusal("\(what) refers to an object that is not an entity of the model", code: .modelReference)
        }
        return name
    }

    private mutating func entityEntries(
        of root: CompiledObject
    ) throws(GranaryError) -> [(name: String, item: KeyedArchive.Item)] {
        guard let item = root.fields["NSEntities"] else { throw refusal("the model has no NSEntities") }
        guard case .object = try contents(item) else { return try entries("NSEntities", of: root) }
        let dictionary = try unpack(item, "NSEntities")
        guard dictionary.classNames.contains(where: { $0.hasPrefix("NSKnownKeysDictionary") }),
            let mapping = dictionary.fields["searchMapping"]
        else { throw refusal("NSEntities is of the class \(quoted(dictionary.className)), not a dictionary") }
        isCache = true
        return try knownKeys(of: dictionary, try unpack(mapping, "the searchMapping of NSEntities"))
    }

    /// The entries of a dictionary that stores keys and values separately. A slot without a value contains a token.
    private mutating func knownKeys(
        of dictionary: CompiledObject, _ mapping: CompiledObject
    ) throws(GranaryError) -> [(name: String, item: KeyedArchive.Item)] {
        let keys = try texts("keys", of: mapping)
        let values = try items("values", of: dictionary)
        let token = try text("emptyToken", of: dictionary)
        guard keys.count == values.count else {
            throw refusal("NSEntities has \(keys.count) keys and \(values.count) values")
        }
        var result: [(name: String, item: KeyedArchive.Item)] = []
        for (key, value) in zip(keys, values) {
            switch try contents(value) {
            case .null: continue
            case .string(let text) where text == token: continue
            default: result.append((key, value))
            }
        }
        return result
    }

    private mutating func readConfigurations(
        of root: CompiledObject, into model: inout ManagedObjectModel
    ) throws(GranaryError) {
        for (name, item) in try entries("NSConfigurations", of: root) where name != Self.defaultConfiguration {
            let members: [KeyedArchive.Item]
            switch try contents(item) {
            case .array(let items), .set(let items), .orderedSet(let items): members = items
            default: throw refusal("the configuration \(quoted(name)) is not a collection")
            }
            var names: [String] = []
            for member in members {
                names.append(try entityName(of: member, "the configuration \(quoted(name))"))
            }
            model.configurations.append(
                ConfigurationDescription(name: name, entityNames: Self.sorted(names, by: \.self)))
        }
        model.configurations = Self.sorted(model.configurations, by: \.name)
    }
}
