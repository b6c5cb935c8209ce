import Testing

@testable import granary_swiftdata

@Suite struct MemberTests {
    @Test func enumCases() throws {
        let cases = try Snippet.declaration("enum A: Int { case a = 1, b; indirect case c(Int), `d` = -2 }").cases
        #expect(cases.map(\.name) == ["a", "b", "c", "d"])
        #expect(cases.map(\.hasPayload) == [false, false, true, false])
        #expect(cases.map(\.rawValue) == [.integer("1"), nil, nil, .integer("-2")])
        #expect(cases.map(\.place.column) == [20, 27, 44, 52])
    }

    @Test func macros() throws {
        let text = #"class A { #Unique<A>([\.a], [\.b, \.c]); #Index<A>([\.a]) }"#
        let macros = try Snippet.declaration(text).macros
        #expect(macros.map(\.name) == ["Unique", "Index"])
        let path = { (names: String...) in SourceArgument(value: .array(names.map { .keyPath(nil, [$0]) })) }
        #expect(macros.map(\.arguments) == [[path("a"), path("b", "c")], [path("a")]])
        #expect(macros.map(\.place.column) == [11, 42])
    }

    @Test func membersInsideIf() throws {
        let text = """
            enum A {
            #if A
                case a
                var b: Int { 1 }
                #Index<A>([\\.a])
                struct C {
                    #if B
                    var d: Int
                    #endif
                }
            #endif
            }
            """
        let declaration = try Snippet.declaration(text)
        let a = [SourceCondition.flag("A")]
        #expect(declaration.conditions == [])
        #expect(declaration.cases.map(\.conditions) == [a])
        #expect(declaration.variables.map(\.conditions) == [a])
        #expect(declaration.macros.map(\.conditions) == [a])
        #expect(declaration.members.map(\.conditions) == [a])
        // Conditions are those between a member and its type.
        #expect(declaration.members.first?.variables.map(\.conditions) == [[.flag("B")]])
    }
}
