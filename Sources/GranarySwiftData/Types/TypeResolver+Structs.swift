import GranaryModel

extension TypeResolver {
    /// A Codable struct: a composite with an element for each stored property.
    func structure(_ entry: SourceTypeEntry, _ depth: Int) -> TypeMeaning {
        guard entry.declaration.genericParameters.isEmpty else {
            return .unknown("the generic struct \(entry.name) is not known", subject: entry.name)
        }
        var elements: [ShapeElement] = []
        // The elements that a member can be; one with nil for a member that is not stored.
        var choices: [[ShapeElement?]] = []
        var question: TypeMeaning?
        var size = 1
        var inference: String?
        for variable in entry.declaration.variables where isStored(variable) {
            guard index.conditions.value(variable.conditions) != false else { continue }
            let meaning = member(variable, of: entry, depth)
            let shapes = meaning.shape.map { [$0] } ?? meaning.candidates.filter { !$0.isRelationship }
            if meaning.shape == nil { question = question ?? meaning }
            // Structs in structs take no more work than there are elements.
            if shapes.isEmpty { return undecided(question ?? meaning, entry, []) }
            size += shapes.first?.size ?? 0
            guard size <= CompositeFlattener.elementLimit else {
                return .unknown(
                    "\(entry.name) has more than \(CompositeFlattener.elementLimit) elements", subject: entry.name)
            }
            inference = inference ?? meaning.inference
            let made = shapes.map { shape in
                shape == .absent ? nil : ShapeElement(name: variable.name, isOptional: meaning.isOptional, shape: shape)
            }
            choices.append(made)
            elements += made.prefix(1).compactMap { $0 }
        }
        if let question { return undecided(question, entry, Self.products(choices)) }
        let shape = PropertyShape.structure(name: entry.path.joined(separator: "_"), elements)
        if let question = codingQuestion(entry, elements) { return question }
        return inference.map { .inferred(shape, $0) } ?? .known(shape)
    }

    /// What a question on a member asks of its struct.
    private func undecided(
        _ member: TypeMeaning, _ entry: SourceTypeEntry, _ candidates: [[ShapeElement]]
    ) -> TypeMeaning {
        let name = entry.path.joined(separator: "_")
        return .unknown(
            member.question ?? "", subject: member.subject ?? entry.name,
            candidates: candidates.map { .structure(name: name, $0) })
    }

    /// The meaning of a stored property of a struct.
    private func member(_ variable: SourceVariable, of entry: SourceTypeEntry, _ depth: Int) -> TypeMeaning {
        let name = "\(entry.name).\(variable.name)"
        let all = BuiltinTypes.allShapes(named: variable.name)
        let type = variable.type ?? type(of: variable.initialValue, in: entry.path)
        var meaning =
            type.map { self.meaning(of: $0, in: entry.path, property: variable.name, depth: depth + 1) }
            ?? .unknown(
                "the type of \(name) cannot be told from its initial value; write it in the source",
                subject: entry.name, candidates: all)
        if meaning.shape?.isRelationship == true {
            meaning = .unknown("the type of \(name) is a class with @Model", subject: entry.name)
        }
        if index.conditions.value(variable.conditions) == nil {
            let names = ConditionValues.names(variable.conditions).joined(separator: ", ")
            meaning = .unknown(
                "#if decides whether \(entry.name) has the property \(variable.name): -D \(names)", subject: nil,
                candidates: (meaning.shape.map { [$0] } ?? meaning.candidates) + [.absent])
        }
        if let attribute = variable.attributes.first(where: { !isHarmless($0) }) {
            meaning = .unknown(
                "the source does not show what @\(attribute.name) makes of \(name): "
                    + "-D '@\(attribute.name)=0' if nothing", subject: entry.name, candidates: all)
        }
        return meaning
    }

    /// The maximum number of members in all structs that are tried for one with undecided members. It bounds the work on
    /// hostile sources.
    private static let productLimit = 50_000

    /// All combinations of members, each with one of its elements; none if there are too many.
    private static func products(_ choices: [[ShapeElement?]]) -> [[ShapeElement]] {
        var products: [[ShapeElement]] = [[]]
        for choice in choices {
            guard products.count * choice.count * choices.count <= productLimit else { return [] }
            products = products.flatMap { start in choice.map { element in start + [element].compactMap { $0 } } }
        }
        return products
    }

    /// Why the elements of a struct may differ from its stored properties; nil if nothing speaks for that.
    private func codingQuestion(_ entry: SourceTypeEntry, _ elements: [ShapeElement]) -> TypeMeaning? {
        let name = entry.path.joined(separator: "_")
        let all = PropertyShape.structure(name: name, elements)
        if entry.conforms(to: "OptionSet") || entry.conforms(to: "RawRepresentable"),
            let raw = elements.first(where: { $0.name == "rawValue" }), case .attribute(let type, _) = raw.shape
        {
            return .unknown(
                "no known store tells how SwiftData stores the struct \(entry.name) with a raw value",
                subject: entry.name,
                candidates: [all, .rawEnum(name: name, type, values: nil), .attribute(type)])
        }
        if entry.encodesItself {
            return .unknown(
                "\(entry.name) encodes itself, and no known store tells which elements it then has",
                subject: entry.name,
                candidates: [all])
        }
        guard let keys = codingKeys(of: entry) else { return nil }
        let kept = elements.compactMap { element in
            keys[element.name].map { ShapeElement(name: $0, isOptional: element.isOptional, shape: element.shape) }
        }
        guard kept != elements else { return nil }
        let own = elements.filter { keys[$0.name] != nil }
        return .unknown(
            "\(entry.name) has CodingKeys that differ from its properties, and no known store tells which of them count",
            subject: entry.name,
            candidates: [all, .structure(name: name, kept), .structure(name: name, own)])
    }

    /// The raw values of the cases of `CodingKeys` by name; nil if there are none.
    private func codingKeys(of entry: SourceTypeEntry) -> [String: String]? {
        guard let ids = index.ids[entry.name + ".CodingKeys"], let id = ids.first else { return nil }
        let cases = index[id].declaration.cases
        return Dictionary(
            cases.map { item in
                guard case .string(let text)? = item.rawValue else { return (item.name, item.name) }
                return (item.name, text)
            },
            uniquingKeysWith: { first, _ in first })
    }

    /// Whether an attribute of a property changes nothing in what is stored: one of the language, or one of which the
    /// user says so.
    func isHarmless(_ attribute: SourceAttribute) -> Bool {
        let known: Set<String> = [
            "available", "objc", "MainActor", "nonobjc", "usableFromInline", "inlinable", "preconcurrency",
        ]
        return known.contains(attribute.name) || index.conditions.defines["@" + attribute.name] == false
    }

    /// Whether a property has storage in its type.
    func isStored(_ variable: SourceVariable) -> Bool {
        !variable.isStatic && !variable.isComputed && !variable.isLazy
    }
}
