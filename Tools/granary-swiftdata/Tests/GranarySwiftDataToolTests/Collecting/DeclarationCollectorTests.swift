import Testing

@testable import granary_swiftdata

@Suite struct DeclarationCollectorTests {
    @Test(arguments: [
        ("final class A {}", "class A"), ("public struct A {}", "struct A"), ("enum A {}", "enum A"),
        ("actor A {}", "actor A"), ("protocol A { var x: Int { get } }", "protocol A"),
        ("extension A {}", "extension A"),
        ("extension A.B where C: D {}", "extension A.B"), ("extension Array<Int> {}", "extension Array"),
        ("extension [Int] {}", "extension [Int]"), ("typealias A = B", "typealias A"),
        ("class `default` {}", "class default"),
    ])
    func kindsAndNames(text: String, expected: String) throws {
        let declaration = try Snippet.declaration(text)
        #expect("\(declaration.kind.rawValue) \(declaration.name)" == expected)
        #expect(declaration.variables.isEmpty)
    }

    @Test func theTopLevelIsReadInOrder() {
        let file = Snippet.file(
            "import A\nlet x = 1\nfunc f() { class C {} }\nclass A {}\n#Preview { B() }\nstruct B {}")
        #expect(file.declarations.map(\.name) == ["A", "B"])
        #expect(file.declarations.map(\.place) == [SourcePlace(line: 4, column: 7), SourcePlace(line: 6, column: 8)])
        #expect(file.problems.isEmpty)
    }

    @Test func typesAreReadInsideTypes() throws {
        let outer = try Snippet.declaration(
            "enum V1: VersionedSchema { class A { struct B { var x: Int } }\ntypealias C = A\nfunc f() { struct D {} } }"
        )
        #expect(outer.members.map(\.name) == ["A", "C"])
        #expect(outer.members.map(\.aliased) == [nil, .named("A", [])])
        #expect(outer.members.first?.members.first?.variables.map(\.name) == ["x"])
    }

    @Test func inheritedTypesAndGenericParameters() throws {
        let declaration = try Snippet.declaration("class A<T, U: P>: B<T>, @unchecked Sendable, C & D where T: P {}")
        let inherited: [SourceType] = [
            .named("B", [.named("T", [])]), .named("Sendable", []), .named("C", []), .named("D", []),
        ]
        #expect(declaration.inherited == inherited)
        #expect(declaration.genericParameters == ["T", "U"])
        #expect(try Snippet.declaration("typealias A<T> = [T]").genericParameters == ["T"])
    }

    @Test(arguments: [
        ("func encode(to encoder: any Encoder) throws {}", true), ("func encode(to: E) {}", true),
        ("func encode(_ to: E) {}", false), ("func decode(to: E) {}", false),
        ("#if A\nfunc encode(to: E) {}\n#endif", true),
    ])
    func encodesItself(member: String, expected: Bool) throws {
        #expect(try Snippet.declaration("class A {\n\(member)\n}").encodesItself == expected)
    }

    @Test func typesBelowSixtyFourLevelsAreAProblem() throws {
        let text = String(repeating: "struct A {", count: 70) + String(repeating: "}", count: 70)
        let file = Snippet.file(text)
        #expect(file.problems.map(\.message) == ["types are nested deeper than 64 levels; the inner ones are not read"])
        #expect(file.problems.map(\.place) == [SourcePlace(line: 1, column: 641)])
        var count = 0
        var declaration = file.declarations.first
        while let inner = declaration {
            count += 1
            declaration = inner.members.first
        }
        #expect(count == 64)
    }

    @Test func moreThanSixtyFourConditionsAreAProblem() {
        let clauses = (0..<64).map { "#elseif B\($0)\nstruct S {}\n" }.joined()
        let nested =
            String(repeating: "#if A\n", count: 65) + "struct S {}\n" + String(repeating: "#endif\n", count: 65)
        for file in [Snippet.file("#if A\n\(clauses)#endif"), Snippet.file(nested)] {
            #expect(file.declarations.isEmpty)
            #expect(file.problems.map(\.message) == ["more than 64 conditions of #if apply here; the code is not read"])
        }
    }

    @Test func repeatedCodeHasALimit() {
        let names = (0..<700).map { "a\($0)" }.joined(separator: ", ")
        let file = Snippet.file(
            "struct S { @A(\"\(String(repeating: "x", count: 100_000))\") var \(names): Int\nvar b: Int }")
        #expect(file.declarations.first?.variables.map(\.name) == ["b"])
        #expect(file.problems.map(\.message).allSatisfy { $0.contains("repeated too often") })
        #expect(file.problems.count == 1)
    }
}
