import Testing

@testable import granary_swiftdata

@Suite struct SyntaxProblemsTests {
    @Test(arguments: [
        ("struct A {\n  var x: Int\n", "2:13 expected `}`"), ("let x =", "1:8 expected an expression"),
        ("class {}", "1:7 expected a name"), ("let x: ", "1:8 expected a type"),
        ("struct A { ) }", "1:12 unexpected code `)`"),
        ("let x = <#value#>", "1:9 a placeholder of the editor is left; replace it"),
        ("let x = 1 /* a", "1:11 the comment has no end; add `*/`"),
        ("let x = \"\\q\"", "1:10 unknown escape sequence in a string"),
        ("let x = 0b2", "1:11 the code is not Swift (invalidBinaryDigitInIntegerLiteral)"),
        (
            "<<<<<<< HEAD\nlet x = 1\n=======\n>>>>>>> b\n",
            "1:1 a conflict marker of version control is left; resolve the conflict"
        ),
    ])
    func problems(text: String, expected: String) {
        let problems = Snippet.file(text).problems.map { "\($0.place.line):\($0.place.column) \($0.message)" }
        #expect(problems.first == expected)
    }

    @Test func problemsAreInTheOrderOfTheFileAndAtMostTwenty() {
        let problems = Snippet.file(String(repeating: "struct A { ) }\n", count: 100)).problems
        #expect(problems.map(\.place.line) == Array(1...20))
    }

    @Test func declarationsAroundAProblemAreRead() {
        let file = Snippet.file("struct A { var x: Int; var y = }\nstruct B {}")
        #expect(file.declarations.map(\.name) == ["A", "B"])
        #expect(file.declarations.first?.variables.map(\.name) == ["x", "y"])
        #expect(file.problems.count == 1)
    }

    @Test func tooManyBracketsAreTheOnlyProblem() {
        let problems = LargeStack.run {
            Snippet.file("struct A { let x = \(String(repeating: "(", count: 300))").problems
        }
        #expect(problems.map(\.message) == ["more than 256 brackets are open; the rest of the file is not read"])
        #expect(problems.map(\.place.line) == [1])
    }
}
