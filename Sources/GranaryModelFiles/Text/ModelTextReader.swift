import Foundation
import GranaryBase
import GranaryModel
import GranaryPredicates
import GranaryYAML

/// Reads a model as text (docs/model-text.md), and reports all problems with their positions.
final class ModelTextReader: TreeReading {
    let tree: PlacedTree
    let problems: TreeProblems
    /// The properties whose short or long form says `unique`, by the entity that is read.
    var uniqueProperties: [String] = []
    /// The relationships whose inverse the file states, if only as `null`.
    var statedInverses: Set<[String]> = []
    private(set) var syncable: Set<ModelTextNames.Syncable> = []
    private(set) var scalars: [AttributeType: Bool] = [:]

    private init(_ tree: PlacedTree) {
        self.tree = tree
        problems = TreeProblems(file: tree.text.file, kind: .model)
    }

    /// - Parameter isJSON: whether the text is JSON, not YAML.
    /// - Throws: `GranaryError` with code `refused` and a diagnostic for each problem.
    static func read(_ bytes: [UInt8], source: String, isJSON: Bool) throws(GranaryError) -> ManagedObjectModel {
        let text = try PlacedText(bytes, file: source, kind: .model)
        let reader = ModelTextReader(isJSON ? try PlacedTree.readJSON(text) : try PlacedTree.read(text))
        let model = reader.readModel()
        try reader.problems.throwIfAny()
        return model
    }

    /// Models have no variables.
    func expanded(_ text: String, at node: Int) -> String? { text }

    private func readModel() -> ManagedObjectModel {
        var model = ManagedObjectModel()
        let top = mapping(PlacedTree.root, "a model", ModelTextKey.self)
        if let node = top[.syncable] { readSyncable(node) }
        if let node = top[.scalars] {
            for (name, value) in pairs(node, "types of attributes and true or false") {
                if let type = type(named: name, at: value, offset: nil), let flag = flag(value) { scalars[type] = flag }
            }
        }
        if let node = top[.entities] {
            model.entities = pairs(node, "entities by their names").map { readEntity($0.name, $0.value) }
        } else if top[.composites] == nil, top[.configurations] == nil {
            report("entities is missing: the entities by their names", at: PlacedTree.root)
        }
        if let node = top[.composites] {
            model.composites = pairs(node, "composites by their names").map { name, value in
                let members = mapping(value, "a composite", ModelCompositeKey.self)
                var composite = CompositeDescription(name: name, elements: [])
                if let node = members[.attributes] {
                    uniqueProperties = []
                    composite.elements = readAttributes(node)
                    if let name = uniqueProperties.first {
                        report("\(name): an element of a composite cannot be unique", at: node)
                    }
                }
                composite.notes = members[.notes].map(notes) ?? [:]
                return composite
            }
        }
        if let node = top[.configurations] {
            model.configurations = pairs(node, "configurations by their names").map(readConfiguration)
        }
        if let node = top[.fetchRequests] {
            model.fetchRequestTemplates = pairs(node, "fetch requests by their names").map {
                readFetchRequest($0.value, name: $0.name)
            }
        }
        if let node = top[.versionIdentifiers] { model.versionIdentifiers = texts(node) ?? [] }
        model.notes = top[.notes].map(notes) ?? [:]
        addInverses(&model)
        return model
    }

    /// Reads `true` for all kinds, or a list of kinds.
    private func readSyncable(_ node: Int) {
        if case .list = tree.content(node) {
            let kinds = elements(node).compactMap { choice($0) as ModelTextNames.Syncable? }
            syncable = Set(kinds)
        } else if flag(node) ?? false {
            syncable = Set(ModelTextNames.Syncable.allCases)
        }
    }

    private func readConfiguration(_ name: String, _ node: Int) -> ConfigurationDescription {
        var configuration = ConfigurationDescription(name: name, entityNames: [])
        guard case .mapping = tree.content(node) else {
            configuration.entityNames = list(node)
            return configuration
        }
        let members = mapping(node, "a configuration", ModelConfigurationKey.self)
        configuration.entityNames = members[.entities].map(list) ?? []
        configuration.notes = members[.notes].map(notes) ?? [:]
        return configuration
    }

    // MARK: Values of several kinds

    /// Reads a list of texts, which can be empty.
    func list(_ node: Int) -> [String] {
        if case .list(let elements) = tree.content(node) { return elements.compactMap(text) }
        return text(node).map { [$0] } ?? []
    }

    func notes(_ node: Int) -> [String: String] {
        var notes: [String: String] = [:]
        for (name, value) in pairs(node, "notes and their texts") { notes[name] = text(value) }
        return notes
    }

    func isNull(_ node: Int) -> Bool {
        guard case .text(let text, isPlain: true) = tree.content(node) else { return false }
        return text == "null" || text == "~"
    }

    /// The position of a Unicode scalar in a text.
    func position(_ node: Int, offset: Int) -> SourcePosition {
        let place = tree.nodes[node]
        var quote = 0
        if case .text(_, isPlain: false) = place.content { quote = 1 }
        return tree.text.position(line: place.line, column: place.column + offset + quote)
    }

    func report(_ message: String, at node: Int, offset: Int, code: Diagnostic.Code = .modelSyntax) {
        let label = tree.nodes[node].label.map(Diagnostic.shortened)
        problems.add(
            code, (label.map { "\($0): " } ?? "") + message, at: position(node, offset: offset), field: label)
    }

    func type(named name: String, at node: Int, offset: Int?) -> AttributeType? {
        if let found = ModelTextNames.types.first(where: { $0.name == name }) { return found.type }
        let folded = name.lowercased().filter { $0 != " " }
        let known = ModelTextNames.types.map(\.name)
        let other = ModelTextNames.otherTypes[folded] ?? known.first { $0.lowercased() == folded }
        let hint = other.map { "; did you mean \"\($0)\"?" } ?? NearestText.hint(for: name, in: known)
        let message = "there is no type \"\(Diagnostic.shortened(name))\"\(hint)"
        report(message, at: node, offset: offset ?? 0, code: .modelUnknown)
        return nil
    }

    /// Reads the only key of a mapping, the JSON of a value without a text form.
    func encoded<Value: Decodable>(_ node: Int, _: Value.Type) -> Value? {
        let members = mapping(node, "this value", ModelEncodedKey.self)
        guard let json = members[.encoded] else {
            report("the key encoded is missing", at: node)
            return nil
        }
        return decoded(json)
    }

    /// Reads the text of a value as in a model archive.
    func decoded<Value: Decodable>(_ node: Int) -> Value? {
        guard let text = text(node) else { return nil }
        guard let value = try? JSONDecoder().decode(Value.self, from: Data(text.utf8)) else {
            report("the text is not the JSON of such a value in a model archive", at: node)
            return nil
        }
        return value
    }
}
