import Testing

@testable import granary_swiftdata

@Suite struct VariableReaderTests {
    private static let int = SourceType.named("Int", [])

    @Test(arguments: [
        ("var x: Int", [String]()), ("let x = 1", ["let"]), ("static var x = 1", ["static"]),
        ("class var x: Int { 1 }", ["static", "computed"]), ("lazy var x = 1", ["lazy"]),
        ("public private(set) var x: Int", []), ("static let x = 1", ["let", "static"]),
        ("var x: Int { 1 }", ["computed"]), ("var x: Int { get { 1 } set {} }", ["computed"]),
        ("var x: Int { willSet {} didSet {} }", []), ("var x = 1 { didSet {} }", []),
        ("var x: Int { _read { yield a } }", ["computed"]), ("var x: Int { get async throws { 1 } }", ["computed"]),
    ])
    func flags(text: String, expected: [String]) throws {
        let variable = try Snippet.variable(text)
        let flags = [
            (variable.isLet, "let"), (variable.isStatic, "static"), (variable.isLazy, "lazy"),
            (variable.isComputed, "computed"),
        ]
        #expect(flags.filter(\.0).map(\.1) == expected)
        #expect(variable.name == "x")
    }

    @Test(arguments: [
        ("{ 1 }", SourceExpression?.some(.integer("1"))), ("{ return 1 }", .integer("1")),
        ("{ get { 1 } }", .integer("1")), ("{ set {} get { return [A.self] } }", .array([.member(.name("A"), "self")])),
        ("{ a(); return 1 }", nil), ("{ if a { return 1 }; return 2 }", nil), ("{ }", nil), ("{ return }", nil),
        ("{ didSet { 1 } }", nil), ("{ get { 1 } didSet { 2 } }", .integer("1")),
    ])
    func getters(text: String, expected: SourceExpression?) throws {
        #expect(try Snippet.variable("var x: Int \(text)").getter == expected)
    }

    private struct Expected {
        var name: String
        var type: SourceType?
        var value: SourceExpression?
    }

    @Test(arguments: [
        ("var a, b: Int", [Expected(name: "a", type: int), Expected(name: "b", type: int)]),
        ("var a = 1, b: Int", [Expected(name: "a", value: .integer("1")), Expected(name: "b", type: int)]),
        (
            "var a: Int = 1, b = 2",
            [Expected(name: "a", type: int, value: .integer("1")), Expected(name: "b", value: .integer("2"))]
        ),
        (
            "var a, b: Int, c: Int?",
            [Expected(name: "a", type: int), Expected(name: "b", type: int), Expected(name: "c", type: .optional(int))]
        ),
        (
            "let (a, b) = (1, 2)",
            [Expected(name: "a", value: .other("(1, 2)")), Expected(name: "b", value: .other("(1, 2)"))]
        ),
        ("var `in`: Int", [Expected(name: "in", type: int)]),
    ])
    private func bindings(text: String, expected: [Expected]) throws {
        let variables = try Snippet.variables(text)
        #expect(variables.map(\.name) == expected.map(\.name))
        #expect(variables.map(\.type) == expected.map(\.type))
        #expect(variables.map(\.initialValue) == expected.map(\.value))
    }

    @Test func allBindingsHaveTheAttributes() throws {
        let variables = try Snippet.variables("@A(1) @B var a, b: Int")
        #expect(variables.map { $0.attributes.map(\.name) } == [["A", "B"], ["A", "B"]])
        #expect(variables.map(\.place) == [SourcePlace(line: 2, column: 14), SourcePlace(line: 2, column: 17)])
    }
}
