import SwiftSyntax

extension DeclarationCollector {
    /// Adds the properties of a `var` or `let`.
    mutating func add(
        _ declaration: VariableDeclSyntax, to owner: inout SourceDeclaration, in scope: CollectionScope
    ) {
        // Properties at the top level of a file are not part of any type.
        guard scope.depth > 0 else { return }
        // All bindings have the attributes, and the type of the last one can be the type of all.
        let shared = declaration.attributes.trimmedLength.utf8Length + scope.conditionBytes
        let type = declaration.bindings.last?.typeAnnotation?.trimmedLength.utf8Length ?? 0
        let (bytes, overflow) = (shared + type).multipliedReportingOverflow(by: declaration.bindings.count)
        guard !overflow, canCopy(bytes, for: declaration) else { return }
        let variables = VariableReader(source: source).read(declaration)
        for variant in variants(of: declaration.attributes, in: scope) {
            for var variable in variables {
                variable.attributes = variant.attributes
                variable.conditions = scope.conditions + variant.conditions
                owner.variables.append(variable)
            }
        }
    }

    /// Adds the cases of a `case`.
    mutating func add(
        _ declaration: EnumCaseDeclSyntax, to owner: inout SourceDeclaration, in scope: CollectionScope
    ) {
        for element in declaration.elements {
            guard canCopy(scope.conditionBytes, for: element) else { return }
            var item = SourceCase(name: element.name.plainText, place: source.place(of: element.name))
            item.conditions = scope.conditions
            item.hasPayload = element.parameterClause != nil
            item.rawValue = element.rawValue.map { ExpressionReader(source: source).read($0.value) }
            owner.cases.append(item)
        }
    }

    /// Adds a macro. The parser makes a declaration of it in a type, and can make an expression of it in `#if`.
    mutating func add(
        _ node: some FreestandingMacroExpansionSyntax, to owner: inout SourceDeclaration, in scope: CollectionScope
    ) {
        guard scope.depth > 0, canCopy(scope.conditionBytes, for: node) else { return }
        var macro = SourceMacro(name: node.macroName.plainText, place: source.place(of: node.pound))
        macro.conditions = scope.conditions
        macro.arguments = ExpressionReader(source: source).arguments(node.arguments)
        owner.macros.append(macro)
    }
}
