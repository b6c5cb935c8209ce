import SwiftSyntax

extension DeclarationCollector {
    /// Adds a type or an extension with its members. Other declarations are ignored.
    mutating func addGroup(_ node: DeclSyntax, to owner: inout SourceDeclaration, in scope: CollectionScope) {
        guard let (header, group, generics) = header(of: node) else { return }
        var declaration = header
        guard scope.depth < Self.maximumDepth else {
            report("types are nested deeper than \(Self.maximumDepth) levels; the inner ones are not read", node)
            return
        }
        declaration.inherited = group.inheritanceClause.map { InheritanceReader(source: source).read($0) } ?? []
        declaration.genericParameters = generics?.parameters.map { $0.name.plainText } ?? []
        let variants = variants(of: group.attributes, in: scope)
        if declaration.kind != .protocol {
            let inner = scope.inType(isVariant: variants.count > 1)
            add(group.memberBlock.members, to: &declaration, in: inner)
        }
        add(declaration, variants: variants, node: node, to: &owner, in: scope)
    }

    /// Adds a typealias.
    mutating func add(_ alias: TypeAliasDeclSyntax, to owner: inout SourceDeclaration, in scope: CollectionScope) {
        var declaration = SourceDeclaration(
            kind: .typealias, name: alias.name.plainText, place: source.place(of: alias.name))
        declaration.genericParameters = alias.genericParameterClause?.parameters.map { $0.name.plainText } ?? []
        declaration.aliased = TypeReader(source: source).read(alias.initializer.value)
        let variants = variants(of: alias.attributes, in: scope)
        add(declaration, variants: variants, node: DeclSyntax(alias), to: &owner, in: scope)
    }

    /// Adds a declaration once for each variant of its attributes.
    private mutating func add(
        _ declaration: SourceDeclaration, variants: [AttributeReader.Variant], node: DeclSyntax,
        to owner: inout SourceDeclaration, in scope: CollectionScope
    ) {
        for variant in variants {
            guard canCopy(scope.conditionBytes, for: node) else { return }
            var declaration = declaration
            declaration.attributes = variant.attributes
            declaration.conditions = scope.conditions + variant.conditions
            owner.members.append(declaration)
        }
    }

    /// Returns the variants of attributes, or one without what `#if` has if there are too many.
    mutating func variants(of list: AttributeListSyntax, in scope: CollectionScope) -> [AttributeReader.Variant] {
        let reader = AttributeReader(source: source)
        // Variants of types in variants of types would double the result at each level.
        if let variants = reader.variants(of: list), variants.count == 1 || !scope.isInVariant { return variants }
        report("the #if among these attributes is not understood; put #if around whole declarations", list)
        return [AttributeReader.Variant(attributes: reader.unconditional(of: list))]
    }

    /// Returns the kind, the name and the place of a type or an extension, with the parts that are read later.
    private func header(
        of node: DeclSyntax
    ) -> (SourceDeclaration, any DeclGroupSyntax, GenericParameterClauseSyntax?)? {
        func named(_ kind: SourceDeclaration.Kind, _ name: TokenSyntax) -> SourceDeclaration {
            SourceDeclaration(kind: kind, name: name.plainText, place: source.place(of: name))
        }
        switch node.as(DeclSyntaxEnum.self) {
        case .classDecl(let node): return (named(.class, node.name), node, node.genericParameterClause)
        case .structDecl(let node): return (named(.struct, node.name), node, node.genericParameterClause)
        case .enumDecl(let node): return (named(.enum, node.name), node, node.genericParameterClause)
        case .actorDecl(let node): return (named(.actor, node.name), node, node.genericParameterClause)
        case .protocolDecl(let node): return (named(.protocol, node.name), node, nil)
        case .extensionDecl(let node):
            let type = node.extendedType
            let name =
                if case .named(let name, _) = TypeReader(source: source).read(type) { name } else {
                    source.text(of: type)
                }
            return (SourceDeclaration(kind: .extension, name: name, place: source.place(of: type)), node, nil)
        default: return nil
        }
    }
}
