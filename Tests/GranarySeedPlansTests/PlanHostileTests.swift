import GranaryBase
import TestSupport
import Testing
@testable import GranarySeedPlans
import GranaryYAML

/// Plans that want too much are refused in little time.
@Suite struct PlanHostileTests {
    /// `a1: &a1 [*a0, *a0, …]` and so on: nine of nine to the power of `levels`.
    private func bomb(_ levels: Int, _ row: (String) -> String) -> String {
        var text = "a0: &a0 [x]\n"
        for level in 1...levels {
            let aliases = Array(repeating: "*a\(level - 1)", count: 9).joined(separator: ", ")
            text += "a\(level): &a\(level) \(row(aliases))\n"
        }
        return text
    }

    func aliasesThatMultiplyAreRefused() {
        let problems = PlanSample.problems(bomb(30) { "[\($0)]" })
        #expect(problems.map(\.code) == [.limitExceeded])
    }

    @Test func aliasesInKeysAreRefusedBeforeTheyMultiply() {
        let last = "? [*a30, *a29]\n: x\n"
        for text in [bomb(30) { "[\($0)]" } + last, bomb(30) { "{? [\($0)] : x}" }, bomb(30) { "{? {? [\($0)]}}" }] {
            let problems = PlanSample.problems(text)
            #expect(!problems.isEmpty && problems.allSatisfy { $0.message == "the keys of a plan must be texts" })
        }
    }

    @Test func variablesThatMultiplyAreRefused() {
        var text = "variables:\n  V0: xxxxxxxxxxxxxxxx\n"
        for level in 1...30 {
            text += "  V\(level): \"" + String(repeating: "${V\(level - 1)}", count: 9) + "\"\n"
        }
        let problems = PlanSample.problems(text + PlanSample.start + "  - {entity: E, file: e.csv}\n")
        #expect(problems.contains { $0.message.contains("with expanded variables") })
    }

    @Test(arguments: ["[", "{", "- ", "? ", "a: ", "{a: ", "[{? "])
    func nestingEndsWithAnError(_ opening: String) {
        #expect(!PlanSample.problems(String(repeating: opening, count: 100_000)).isEmpty)
    }

    @Test func aPlanHasAMostOfBytes() {
        let text = "# " + String(repeating: "x", count: PlacedText.maximumBytes)
        #expect(PlanSample.problems(text).map(\.code) == [.limitExceeded])
    }

    /// Whatever stands in a file: it is a plan, or what is wrong with it has a place in it.
    @Test func damagedPlansNeverTrap() { Self.checkDamagedPlans(count: 200) }

    static func checkDamagedPlans(count: Int) {
        let sample = Array(
            ("variables: {A: b}\nstore: ${A}\nimports: &i\n  - {entity: E, file: 'e.csv', null: [\"\", \"-\"]}\n"
                + "  - entity: F\n    rows: [{a: 1, b: [x, y]}, {c: ~}]\n    column-options: {a: {scale: 0.1}}\n")
                .utf8)
        let pieces = "[]{}:,-?*&!|>'\"%@`#$ \n\taø\u{0}\u{85}".unicodeScalars.map { Array(String($0).utf8) }
        var random = SeededGenerator(seed: 7)
        for _ in 0..<count {
            var bytes = sample
            for _ in 0..<Int.random(in: 1...4, using: &random) {
                let place = Int.random(in: 0..<bytes.count, using: &random)
                switch Int.random(in: 0..<3, using: &random) {
                case 0: bytes.remove(at: place)
                case 1: bytes.insert(contentsOf: pieces.randomElement(using: &random) ?? [], at: place)
                default: bytes[place] = UInt8.random(in: 0...255, using: &random)
                }
            }
            do {
                _ = try SeedPlan(bytes: bytes, file: "plan.yaml", folder: "")
            } catch {
                #expect(!error.diagnostics.isEmpty, "\(String(decoding: bytes, as: UTF8.self))")
            }
        }
    }
}

@Suite struct PlanHostileLongTests {
    @Test func damagedPlansNeverTrap() { PlanHostileTests.checkDamagedPlans(count: 2_000) }

    @Test func aliasesThatMultiplyAreRefused() {
        PlanHostileTests().aliasesThatMultiplyAreRefused()
    }
}
