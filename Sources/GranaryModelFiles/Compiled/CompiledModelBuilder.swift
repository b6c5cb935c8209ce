import GranaryBase
import GranaryModel
import GranaryPropertyLists

/// Builds the archive of a compiled model.
///
/// model → an object number for every entity and property, which refer to each other in cycles → their fields, entity
/// by entity → the model's fields → bytes, or one error with everything that could not be written.
struct CompiledModelBuilder {
    /// A property of one entity, and the number of its object.
    struct Member {
        let name: String
        let description: PropertyDescription
        let number: UInt64
    }

    /// The versions of the newest compiler whose files were examined (Xcode 16.1).
    private static let toolVersion = 23507.0
    private static let xcodeVersion: Int64 = 160_100
    /// The value of empty slots of an `NSKnownKeysDictionary1`; the same in every cache.
    private static let emptyToken = "__empty_slot_token_4c24_98dc_ac1e_b773__"

    let form: CompiledModelForm
    let composites: [String: CompositeDescription]
    /// Whether any entity has an index; a cache then has a list of indexes, possibly empty, for every entity.
    let hasIndexes: Bool
    var builder = KeyedArchiveBuilder()
    private(set) var problems = DiagnosticCollector()

    private let model: ManagedObjectModel
    private let root: UInt64
    /// All entities by name.
    private let entities: [EntityDescription]
    private let entityNumbers: [String: UInt64]
    private let subentities: [String: [EntityDescription]]
    private let superentityNames: [String: String]
    private let byName: [String: EntityDescription]
    /// The properties of each entity, in the order of ``entities``.
    private let members: [[Member]]
    private let memberNumbers: [String: [String: UInt64]]
    private var emptyUserInfo: PropertyListValue?
    /// The number of index elements over an expression so far.
    var expressionCount = 0

    init(_ model: ManagedObjectModel, form: CompiledModelForm) {
        let entities = model.entities.sorted { utf8Less($0.name, $1.name) }
        let byName = Dictionary(entities.map { ($0.name, $0) }) { first, _ in first }
        var builder = KeyedArchiveBuilder()
        let root = builder.reserve()
        var entityNumbers: [String: UInt64] = [:]
        for entity in entities where entityNumbers[entity.name] == nil {
            entityNumbers[entity.name] = builder.reserve()
        }
        var members: [[Member]] = []
        var memberNumbers: [String: [String: UInt64]] = [:]
        let properties = Self.properties(of: entities, byName, inheriting: form == .modelCache)
        for entity in entities {
            var own: [Member] = []
            for (name, description) in (properties[entity.name] ?? [:]).sorted(by: { utf8Less($0.key, $1.key) }) {
                own.append(Member(name: name, description: description, number: builder.reserve()))
            }
            members.append(own)
            memberNumbers[entity.name] = Dictionary(own.map { ($0.name, $0.number) }) { first, _ in first }
        }
        self.model = model
        self.form = form
        self.builder = builder
        self.root = root
        self.entities = entities
        self.entityNumbers = entityNumbers
        self.members = members
        self.memberNumbers = memberNumbers
        composites = Dictionary(model.composites.map { ($0.name, $0) }) { first, _ in first }
        hasIndexes = entities.contains { !Self.fetchIndexes(of: $0).isEmpty }
        subentities = Dictionary(grouping: entities.filter { $0.superentityName != nil }) { $0.superentityName ?? "" }
        superentityNames = byName.compactMapValues(\.superentityName)
        self.byName = byName
    }

    mutating func build() throws(GranaryError) -> [UInt8] {
        for (entity, members) in zip(entities, members) { write(entity, members) }
        var fields = [
            PropertyListEntry("NSEntities", entityTable()),
            PropertyListEntry("NSFetchRequestTemplates", fetchRequestTemplates()),
            PropertyListEntry("NSVersionIdentifiers", versionIdentifiers()),
        ]
        if !model.configurations.isEmpty { fields.append(PropertyListEntry("NSConfigurations", configurations())) }
        if form == .mom {
            fields.append(PropertyListEntry("CDMCompilerToolVersion", .real(Self.toolVersion)))
            fields.append(PropertyListEntry("CDMCompilerXcodeVersion", .integer(Self.xcodeVersion)))
        }
        builder.set(root, classNames: ["NSManagedObjectModel", "NSObject"], fields: fields)
        let count = problems.errorCount
        try problems.throwIfAnyError("the model cannot be compiled: \(count) problem\(count == 1 ? "" : "s")")
        return builder.bytes(root: .uid(root))
    }

    // MARK: References and problems

    var modelReference: PropertyListValue { .uid(root) }

    func reference(toEntity name: String) -> PropertyListValue? { entityNumbers[name].map { .uid($0) } }

    func entity(named name: String) -> EntityDescription? { byName[name] }

    func subentities(of name: String) -> [EntityDescription] { subentities[name] ?? [] }

    /// The object of a property, own or inherited; in a cache the entity's copy.
    func reference(toProperty name: String, of entity: String) -> PropertyListValue? {
        var current: String? = entity
        var seen: Set<String> = []
        while let entity = current, seen.insert(entity).inserted {
            if let number = memberNumbers[entity]?[name] { return .uid(number) }
            current = superentityNames[entity]
        }
        return nil
    }

    /// Adds user info. All empty ones share one dictionary.
    mutating func userInfo(_ userInfo: [String: UserInfoValue]) -> PropertyListValue {
        if userInfo.isEmpty, let emptyUserInfo { return emptyUserInfo }
        var entries: [(key: String, value: PropertyListValue)] = []
        for (key, value) in userInfo.sorted(by: { utf8Less($0.key, $1.key) }) {
            entries.append((key, KeyedArchiveWriter.addTree(value.archiveTree, to: &builder)))
        }
        let dictionary = builder.addDictionary(entries)
        if userInfo.isEmpty { emptyUserInfo = dictionary }
        return dictionary
    }

    mutating func problem(_ diagnostic: Diagnostic) { problems.add(diagnostic) }

    mutating func problem(
        _ code: Diagnostic.Code, _ message: String, _ entity: String? = nil, _ property: String? = nil
    ) {
        problems.add(Diagnostic(code, message, entity: entity, property: property))
    }

    // MARK: The model's fields

    private mutating func entityTable() -> PropertyListValue {
        let references = entities.map { reference(toEntity: $0.name) ?? KeyedArchiveBuilder.null }
        let names = entities.map(\.name)
        guard form == .modelCache else {
            return builder.addDictionary(zip(names, references).map { (key: $0, value: $1) }, isMutable: true)
        }
        var keys: [PropertyListValue] = []
        for name in names { keys.append(builder.addText(name)) }
        let mapping = builder.add(
            classNames: ["NSKnownKeysMappingStrategy1", "NSKnownKeysMappingStrategy", "NSObject"],
            fields: [
                PropertyListEntry("length", .integer(Int64(names.count))),
                PropertyListEntry("keys", builder.addArray(keys)),
                PropertyListEntry("version", .integer(1)),
            ])
        return builder.add(
            classNames: [
                "NSKnownKeysDictionary1", "NSKnownKeysDictionary", "NSMutableDictionary", "NSDictionary", "NSObject",
            ],
            fields: [
                PropertyListEntry("values", builder.addArray(references)),
                PropertyListEntry("searchMapping", mapping),
                PropertyListEntry("emptyToken", builder.addText(Self.emptyToken)),
                PropertyListEntry("version", .integer(1)),
            ])
    }

    private mutating func versionIdentifiers() -> PropertyListValue {
        var texts: [PropertyListValue] = []
        for identifier in Set(model.versionIdentifiers).sorted(by: utf8Less) {
            texts.append(builder.addText(identifier))
        }
        return builder.addSet(texts)
    }

    private mutating func configurations() -> PropertyListValue {
        var entries: [(key: String, value: PropertyListValue)] = []
        for configuration in model.configurations.sorted(by: { utf8Less($0.name, $1.name) }) {
            var references: [PropertyListValue] = []
            for name in Set(configuration.entityNames).sorted(by: utf8Less) {
                if let reference = reference(toEntity: name) {
                    references.append(reference)
                } else {
                    problem(
                        .modelReference, "the configuration \"\(configuration.name)\" names it, but it does not exist",
                        name)
                }
            }
            entries.append((configuration.name, builder.addSet(references)))
        }
        return builder.addDictionary(entries, isMutable: true)
    }

    /// No compiled model with templates was examined; they are stored by name, like entities.
    private mutating func fetchRequestTemplates() -> PropertyListValue {
        guard !model.fetchRequestTemplates.isEmpty else { return KeyedArchiveBuilder.null }
        var entries: [(key: String, value: PropertyListValue)] = []
        for template in model.fetchRequestTemplates.sorted(by: { utf8Less($0.name, $1.name) }) {
            entries.append((template.name, fetchRequest(template, template.entityName, template.name)))
        }
        return builder.addDictionary(entries, isMutable: true)
    }

    /// The properties of each entity, by name; own properties override inherited ones.
    ///
    /// Each entity starts with a copy of its superentity's properties, so that a long chain takes linear time.
    private static func properties(
        of entities: [EntityDescription], _ byName: [String: EntityDescription], inheriting: Bool
    ) -> [String: [String: PropertyDescription]] {
        var known: [String: [String: PropertyDescription]] = [:]
        for entity in entities where known[entity.name] == nil {
            var line = [entity]
            var seen: Set<String> = [entity.name]
            while inheriting, let name = line.last?.superentityName, known[name] == nil, let parent = byName[name],
                seen.insert(name).inserted
            {
                line.append(parent)
            }
            for entity in line.reversed() {
                var found = inheriting ? entity.superentityName.flatMap { known[$0] } ?? [:] : [:]
                let marked = markedAttributes(of: entity)
                for var attribute in entity.attributes {
                    attribute.isIndexed = marked.contains(attribute.name)
                    found[attribute.name] = .attribute(attribute)
                }
                for relationship in entity.relationships { found[relationship.name] = .relationship(relationship) }
                for property in entity.fetchedProperties { found[property.name] = .fetchedProperty(property) }
                known[entity.name] = found
            }
        }
        return known
    }
}
