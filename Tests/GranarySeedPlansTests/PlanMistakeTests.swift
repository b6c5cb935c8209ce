import Foundation
import GranaryBase
import TestSupport
import Testing
@testable import GranarySeedPlans

/// Every mistake of a plan is named at its place, all of them at once.
@Suite struct PlanMistakeTests {
    /// A plan with a mark before each place, and what is said there.
    static let mistakes: [(String, [String])] = [
        ("§§§a: b\n", ["a plan has no key \"a\"", "imports is missing", "store is missing"]),
        (
            PlanSample.start + "  - §entity: Injury\n    §fiel: a.csv\n",
            ["an import needs file, terms or rows", "an import has no key \"fiel\"; did you mean \"file\"?"]
        ),
        (
            PlanSample.start
                + "  - {entity: E, file: e.csv, skip-rows: §two, no-header: §NO, on-conflict: §updaet}\n",
            [
                "skip-rows: a whole number is required", "no-header: \"NO\" is neither true nor false",
                "on-conflict: \"updaet\" is not one of error, update, skip, replace; did you mean \"update\"?",
            ]
        ),
        (
            PlanSample.start + "  - {entity: E, file: e.csv, §delimiter: ';;', quote: §ab}\n",
            ["delimiter: one byte is needed", "quote: one byte is needed"]
        ),
        (
            PlanSample.start + "  - {entity: Søren, file: e.csv, quote: §øø}\n",
            ["quote: one byte is needed"]
        ),
        (
            PlanSample.start + "  - §{entity: E, terms: 'a%b', delimiter: '%'}\n",
            ["attribute: is needed"]
        ),
        (
            PlanSample.start + "  - {entity: E, terms: 'a', delimiter: '%', attribute: a, §quote: '%'}\n",
            ["quote: is for CSV and TSV"]
        ),
        (
            PlanSample.start + "  - {entity: E, file: e.csv, map: §[a], lookup: {x: §[]}, constant: {y: §[z]}}\n",
            ["map: a mapping is required", "x: the list is empty", "y: a single text is required"]
        ),
        (PlanSample.start + "  - {entity: E, §rows: [{a: b}], file: e.csv}\n", ["only one of file, terms and rows"]),
        (PlanSample.start + "  - {entity: E, rows: [§x, {a: b}]}\n", ["rows: a row must be a mapping of properties"]),
        (PlanSample.start + "  - §{rows: [{a: b}]}\n", ["entity is missing"]),
        (PlanSample.start + "  - {entity: E, file: §data}\n", ["cannot tell the format from 'data'"]),
        (
            PlanSample.start + "  - {entity: E, file: e.csv, §columns: 'a,b'}\n",
            ["columns: names the columns of a file without a header"]
        ),
        (
            PlanSample.start
                + "  - entity: E\n    file: e.csv\n    column-options:\n"
                + "      Price: {decimal-separator: §xx, scale: §abc, §trm: true}\n",
            [
                "decimal-separator: one character is needed, such as , or U+00A0", "scale: a number is required",
                "a column has no key \"trm\"; did you mean \"trim\"?",
            ]
        ),
        (
            PlanSample.start + "  - {entity: E, file: e.csv, column-options: {A: {'true': [x], 'false': §[x]}}}\n",
            ["\"x\" cannot be both true and false"]
        ),
        (
            PlanSample.start + "  - {entity: E, file: e.csv, time-zone: §Mars/Base, encoding: §utf9}\n",
            ["there is no time zone Mars/Base", "the encoding utf9 is not known"]
        ),
        (
            PlanSample.start + "  - {entity: E, file: e.csv, decimal-separator: ',', group-separator: §','}\n",
            ["the decimal and group separators must differ"]
        ),
        (
            "model: M.json\nstore: a\n§model: N.json\n",
            ["the key \"model\" occurs twice in this mapping, first in line 1"]
        ),
        ("? §[a]\n: b\n", ["the keys of a plan must be texts"]),
        ("a: &x [1]\n§*x : b\n", ["the keys of a plan must be texts"]),
        ("max-rejects: §3\n" + PlanSample.start + "  - {entity: E, file: e.csv}\n", ["needs mode: keep-good"]),
        ("store-uuid: §abc\n" + PlanSample.start + "  - {entity: E, file: e.csv}\n", ["a UUID is required"]),
        ("busy-timeout: §-1\n" + PlanSample.start + "  - {entity: E, file: e.csv}\n", ["a number of seconds"]),
        (
            "defaults: {§entity: E, §quot: x}\n" + PlanSample.start
                + "  - {entity: E, file: e.csv}\n  - {entity: F, file: f.csv}\n",
            ["entity is allowed only in an import", "defaults has no key \"quot\"; did you mean \"quote\"?"]
        ),
        (
            "§store: a\nstores:\n  - {store: b, imports: [{entity: E, file: e.csv}], §variables: {}}\n",
            ["store is a key of each store", "variables is allowed only at the top of a plan"]
        ),
        (
            "stores:\n  - {store: b, imports: [{entity: E, file: e.csv}]}\n"
                + "  - {store: §b, imports: [{entity: E, file: e.csv}]}\n",
            ["b is written by two of the stores"]
        ),
        (
            PlanSample.start + "  - entity: E\n    file: §${DTA}.csv\n    constant:\n      a: §x${y\n      b: §${1}\n",
            ["there is no variable \"DTA\"", "a ${ without }", "is not a variable name"]
        ),
        (
            PlanSample.start + "  - entity: E\n    file: §${env:NOT_THERE}.csv\n",
            ["the environment variable NOT_THERE is not set"]
        ),
    ]

    @Test(arguments: mistakes.indices)
    func everyMistakeIsNamedAtItsPlace(_ index: Int) {
        let (marked, messages) = Self.mistakes[index]
        let (text, places) = PlanSample.unmarked(marked)
        let problems = PlanSample.problems(text)
        #expect(problems.map { "\($0.position?.line ?? 0):\($0.position?.column ?? 0)" } == places, "\(problems)")
        #expect(problems.count == messages.count)
        for (problem, message) in zip(problems, messages) {
            #expect(problem.message.contains(message), "\(problem)")
            #expect(problem.code == (message.contains("no key") ? .planUnknown : .planSyntax))
            #expect(problem.position?.file == "plan.yaml")
        }
    }

    @Test(arguments: [
        ("", "the plan is empty"), ("# nothing\n", "the plan is empty"), ("a: [1, 2\n", "this is not YAML"),
        ("delimiter: %\n", "needs quotes"), ("file: *.csv\n", "needs quotes"), ("a: *x\n", "undefined alias"),
        ("a: 1\n---\nb: 2\n", "another document"), ("a: \u{1}\n", "control characters"),
        ("- a\n", "a plan must be a mapping"),
        ("text\n", "a plan must be a mapping"), ("\"a\tb\": \"\\q\"\n", "this is not YAML"),
    ])
    func whatIsNoYAMLHasAPlace(_ text: String, _ message: String) throws {
        let problems = PlanSample.problems(text)
        let first = try #require(problems.first { $0.message.contains(message) }, "\(problems)")
        #expect(first.code == .planSyntax && first.position != nil)
    }

    @Test func bytesThatAreNoTextHaveAPlace() throws {
        let bytes = Array("model: a\nstore: ".utf8) + [0xFF]
        let error = #expect(throws: GranaryError.self) {
            try SeedPlan(bytes: bytes, file: "plan.yaml", folder: "")
        }
        let problem = try #require(error?.diagnostics.first)
        #expect(problem.code == .encodingInvalid && problem.position?.line == 2 && problem.position?.column == 8)
    }

    @Test func aMistakeInDefaultsIsToldOnce() {
        let imports = String(repeating: "  - {entity: E, file: e.csv}\n", count: 50)
        let problems = PlanSample.problems("defaults: {skip-rows: x}\n" + PlanSample.start + imports)
        #expect(problems.count == 1)
    }

    @Test func aVariableOfNobodyIsWrongUsage() throws {
        let error = #expect(throws: GranaryError.self) {
            try PlanSample.plan(
                PlanSample.start + "  - {entity: E, file: e.csv}\n", variables: ["DTA": "x"])
        }
        #expect(error?.code == .usage && error?.message.contains("DTA") ?? false)
    }

    @Test("Two stores of a plan that are one file are refused with both places, whatever their names are")
    func sameStore() throws {
        let folder = try TemporaryFolder()
        _ = try folder.write("", to: "a.sqlite")
        let path = folder.url.path
        try FileManager.default.linkItem(atPath: "\(path)/a.sqlite", toPath: "\(path)/hard.sqlite")
        for (link, target) in [("soft.sqlite", "a.sqlite"), ("new-link.sqlite", "./new.sqlite"), ("sub", ".")] {
            try FileManager.default.createSymbolicLink(atPath: "\(path)/\(link)", withDestinationPath: target)
        }
        let cases: [(String, String, Bool)] = [
            ("a.sqlite", "a.sqlite", true), ("a.sqlite", "./a.sqlite", true), ("a.sqlite", "sub/a.sqlite", true),
            ("a.sqlite", "soft.sqlite", true), ("hard.sqlite", "a.sqlite", true), ("new.sqlite", "./new.sqlite", true),
            ("new.sqlite", "sub/new.sqlite", true), ("new.sqlite", "new-link.sqlite", true),
            ("new-link.sqlite", "new-link.sqlite", true), ("a.sqlite", "new.sqlite", false),
            ("a.sqlite", "a.sqlite2", false),
        ]
        for (first, second, isSame) in cases {
            let text =
                "stores:\n  - {store: \(first), imports: [{entity: E, file: e.csv}]}\n"
                + "  - {store: \(second), imports: [{entity: E, file: e.csv}]}\n"
            var problems: [Diagnostic] = []
            do throws(GranaryError) { _ = try PlanSample.plan(text, folder: path + "/") } catch {
                problems = error.diagnostics
            }
            #expect(problems.count == (isSame ? 1 : 0), "\(first), \(second): \(problems)")
            guard isSame, let problem = problems.first else { continue }
            #expect(problem.position?.line == 3 && problem.position?.column == 13, "\(problem)")
            #expect(problem.message.contains("\(path)/\(second) is written by two of the stores"), "\(problem)")
            #expect(problem.message.hasSuffix("at plan.yaml:2:13"), "\(problem)")
        }
    }

    @Test("A rejects file that is a store of the plan is refused")
    func rejectsIsStore() {
        let problems = PlanSample.problems(
            "mode: keep-good\nstores:\n  - {store: a, rejects: b.csv, imports: [{entity: E, file: e.csv}]}\n"
                + "  - {store: ./b.csv, imports: [{entity: E, file: e.csv}]}\n")
        #expect(problems.map(\.position?.line) == [4])
        let message = problems.first?.message ?? ""
        #expect(message.contains("it is also written as b.csv at plan.yaml:3:25"), "\(problems)")
    }
}
