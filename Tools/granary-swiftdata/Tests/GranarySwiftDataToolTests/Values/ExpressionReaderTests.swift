import Testing

@testable import granary_swiftdata

@Suite struct ExpressionReaderTests {
    private static let string = SourceType.named("String", [])
    private static let int = SourceType.named("Int", [])

    @Test(arguments: [
        ("nil", SourceExpression.null), ("true", .boolean(true)), ("false", .boolean(false)),
        ("1_000", .integer("1000")), ("-5", .integer("-5")), ("+5", .integer("+5")), ("0xFF", .integer("0xFF")),
        ("1_0.5e-3", .float("10.5e-3")), ("-0.5", .float("-0.5")),
        ("[]", .array([])), ("[1, nil]", .array([.integer("1"), .null])),
        ("[:]", .dictionary([])),
        ("[\"a\": 1, b: 2]", .dictionary([.string("a"), .integer("1"), .name("b"), .integer("2")])),
        ("name", .name("name")), ("`default`", .name("default")), ("self", .name("self")), ("Self", .name("Self")),
        ("super.a", .member(.name("super"), "a")),
        ("(1)", .integer("1")), ("((a))", .name("a")), ("try! a", .name("a")), ("try await a", .name("a")),
    ])
    func literalsAndNames(text: String, expected: SourceExpression) throws {
        #expect(try Snippet.variable("let x = \(text)").initialValue == expected)
    }

    @Test(arguments: [
        (#""""#, ""), (#""a\n\t\"\\\u{e9}é""#, "a\n\t\"\\éé"), (##"#"a\n\#n"#"##, "a\\n\n"),
        ("\"\"\"\n    a\n      b \\\n    c\n    \"\"\"", "a\n  b c"), ("\"\"\"\r\n  a\r\n  b\r\n  \"\"\"", "a\nb"),
    ])
    func strings(text: String, expected: String) throws {
        #expect(try Snippet.variable("let x = \(text)").initialValue == .string(expected))
    }

    @Test(arguments: [
        (".cascade", SourceExpression.member(nil, "cascade")),
        ("A.b.c", .member(.member(.name("A"), "b"), "c")), ("A.self", .member(.name("A"), "self")),
        ("A.B.self", .member(.member(.name("A"), "B"), "self")),
        ("A()", .call(.name("A"), [])),
        (
            ".init(1, b: .c) { 2 }",
            .call(
                .member(nil, "init"),
                [SourceArgument(value: .integer("1")), SourceArgument(label: "b", value: .member(nil, "c"))])
        ),
        ("a { 1 }", .call(.name("a"), [])), ("{ 1 }()", .call(.other("{ 1 }"), [])),
        (#"\.a"#, .keyPath(nil, ["a"])), (#"\A.b.c"#, .keyPath(.named("A", []), ["b", "c"])),
        (#"\A.B.c"#, .keyPath(.named("A.B", []), ["c"])), (#"\A.B"#, .keyPath(.named("A", []), ["B"])),
        (#"\A<Int>.b"#, .keyPath(.named("A", [int]), ["b"])), (#"\A?.b"#, .keyPath(.optional(.named("A", [])), ["b"])),
        ("a + B.c - 1", .sequence([.name("a"), .member(.name("B"), "c"), .integer("1")], ["+", "-"])),
        ("try a ?? -1", .sequence([.name("a"), .integer("-1")], ["??"])),
    ])
    func membersCallsAndKeyPaths(text: String, expected: SourceExpression) throws {
        #expect(try Snippet.variable("let x = \(text)").initialValue == expected)
    }

    @Test(arguments: [
        ("Set<String>()", SourceExpression.call(.type(.named("Set", [string])), [])),
        ("A.B<Int, C.D>.e", .member(.type(.named("A.B", [int, .named("C.D", [])])), "e")),
        ("[String]()", .call(.type(.array(string)), [])),
        ("[[Int?]]()", .call(.type(.array(.array(.optional(int)))), [])),
        ("[String: [Int]]()", .call(.type(.dictionary(string, .array(int))), [])),
        ("[String: Set<Int>].init()", .call(.member(.type(.dictionary(string, .named("Set", [int]))), "init"), [])),
        ("Int?.none", .member(.type(.optional(int)), "none")),
        (
            "Int?(nil)",
            .call(
                .type(.optional(int)),
                [
                    SourceArgument(value: .null)
                ])
        ),
        ("[a]()", .call(.array([.name("a")]), [])), ("[A].self", .member(.type(.array(.named("A", []))), "self")),
    ])
    func typesAsValues(text: String, expected: SourceExpression) throws {
        #expect(try Snippet.variable("let x = \(text)").initialValue == expected)
    }

    @Test(arguments: [
        #""a\(1)""#, "a as B", "a ? b : c", "a!", "a[0]", "try? a", "(1, 2)", "(a: 1)", "a(b:)", "!a", "{ 1 }",
        "a is B",
        #"\A.b?.c"#, #"\A.[0]"#, "#line", "-a", "if a { 1 } else { 2 }", "a...",
    ])
    func otherExpressions(text: String) throws {
        #expect(try Snippet.variable("let x = \(text)").initialValue == .other(text))
    }
}
