import GranaryModel

/// Determines what the types of properties become in a model.
struct TypeResolver {
    let index: SourceIndex
    /// The types that the user has decided, by name.
    let decided: [String: DecidedType]
    /// The maximum depth of structs in structs; the persistence core has the same.
    static let depthLimit = 16

    /// The meaning of a type as written inside the types of `scope`.
    ///
    /// - Parameter property: the name of the property, which the element of an enum has.
    func meaning(of type: SourceType, in scope: [String], property: String, depth: Int = 0) -> TypeMeaning {
        guard depth <= Self.depthLimit else {
            return .unknown("structs are nested deeper than \(Self.depthLimit) levels", subject: nil)
        }
        if let decision = decided[type.text] {
            return meaning(of: decision, in: scope, property: property, depth: depth)
        }
        switch type {
        case .optional(let wrapped): return optional(wrapped, scope, property, depth)
        case .named("Optional", let arguments) where arguments.count == 1:
            return optional(arguments[0], scope, property, depth)
        case .array(let element): return list(of: element, scope, property, depth, kind: "array")
        case .named("Array", let arguments) where arguments.count == 1:
            return list(of: arguments[0], scope, property, depth, kind: "array")
        case .named("Set", let arguments) where arguments.count == 1:
            return list(of: arguments[0], scope, property, depth, kind: "set")
        case .dictionary(let key, let value): return dictionary(key, value, scope, property, depth)
        case .named("Dictionary", let arguments) where arguments.count == 2:
            return dictionary(arguments[0], arguments[1], scope, property, depth)
        case .named(let name, let arguments):
            return named(name, arguments, type, scope, property, depth)
        case .other(let text):
            return .unknown("the rules do not tell how SwiftData stores \(text)", subject: text)
        }
    }

    private func optional(_ wrapped: SourceType, _ scope: [String], _ property: String, _ depth: Int) -> TypeMeaning {
        var meaning = meaning(of: wrapped, in: scope, property: property, depth: depth + 1)
        if meaning.isOptional {
            return .unknown("the rules do not tell how SwiftData stores an optional of an optional", subject: nil)
        }
        meaning.isOptional = true
        return meaning
    }

    private func named(
        _ name: String, _ arguments: [SourceType], _ type: SourceType, _ scope: [String], _ property: String,
        _ depth: Int
    ) -> TypeMeaning {
        switch index.find(name.split(separator: ".").map(String.init), from: scope) {
        case .types(let ids):
            guard arguments.isEmpty else {
                return .unknown("the generic type \(type.text) is not known", subject: type.text)
            }
            var meaning = source(ids, name, property, depth)
            if let module = index.module(in: name, from: scope) {
                meaning.inference = meaning.inference ?? "\(module) is taken as the module of the given sources"
            }
            return meaning
        case .alias(let type, let scope):
            return meaning(of: type, in: scope, property: property, depth: depth + 1)
        case .cycle: return .unknown("the typealias \(name) means itself", subject: name)
        case .nothing:
            if arguments.isEmpty, let meaning = BuiltinTypes.meaning(name) { return meaning }
            return .unknown(
                "the type \(type.text) is not declared in the given sources", subject: type.text,
                candidates: BuiltinTypes.allShapes(named: property))
        }
    }

    /// The meaning of a type of the sources.
    private func source(_ ids: [SourceTypeID], _ name: String, _ property: String, _ depth: Int) -> TypeMeaning {
        guard let id = ids.first else { return .unknown("the type \(name) is not known", subject: name) }
        let entry = index[id]
        if let decision = decided[entry.name] {
            return meaning(of: decision, in: entry.path, property: property, depth: depth)
        }
        if ids.count > 1 {
            let places = ids.map { "\(index[$0].file):\(index[$0].declaration.place.line)" }.joined(separator: ", ")
            let reason =
                ids.contains { index[$0].isConditional }
                ? "#if decides which type \(name) is" : "there are several types \(name)"
            let meanings = ids.map { source([$0], name, property, depth) }
            return .unknown(
                "\(reason): \(places)", subject: entry.name,
                candidates: meanings.flatMap { meaning in meaning.shape.map { [$0] } ?? meaning.candidates })
        }
        switch entry.kind {
        case .class:
            if entry.isModel { return .known(.toOne(id)) }
            return .unknown(
                "\(name) is a class without @Model; the rules do not tell how SwiftData stores it", subject: entry.name,
                candidates: [.attribute(.transformable), .attribute(.binary), .absent])
        case .enum: return enumeration(entry, property)
        case .struct: return structure(entry, depth)
        default:
            return .unknown(
                "the rules do not tell how SwiftData stores the \(entry.kind.rawValue) \(name)", subject: entry.name)
        }
    }
}
