import SwiftSyntax

/// Reads the types after the colon of a declaration.
struct InheritanceReader {
    let source: SourceText

    /// Returns the types. `A & B` counts as two, and attributes such as `@retroactive` are left out.
    func read(_ clause: InheritanceClauseSyntax) -> [SourceType] {
        clause.inheritedTypes.flatMap { inherited in
            let type = inherited.type
            guard let composition = type.as(CompositionTypeSyntax.self) else { return [read(type)] }
            return composition.elements.map { read($0.type) }
        }
    }

    private func read(_ type: TypeSyntax) -> SourceType {
        TypeReader(source: source).read(type.as(AttributedTypeSyntax.self)?.baseType ?? type)
    }
}
