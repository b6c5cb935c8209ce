import Testing

@testable import granary_swiftdata

@Suite struct ExpressionDepthTests {
    @Test func anExpressionOfThirtyTwoLevelsIsRead() throws {
        #expect(try depth(of: "x" + String(repeating: ".a", count: 31)) == (31, .name("x")))
    }

    @Test func theRestOfADeeperExpressionIsText() throws {
        let rest = "x" + String(repeating: ".a", count: 8)
        #expect(try depth(of: "x" + String(repeating: ".a", count: 40)) == (32, .other(rest)))
    }

    @Test func textHasAtMostTwoHundredCharacters() throws {
        let value = try Snippet.variable("let x = { \(String(repeating: "é", count: 300)) }").initialValue
        #expect(value == .other("{ " + String(repeating: "é", count: 198)))
    }

    @Test func typesInsideExpressionsHaveTheSameLimit() throws {
        let type = String(repeating: "A<", count: 40) + "B" + String(repeating: ">", count: 40)
        var value = try Snippet.variable("let x: \(type)").type
        var count = 0
        while case .named("A", let arguments) = value, let first = arguments.first {
            count += 1
            value = first
        }
        #expect(count == 32)
        #expect(value == .other(String(repeating: "A<", count: 8) + "B" + String(repeating: ">", count: 8)))
    }

    /// Returns the number of members after each other, and the expression before them.
    private func depth(of text: String) throws -> (Int, SourceExpression?) {
        var value = try Snippet.variable("let x = \(text)").initialValue
        var count = 0
        while case .member(let base, "a") = value {
            count += 1
            value = base
        }
        return (count, value)
    }
}
