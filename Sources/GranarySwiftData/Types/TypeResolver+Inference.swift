extension TypeResolver {
    /// How many expressions and static properties are followed, one in another.
    private static let inferenceDepth = 6
    /// The maximum number of elements of an array whose types are inferred. With the depth it bounds the work.
    private static let inferredElements = 64

    /// The type of a property without annotation, as far as its initial value tells it.
    func type(of value: SourceExpression?, in scope: [String], depth: Int = 0) -> SourceType? {
        guard depth < Self.inferenceDepth, let value else { return nil }
        switch value {
        case .boolean: return .named("Bool", [])
        case .integer: return .named("Int", [])
        case .float: return .named("Double", [])
        case .string: return .named("String", [])
        case .array(let elements) where elements.count <= Self.inferredElements:
            let types = elements.map { type(of: $0, in: scope, depth: depth + 1) }
            guard let first = types.first, let type = first, types.allSatisfy({ $0 == type }) else { return nil }
            return .array(type)
        case .sequence(let operands, let operators):
            return type(of: operands, operators, in: scope, depth)
        case .call(let callee, _): return constructed(callee, in: scope)
        case .member(let base?, let name): return type(of: name, in: base, scope, depth)
        case .null, .array, .dictionary, .member, .name, .type, .keyPath, .other: return nil
        }
    }

    /// The type of arithmetic on literals.
    private func type(
        of operands: [SourceExpression], _ operators: [String], in scope: [String], _ depth: Int
    ) -> SourceType? {
        guard operands.count <= Self.inferredElements, operators.allSatisfy({ ["+", "-", "*", "/", "%"].contains($0) })
        else { return nil }
        let types = operands.map { type(of: $0, in: scope, depth: depth + 1) }
        let isFloat = types.contains(.named("Double", []))
        // An integer literal beside a floating-point literal is a Double.
        let isKnown = types.allSatisfy { $0 == .named("Double", []) || $0 == .named("Int", []) }
        if isKnown { return .named(isFloat ? "Double" : "Int", []) }
        return types.allSatisfy { $0 == .named("String", []) } ? .named("String", []) : nil
    }

    /// The type that a call of an initialiser makes: `UUID()`, `[Trip]()`, `Outer.Inner()`.
    private func constructed(_ callee: SourceExpression, in scope: [String]) -> SourceType? {
        switch callee {
        case .type(let type): return type
        case .array(let elements) where elements.count == 1: return named(elements[0]).map { .array($0) }
        case .dictionary(let parts) where parts.count == 2:
            guard let key = named(parts[0]), let value = named(parts[1]) else { return nil }
            return .dictionary(key, value)
        case .member(let base?, "init"): return named(base)
        default:
            // A call of a function would look the same: only a type counts.
            guard let type = named(callee), case .named(let name, _) = type else { return nil }
            return isType(name, in: scope) && name != "URL" ? type : nil
        }
    }

    /// The type of `Base.name`: a case of an enum, or a static property.
    private func type(of name: String, in base: SourceExpression, _ scope: [String], _ depth: Int) -> SourceType? {
        guard let type = named(base), case .named(let baseName, _) = type else { return nil }
        if BuiltinTypes.bareName(baseName) == "Date", ["now", "distantPast", "distantFuture"].contains(name) {
            return .named("Date", [])
        }
        let found = index.find(baseName.split(separator: ".").map(String.init), from: scope).ids
        guard found.count == 1, let id = found.first else { return nil }
        let entry = index[id]
        if entry.kind == .enum, entry.declaration.cases.contains(where: { $0.name == name }) { return type }
        guard let variable = entry.variable(named: name), variable.isStatic else { return nil }
        if let annotated = variable.type { return annotated == .named("Self", []) ? type : annotated }
        return self.type(of: variable.initialValue ?? variable.getter, in: entry.path, depth: depth + 1)
    }

    private func isType(_ name: String, in scope: [String]) -> Bool {
        switch index.find(name.split(separator: ".").map(String.init), from: scope) {
        case .types, .alias: true
        case .cycle: false
        case .nothing: BuiltinTypes.meaning(name) != nil
        }
    }

    /// The type that an expression names; nil if it is not a name with dots.
    private func named(_ expression: SourceExpression) -> SourceType? {
        expression.dottedName.map { .named($0, []) } ?? expression.typeValue
    }
}

extension SourceExpression {
    /// The text of a name with dots; nil for any other expression.
    var dottedName: String? {
        var parts: [String] = []
        var next = self
        while true {
            switch next {
            case .name(let name): return ([name] + parts.reversed()).joined(separator: ".")
            case .member(let base?, let name):
                parts.append(name)
                next = base
            default: return nil
            }
        }
    }

    fileprivate var typeValue: SourceType? {
        guard case .type(let type) = self else { return nil }
        return type
    }
}
