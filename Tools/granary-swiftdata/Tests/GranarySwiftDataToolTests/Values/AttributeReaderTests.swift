import Testing

@testable import granary_swiftdata

@Suite struct AttributeReaderTests {
    @Test func attributesHaveNamesPlacesAndArguments() throws {
        let text =
            "@Model @SwiftData.Relationship(deleteRule: .cascade, inverse: \\T.a) @available(iOS 17, *) class S {}"
        let attributes = try Snippet.declaration(text).attributes
        #expect(attributes.map(\.name) == ["Model", "SwiftData.Relationship", "available"])
        #expect(attributes.map(\.place.column) == [1, 8, 69])
        let arguments: [[SourceArgument]] = [
            [],
            [
                SourceArgument(label: "deleteRule", value: .member(nil, "cascade")),
                SourceArgument(label: "inverse", value: .keyPath(.named("T", []), ["a"])),
            ],
            [SourceArgument(value: .other("iOS 17, *"))],
        ]
        #expect(attributes.map(\.arguments) == arguments)
    }

    @Test func attributesInsideIfMakeADeclarationForEachClause() {
        let file = Snippet.file("#if A\n@Model\n#elseif B\n@B\n#endif\n@C\nclass S { var x: Int }")
        let (a, b) = (SourceCondition.flag("A"), SourceCondition.flag("B"))
        #expect(file.declarations.map(\.name) == ["S", "S", "S"])
        #expect(file.declarations.map(\.conditions) == [[a], [.not(a), b], [.not(a), .not(b)]])
        #expect(file.declarations.map { $0.attributes.map(\.name) } == [["Model", "C"], ["B", "C"], ["C"]])
        #expect(file.declarations.map { $0.variables.map(\.name) } == [["x"], ["x"], ["x"]])
        #expect(file.problems.isEmpty)
    }

    @Test func attributesOfAPropertyCanBeInsideIf() throws {
        let variables = try Snippet.variables("#if A\n#if B\n@Transient\n#else\n@Other\n#endif\nvar x: Int\n#endif")
        let (a, b) = (SourceCondition.flag("A"), SourceCondition.flag("B"))
        #expect(variables.map(\.conditions) == [[a, b], [a, .not(b)]])
        #expect(variables.map { $0.attributes.map(\.name) } == [["Transient"], ["Other"]])
    }

    @Test(arguments: [
        String(repeating: "#if A\n@a\n#endif\n", count: 4), "#if A\n#if B\n@a\n#endif\n#endif\n",
        "#if A\n@a\n" + (0..<9).map { "#elseif B\($0)\n@b\n" }.joined() + "#endif\n",
    ])
    func tooManyCombinationsAreAProblem(attributes: String) {
        let file = Snippet.file("\(attributes)@Model class S {}")
        #expect(file.declarations.map { $0.attributes.map(\.name) } == [["Model"]])
        #expect(file.problems.map(\.message).allSatisfy { $0.hasPrefix("the #if among these attributes") })
        #expect(file.problems.count == 1)
    }

    @Test func variantsOfTypesInVariantsOfTypesAreAProblem() {
        let file = Snippet.file("#if A\n@a\n#endif\nclass S {\n#if A\n@a\n#endif\nclass T {}\n}")
        #expect(file.declarations.map { $0.members.count } == [1, 1])
        #expect(file.problems.map(\.place) == [SourcePlace(line: 5, column: 1)])
    }
}
