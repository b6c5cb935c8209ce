import SwiftSyntax

/// Turns attributes of the syntax tree into values.
struct AttributeReader {
    /// The attributes of a declaration under some conditions.
    struct Variant {
        var conditions: [SourceCondition] = []
        var attributes: [SourceAttribute] = []
    }

    /// The largest number of variants of a declaration.
    static let maximumVariants = 8

    let source: SourceText

    /// Returns a variant for each combination of the clauses of `#if` in a list, or `nil` if there are too many, or `#if`
    /// inside `#if`. Without `#if` there is one variant without conditions.
    func variants(of list: AttributeListSyntax) -> [Variant]? {
        var variants = [Variant()]
        for element in list {
            switch element {
            case .attribute(let attribute):
                let attribute = read(attribute)
                for index in variants.indices { variants[index].attributes.append(attribute) }
            case .ifConfigDecl(let declaration):
                guard let clauses = clauses(of: declaration),
                    variants.count * clauses.count <= Self.maximumVariants
                else { return nil }
                variants = variants.flatMap { variant in
                    clauses.map { clause in
                        Variant(
                            conditions: variant.conditions + clause.conditions,
                            attributes: variant.attributes + clause.attributes)
                    }
                }
            }
        }
        return variants
    }

    /// Returns the attributes of a list that stand outside `#if`.
    func unconditional(of list: AttributeListSyntax) -> [SourceAttribute] {
        list.compactMap { element in
            guard case .attribute(let attribute) = element else { return nil }
            return read(attribute)
        }
    }

    /// Returns the attributes of each clause of `#if`, with an empty clause for the missing `#else`.
    private func clauses(of declaration: IfConfigDeclSyntax) -> [Variant]? {
        guard declaration.clauses.count <= Self.maximumVariants else { return nil }
        var variants: [Variant] = []
        let clauses = ConditionReader(source: source).clauses(of: declaration)
        for (clause, conditions) in clauses {
            var variant = Variant(conditions: conditions)
            if let elements = clause.elements {
                guard case .attributes(let list) = elements, list.allSatisfy({ $0.is(AttributeSyntax.self) }) else {
                    return nil
                }
                variant.attributes = unconditional(of: list)
            }
            variants.append(variant)
        }
        guard let last = clauses.last, last.0.poundKeyword.tokenKind != .poundElse else { return variants }
        let negations = last.1.dropLast() + (last.1.last.map { [.not($0)] } ?? [])
        return variants + [Variant(conditions: Array(negations))]
    }

    private func read(_ attribute: AttributeSyntax) -> SourceAttribute {
        let name =
            if case .named(let name, _) = TypeReader(source: source).read(attribute.attributeName) { name } else {
                source.text(of: attribute.attributeName)
            }
        var result = SourceAttribute(name: name, place: source.place(of: attribute))
        switch attribute.arguments {
        case nil: break
        case .argumentList(let list): result.arguments = ExpressionReader(source: source).arguments(list)
        // Arguments such as those of `@available` are no expressions.
        case .some(let arguments): result.arguments = [SourceArgument(value: .other(source.text(of: arguments)))]
        }
        return result
    }
}
