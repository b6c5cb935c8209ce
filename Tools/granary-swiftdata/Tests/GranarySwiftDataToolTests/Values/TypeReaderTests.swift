import Testing

@testable import granary_swiftdata

@Suite struct TypeReaderTests {
    private static let string = SourceType.named("String", [])
    private static let int = SourceType.named("Int", [])

    @Test(arguments: [
        ("Int", int), ("Foundation.Data", SourceType.named("Foundation.Data", [])), ("A.B.C", .named("A.B.C", [])),
        ("`Type`", .named("Type", [])), ("Self", .named("Self", [])), ("Any", .named("Any", [])),
        ("Set<String>", .named("Set", [string])), ("Swift.Set<String>", .named("Swift.Set", [string])),
        ("Optional<Int>", .named("Optional", [int])), ("A<Int, [String]>", .named("A", [int, .array(string)])),
        ("Int?", .optional(int)), ("Int!", .optional(int)), ("Int??", .optional(.optional(int))),
        ("[Int]", .array(int)), ("[Int?]?", .optional(.array(.optional(int)))),
        ("[String: Int]", .dictionary(string, int)),
        ("(Int)", int), ("((Int))?", .optional(int)), ("[any P.Type]", .array(.named("P.Type", []))),
        ("any A.P.Type", .named("A.P.Type", [])), ("Int.Type", .named("Int.Type", [])),
    ])
    func types(text: String, expected: SourceType) throws {
        #expect(try Snippet.variable("let x: \(text)").type == expected)
    }

    @Test(arguments: [
        "any P", "some P", "(Int, String)", "(a: Int)", "(Int) -> Void", "@Sendable () -> Void", "A & B", "()",
        "A<Int>.B", "A<Int>.Type", "~Copyable", "[3 of Int]",
    ])
    func otherTypes(text: String) throws {
        #expect(try Snippet.variable("let x: \(text)").type == .other(text))
    }

    @Test func aGenericArgumentCanBeOther() throws {
        #expect(try Snippet.variable("let x: A<any P>").type == .named("A", [.other("any P")]))
    }
}
