import Testing

@testable import granary_swiftdata

@Suite struct ConditionReaderTests {
    private static let a = SourceCondition.flag("A")
    private static let b = SourceCondition.flag("B")
    private static let c = SourceCondition.flag("C")

    @Test(arguments: [
        ("true", SourceCondition.boolean(true)), ("false", .boolean(false)), ("A", a), ("!A", .not(a)),
        ("A && B && C", .all([a, b, c])), ("A || B && C", .any([a, .all([b, c])])),
        ("A && B || C", .any([.all([a, b]), c])), ("(A || B) && C", .all([.any([a, b]), c])),
        ("!(A && !B)", .not(.all([a, .not(b)]))), ("os(iOS)", .platform("os", "iOS")),
        ("canImport(UIKit)", .platform("canImport", "UIKit")),
        ("canImport(UIKit, _version: 5)", .platform("canImport", "UIKit, _version: 5")),
        ("swift(>=5.9)", .platform("swift", ">=5.9")), ("compiler(<6)", .platform("compiler", "<6")),
        ("targetEnvironment(simulator)", .platform("targetEnvironment", "simulator")),
        ("arch(arm64)", .platform("arch", "arm64")), ("hasFeature(X)", .platform("hasFeature", "X")),
        ("hasAttribute(x)", .platform("hasAttribute", "x")),
        ("!os(iOS) && A", .all([.not(.platform("os", "iOS")), a])),
        ("A == B", .other("A == B")), ("unknown(A)", .other("unknown(A)")), ("A < 3 || B", .other("A < 3 || B")),
    ])
    func conditions(text: String, expected: SourceCondition) throws {
        #expect(try Snippet.declaration("#if \(text)\nstruct S {}\n#endif").conditions == [expected])
    }

    @Test func laterClausesNegateTheEarlier() {
        let text = "#if A\nstruct S {}\n#elseif B\nstruct T {}\n#elseif C\nstruct U {}\n#else\nstruct V {}\n#endif"
        let conditions = Snippet.file(text).declarations.map(\.conditions)
        let (a, b, c) = (Self.a, Self.b, Self.c)
        #expect(conditions == [[a], [.not(a), b], [.not(a), .not(b), c], [.not(a), .not(b), .not(c)]])
    }

    @Test func innerConditionsFollowTheOuter() throws {
        let text = "#if A\n#if B\n#else\nstruct S {}\n#endif\n#endif"
        #expect(try Snippet.declaration(text).conditions == [Self.a, .not(Self.b)])
    }

    @Test func deepConditionsAreText() throws {
        let text = String(repeating: "!(", count: 50) + "A" + String(repeating: ")", count: 50)
        var condition = try #require(try Snippet.declaration("#if \(text)\nstruct S {}\n#endif").conditions.first)
        while case .not(let inner) = condition { condition = inner }
        guard case .other(let rest) = condition else {
            Issue.record("\(condition)")
            return
        }
        #expect(rest.contains("!(!(") && rest.utf8.count < text.utf8.count)
    }
}
