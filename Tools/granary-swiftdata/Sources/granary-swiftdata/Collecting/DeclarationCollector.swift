import SwiftSyntax

/// Collects the declarations of a file: types at the top level and in types, with their members.
///
/// The recursion follows types and `#if` only, and both have a limit.
struct DeclarationCollector {
    /// The deepest nesting of types.
    static let maximumDepth = 64
    /// The largest number of conditions of one declaration inside its type.
    static let maximumConditions = 64
    /// The largest number of bytes of the source that are repeated in the result: conditions, and the attributes and the
    /// type of `var a, b: T`. Without this limit, 16 MB of source could become 100 GB of JSON.
    static let maximumCopiedBytes = 64 << 20

    let source: SourceText
    /// What was not collected, and why.
    private(set) var problems: [SourceProblem] = []
    private var copiedBytes = 0

    init(source: SourceText) { self.source = source }

    /// Returns the types at the top level of a file.
    mutating func collect(from tree: SourceFileSyntax) -> [SourceDeclaration] {
        var file = SourceDeclaration(kind: .extension, name: "", place: SourcePlace(line: 1, column: 1))
        add(tree.statements, to: &file, in: CollectionScope())
        return file.members
    }

    /// Adds the declarations among statements, which is what the top level of a file has.
    private mutating func add(
        _ items: CodeBlockItemListSyntax, to owner: inout SourceDeclaration, in scope: CollectionScope
    ) {
        for item in items {
            switch item.item {
            case .decl(let declaration): add(declaration, to: &owner, in: scope)
            case .expr(let expression):
                guard let macro = expression.as(MacroExpansionExprSyntax.self) else { continue }
                add(macro, to: &owner, in: scope)
            case .stmt: continue
            }
        }
    }

    /// Adds the declarations among the members of a type.
    mutating func add(
        _ items: MemberBlockItemListSyntax, to owner: inout SourceDeclaration, in scope: CollectionScope
    ) {
        for item in items { add(item.decl, to: &owner, in: scope) }
    }

    private mutating func add(
        _ declaration: DeclSyntax, to owner: inout SourceDeclaration, in scope: CollectionScope
    ) {
        switch declaration.as(DeclSyntaxEnum.self) {
        case .ifConfigDecl(let declaration): add(declaration, to: &owner, in: scope)
        case .variableDecl(let declaration): add(declaration, to: &owner, in: scope)
        case .enumCaseDecl(let declaration): add(declaration, to: &owner, in: scope)
        case .macroExpansionDecl(let macro): add(macro, to: &owner, in: scope)
        case .functionDecl(let function):
            let parameters = function.signature.parameterClause.parameters
            if function.name.plainText == "encode", parameters.first?.firstName.plainText == "to" {
                owner.encodesItself = true
            }
        case .typeAliasDecl(let alias): add(alias, to: &owner, in: scope)
        default: addGroup(declaration, to: &owner, in: scope)
        }
    }

    /// Adds the declarations in the clauses of `#if`.
    private mutating func add(
        _ declaration: IfConfigDeclSyntax, to owner: inout SourceDeclaration, in scope: CollectionScope
    ) {
        guard declaration.clauses.count + scope.conditions.count <= Self.maximumConditions else {
            let message = "more than \(Self.maximumConditions) conditions of #if apply here; the code is not read"
            return report(message, declaration)
        }
        var bytes = 0
        for (clause, conditions) in ConditionReader(source: source).clauses(of: declaration) {
            bytes += clause.condition?.trimmedLength.utf8Length ?? 0
            let scope = scope.inClause(conditions, bytes: bytes)
            switch clause.elements {
            case .decls(let items): add(items, to: &owner, in: scope)
            case .statements(let items): add(items, to: &owner, in: scope)
            default: continue
            }
        }
    }

    /// Records that something is not in the result.
    mutating func report(_ message: String, _ node: some SyntaxProtocol) {
        guard problems.count < SyntaxProblems.maximumCount else { return }
        problems.append(SourceProblem(place: source.place(of: node), message: message))
    }

    /// Returns whether `bytes` more of the source may be repeated in the result; otherwise it reports that.
    mutating func canCopy(_ bytes: Int, for node: some SyntaxProtocol) -> Bool {
        let (sum, overflow) = copiedBytes.addingReportingOverflow(bytes)
        guard !overflow, sum <= Self.maximumCopiedBytes else {
            report("the conditions, attributes and types before this would be repeated too often; it is not read", node)
            return false
        }
        copiedBytes = sum
        return true
    }
}
