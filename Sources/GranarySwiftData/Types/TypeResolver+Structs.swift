import GranaryModel

extension TypeResolver {
    /// A Codable struct: a composite with an element for each stored property.
    func structure(_ entry: SourceTypeEntry, _ depth: Int) -> TypeMeaning {
        guard entry.declaration.genericParameters.isEmpty else {
            return .unknown("the generic struct \(entry.name) is not known", subject: entry.name)
        }
        var elements: [ShapeElement] = []
        var inference: String?
        for variable in entry.declaration.variables where isStored(variable) {
            guard index.conditions.value(variable.conditions) != false else { continue }
            guard index.conditions.value(variable.conditions) == true else {
                let names = ConditionValues.names(variable.conditions).joined(separator: ", ")
                return .unknown(
                    "#if decides whether \(entry.name) has the property \(variable.name): -D \(names)", subject: nil)
            }
            if let attribute = variable.attributes.first(where: { !isHarmless($0) }) {
                return .unknown(
                    "the source does not show what @\(attribute.name) makes of \(entry.name).\(variable.name): "
                        + "-D '@\(attribute.name)=0' if nothing", subject: entry.name)
            }
            guard let type = variable.type ?? type(of: variable.initialValue, in: entry.path) else {
                return .unknown(
                    "the type of \(entry.name).\(variable.name) cannot be told from its initial value; write it in the source",
                    subject: entry.name)
            }
            let meaning = meaning(of: type, in: entry.path, property: variable.name, depth: depth + 1)
            guard let shape = meaning.shape, !shape.isRelationship else {
                let reason = meaning.question ?? "the type of \(entry.name).\(variable.name) is a class with @Model"
                return .unknown(reason, subject: meaning.subject ?? entry.name, candidates: [])
            }
            inference = inference ?? meaning.inference
            elements.append(ShapeElement(name: variable.name, isOptional: meaning.isOptional, shape: shape))
        }
        let shape = PropertyShape.structure(name: entry.path.joined(separator: "_"), elements)
        guard shape.size <= CompositeFlattener.elementLimit else {
            return .unknown(
                "\(entry.name) has more than \(CompositeFlattener.elementLimit) elements", subject: entry.name)
        }
        if let question = codingQuestion(entry, elements) { return question }
        return inference.map { .inferred(shape, $0) } ?? .known(shape)
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
