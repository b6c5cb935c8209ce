import GranaryBase

/// A class, struct, enum, actor, protocol or typealias with its extensions.
struct SourceTypeEntry {
    /// The names of the types around it and its own, outermost first.
    let path: [String]
    let file: String
    let declaration: SourceDeclaration
    /// Whether an `#if` around it cannot be decided.
    let isConditional: Bool
    /// The extensions whose conditions hold or cannot be decided.
    var extensions: [SourceDeclaration] = []

    /// The name with dots.
    var name: String { path.joined(separator: ".") }
    /// The last part of the name, which an entity has.
    var bareName: String { declaration.name }
    var kind: SourceDeclaration.Kind { declaration.kind }
    var position: SourcePosition { SourcePosition(file: file, declaration.place) }

    /// Whether the macro `@Model` makes it an entity.
    var isModel: Bool {
        kind == .class && declaration.attributes.contains { $0.name == "Model" || $0.name == "SwiftData.Model" }
    }

    /// The types after the colon, of extensions too.
    var inherited: [SourceType] { declaration.inherited + extensions.flatMap(\.inherited) }
    /// The properties of the type and its extensions.
    var variables: [SourceVariable] { declaration.variables + extensions.flatMap(\.variables) }
    /// The macros of the type, such as `#Unique`.
    var macros: [SourceMacro] { declaration.macros }
    var encodesItself: Bool { declaration.encodesItself || extensions.contains(where: \.encodesItself) }

    func variable(named name: String) -> SourceVariable? { variables.first { $0.name == name } }

    /// Whether the type names a protocol of the SDK, with or without its module, among the types after the colon.
    func conforms(to name: String) -> Bool {
        inherited.contains { type in
            guard case .named(let found, _) = type else { return false }
            return found == name || found.hasSuffix("." + name)
        }
    }
}

extension SourcePosition {
    init(file: String, _ place: SourcePlace) {
        self.init(file: file, line: place.line, column: place.column)
    }
}
