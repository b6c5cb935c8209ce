import SwiftSyntax

/// Turns types of the syntax tree into values.
struct TypeReader {
    /// The deepest nesting; deeper types become `.other`.
    static let maximumDepth = 32

    let source: SourceText

    /// Returns the value of a type.
    func read(_ type: TypeSyntax, depth: Int = 0) -> SourceType {
        guard depth < Self.maximumDepth else { return other(type) }
        let next = depth + 1
        switch type.as(TypeSyntaxEnum.self) {
        case .identifierType, .memberType: return named(type, depth: next)
        case .optionalType(let type): return .optional(read(type.wrappedType, depth: next))
        case .implicitlyUnwrappedOptionalType(let type): return .optional(read(type.wrappedType, depth: next))
        case .arrayType(let type): return .array(read(type.element, depth: next))
        case .dictionaryType(let type): return .dictionary(read(type.key, depth: next), read(type.value, depth: next))
        case .tupleType(let tuple):
            guard let element = tuple.elements.first, tuple.elements.count == 1, element.firstName == nil,
                element.ellipsis == nil
            else { return other(type) }
            return read(element.type, depth: next)
        case .metatypeType(let metatype): return self.metatype(metatype, depth: next) ?? other(type)
        case .someOrAnyType(let existential):
            // `any P.Type` is what the types of models in a list have, so its name is of use.
            guard let metatype = existential.constraint.as(MetatypeTypeSyntax.self) else { return other(type) }
            return self.metatype(metatype, depth: next) ?? other(type)
        default: return other(type)
        }
    }

    /// Returns a name with dots and the generic arguments of its last part.
    private func named(_ type: TypeSyntax, depth: Int) -> SourceType {
        var parts: [String] = []
        var arguments: [SourceType] = []
        var current = type
        while true {
            let clause: GenericArgumentClauseSyntax?
            let base: TypeSyntax?
            if let member = current.as(MemberTypeSyntax.self) {
                parts.append(member.name.plainText)
                (clause, base) = (member.genericArgumentClause, member.baseType)
            } else if let identifier = current.as(IdentifierTypeSyntax.self) {
                parts.append(identifier.name.plainText)
                (clause, base) = (identifier.genericArgumentClause, nil)
            } else {
                return other(type)
            }
            if let clause {
                guard parts.count == 1 else { return other(type) }
                arguments = self.arguments(of: clause, depth: depth)
            }
            guard let base else { break }
            current = base
        }
        return .named(parts.reversed().joined(separator: "."), arguments)
    }

    /// Returns the types between `<` and `>`.
    func arguments(of clause: GenericArgumentClauseSyntax, depth: Int) -> [SourceType] {
        clause.arguments.map { argument in
            guard case .type(let type) = argument.argument else { return .other(source.text(of: argument.argument)) }
            return read(type, depth: depth)
        }
    }

    /// Returns `P.Type` as a name.
    private func metatype(_ type: MetatypeTypeSyntax, depth: Int) -> SourceType? {
        guard case .named(let name, let arguments) = read(type.baseType, depth: depth), arguments.isEmpty else {
            return nil
        }
        return .named("\(name).\(type.metatypeSpecifier.text)", [])
    }

    private func other(_ type: TypeSyntax) -> SourceType { .other(source.text(of: type)) }
}
