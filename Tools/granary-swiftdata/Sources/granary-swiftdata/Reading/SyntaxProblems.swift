import SwiftSyntax

/// Finds the places where a file is not Swift.
enum SyntaxProblems {
    /// The largest number of problems of a file.
    static let maximumCount = 20

    /// Returns the problems of a tree together with `others`, in the order of the file.
    static func find(in tree: SourceFileSyntax, source: SourceText, adding others: [SourceProblem]) -> [SourceProblem] {
        var problems = others
        if tree.hasMaximumNestingLevelOverflow {
            // The parser leaves out the rest of the file, so all other errors after this one are consequences.
            return Array((others + [overflow(in: tree, source: source)]).suffix(maximumCount))
        }
        // A list instead of recursion, because the depth of a tree has no limit.
        var open: [Syntax] = tree.hasError ? [Syntax(tree)] : []
        while let node = open.popLast(), problems.count < others.count + maximumCount {
            if let problem = problem(of: node, source: source) {
                problems.append(problem)
            } else {
                open += node.children(viewMode: .all).filter(\.hasError).reversed()
            }
        }
        let sorted = problems.enumerated().sorted {
            ($0.element.place.line, $0.element.place.column, $0.offset)
                < ($1.element.place.line, $1.element.place.column, $1.offset)
        }
        return sorted.prefix(maximumCount).map(\.element)
    }

    /// Returns the problem of the code at which the parser stopped because of its nesting.
    private static func overflow(in tree: SourceFileSyntax, source: SourceText) -> SourceProblem {
        var node = Syntax(tree)
        while let child = node.children(viewMode: .all).first(where: \.hasMaximumNestingLevelOverflow) { node = child }
        let message = "more than \(SourceFileReader.maximumNesting) brackets are open; the rest of the file is not read"
        return SourceProblem(place: source.place(of: node), message: message)
    }

    /// Returns the problem that a node is itself, or `nil` if the problem is below it.
    private static func problem(of node: Syntax, source: SourceText) -> SourceProblem? {
        if let nodes = node.as(UnexpectedNodesSyntax.self) {
            guard !nodes.isEmpty else { return nil }
            let text = source.text(of: nodes, limit: 40).prefix { !$0.isNewline }
            return SourceProblem(place: source.place(of: nodes), message: "unexpected code `\(text)`")
        }
        guard let token = node.as(TokenSyntax.self) else { return nil }
        if token.presence == .missing {
            return SourceProblem(place: source.place(of: token), message: "expected \(name(of: token))")
        }
        guard let diagnostic = token.tokenDiagnostic, diagnostic.severity == .error else { return nil }
        let offset = token.position.utf8Offset + Int(diagnostic.byteOffset)
        return SourceProblem(place: source.place(offset: offset), message: message(of: diagnostic.kind))
    }

    /// Returns what a missing token should be.
    private static func name(of token: TokenSyntax) -> String {
        if let parent = token.parent {
            if parent.is(MissingExprSyntax.self) { return "an expression" }
            if parent.is(MissingTypeSyntax.self) { return "a type" }
            if parent.is(MissingPatternSyntax.self) { return "a pattern" }
            if parent.is(MissingDeclSyntax.self) { return "a declaration" }
            if parent.is(MissingStmtSyntax.self) { return "a statement" }
        }
        switch token.tokenKind {
        case .identifier: return "a name"
        case .binaryOperator, .prefixOperator, .postfixOperator: return "an operator"
        case .integerLiteral, .floatLiteral: return "a number"
        default: return token.text.isEmpty ? "more code" : "`\(token.text)`"
        }
    }

    /// Returns the message of an error inside a token.
    private static func message(of kind: TokenDiagnostic.Kind) -> String {
        switch kind {
        case .unterminatedBlockComment: return "the comment has no end; add `*/`"
        case .editorPlaceholder: return "a placeholder of the editor is left; replace it"
        case .sourceConflictMarker: return "a conflict marker of version control is left; resolve the conflict"
        case .invalidEscapeSequenceInStringLiteral: return "unknown escape sequence in a string"
        case .insufficientIndentationInMultilineStringLiteral:
            return "the line is indented less than the closing quotes of its string"
        case .unicodeCurlyQuote: return "a curly quotation mark does not begin a string; use `\"`"
        case .invalidCharacter, .unprintableAsciiCharacter: return "this character is not allowed in Swift"
        default: return "the code is not Swift (\(kind))"
        }
    }
}
