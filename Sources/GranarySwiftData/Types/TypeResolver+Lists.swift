import GranaryModel

extension TypeResolver {
    /// An array or a set: a to-many relationship, a Transformable, or JSON in a Binary attribute.
    func list(
        of element: SourceType, _ scope: [String], _ property: String, _ depth: Int, kind: String
    ) -> TypeMeaning {
        let text = kind == "set" ? "Set<\(element.text)>" : "[\(element.text)]"
        if kind == "array", isStructure(element, scope) { return .known(.attribute(.binary)) }
        let inner = meaning(of: element, in: scope, property: property, depth: depth + 1)
        let candidates: [PropertyShape] = [
            .attribute(.binary), .attribute(.transformable, className: "Array<\(element.text)>"),
        ]
        func unknown() -> TypeMeaning {
            .unknown(
                inner.question ?? "no known store tells how SwiftData stores \(text)", subject: text,
                candidates: candidates)
        }
        guard !inner.isOptional else { return unknown() }
        switch inner.shape {
        case .toOne(let id)?: return .known(.toMany(id))
        case _ where kind == "set": return unknown()
        case .rawEnum?: return .known(.attribute(.binary))
        case .attribute? where BuiltinTypes.arrayElements.contains(builtinName(element, scope)):
            return .known(.attribute(.transformable, className: "Array<\(builtinName(element, scope))>"))
        default:
            if case .named(let name, _) = element, decided[name] == .codable { return .known(.attribute(.binary)) }
            return unknown()
        }
    }

    /// A dictionary: JSON in a Binary attribute.
    func dictionary(
        _ key: SourceType, _ value: SourceType, _ scope: [String], _ property: String, _ depth: Int
    ) -> TypeMeaning {
        let text = "[\(key.text): \(value.text)]"
        let keys = meaning(of: key, in: scope, property: property, depth: depth + 1)
        let isStructure = isStructure(value, scope)
        let values = isStructure ? .known(.absent) : meaning(of: value, in: scope, property: property, depth: depth + 1)
        guard keys.shape == .attribute(.string), !keys.isOptional else {
            return .unknown(
                "no known store tells how SwiftData stores a dictionary with keys of type \(key.text)", subject: text,
                candidates: [.attribute(.binary), .attribute(.transformable)])
        }
        if let question = values.question {
            return .unknown(question, subject: text, candidates: [.attribute(.binary), .attribute(.transformable)])
        }
        if isStructure { return .known(.attribute(.binary)) }
        if case .named(let name, _) = value, BuiltinTypes.dictionaryValues.contains(BuiltinTypes.bareName(name)) {
            return .known(.attribute(.binary))
        }
        return .inferred(
            .attribute(.binary),
            "\(text) is read as Binary like other dictionaries; no known store has one with values of this type")
    }

    /// The name of a type of Swift, without its module and behind typealiases.
    private func builtinName(_ type: SourceType, _ scope: [String]) -> String {
        guard case .named(let name, _) = type else { return type.text }
        guard
            case .alias(.named(let other, _), _) = index.find(name.split(separator: ".").map(String.init), from: scope)
        else { return BuiltinTypes.bareName(name) }
        return BuiltinTypes.bareName(other)
    }

    /// Whether a type is a struct of the sources. In an array or a dictionary its properties do not matter.
    private func isStructure(_ type: SourceType, _ scope: [String]) -> Bool {
        guard case .named(let name, let arguments) = type, arguments.isEmpty, decided[name] == nil else { return false }
        let found = index.find(name.split(separator: ".").map(String.init), from: scope).ids
        guard found.count == 1, let id = found.first else { return false }
        return index[id].kind == .struct && !index[id].isConditional && index[id].declaration.genericParameters.isEmpty
    }
}
