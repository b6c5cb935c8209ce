import TestSupport
import Testing

@testable import GranaryFixtures

@Suite struct LineDiffTests {
    @Test("Changed lines, the lines around them and the object that they belong to")
    func text() {
        let old = [
            "Injury/p1", "  key: 0", "  name: \"Burn\"", "", "Injury/p2", "  a: 1", "  b: 2", "  c: 3", "  d: 4",
        ]
        var new = old
        new[7] = "  c: 5"
        new.append("  e: 6")
        #expect(
            LineDiff.text(from: old, to: new) == """
                @@ line 6: Injury/p2 @@
                   a: 1
                   b: 2
                -  c: 3
                +  c: 5
                   d: 4
                +  e: 6
                """)
        #expect(LineDiff.text(from: [], to: ["A", "  b"]) == "@@ line 1 @@\n+A\n+  b")
        #expect(LineDiff.text(from: ["\u{E9}"], to: ["e\u{301}"]).utf8.count { $0 == 0x0A } == 2)
        #expect(LineDiff.text(from: ["A"], to: []) == "@@ line 1 @@\n-A")
    }

    @Test("Two changes far from each other are two parts")
    func parts() {
        let old = (0..<20).map { "\($0)" }
        var new = old
        new[3] = "three"
        new.remove(at: 15)
        #expect(
            LineDiff.text(from: old, to: new) == """
                @@ line 2 @@
                 1
                 2
                -3
                +three
                 4
                 5
                @@ line 14 @@
                 13
                 14
                -15
                 16
                 17
                """)
    }

    @Test("Long differences are cut and counted", arguments: [100, 3000])
    func long(count: Int) {
        let text = LineDiff.text(from: (0..<count).map { "a\($0)" }, to: (0..<count).map { "b\($0)" })
        let lines = text.split(separator: "\n")
        #expect(lines.count == 51 && lines.last == "… (\(2 * count) changed lines)")
    }

    @Test("The kept and removed lines are the first text, the kept and added lines the second")
    func generated() {
        var random = SeededGenerator(seed: 41)
        for _ in 0..<500 {
            let old = (0..<Int.random(in: 0...12, using: &random)).map { _ in "\(Int.random(in: 0...3, using: &random))"
            }
            let new = (0..<Int.random(in: 0...12, using: &random)).map { _ in "\(Int.random(in: 0...3, using: &random))"
            }
            let text = LineDiff.text(from: old, to: new, limit: 1000)
            let lines = text.split(separator: "\n").filter { !$0.hasPrefix("@@") }
            #expect((old == new) == lines.isEmpty)
            let removed = lines.filter { $0.hasPrefix("-") }.count
            let added = lines.filter { $0.hasPrefix("+") }.count
            #expect(old.count - removed == new.count - added)
            // The standard library finds the shortest difference too.
            #expect(removed + added == new.difference(from: old).count)
        }
    }

    @Test("Lines end at line feeds, with or without carriage returns")
    func lines() {
        #expect(LineDiff.lines("a\r\nb\n\nc") == ["a", "b", "", "c"])
        #expect(LineDiff.lines("a\n") == ["a"])
        #expect(LineDiff.lines("").isEmpty)
    }
}
