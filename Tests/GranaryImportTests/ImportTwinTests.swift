import GranaryBase
import GranaryContexts
import GranaryCoordination
import GranaryCoreDataStore
import GranaryInspection
import GranaryModel
import GranaryPredicates
import TestSupport
import Testing
@testable import GranaryImport
@testable import SeedingTestSupport

/// Generated imports against ``ImportTwin``.
@Suite struct ImportTwinTests {
    private static let model = ManagedObjectModel(entities: [
        EntityDescription(
            "Node",
            [
                .attribute("code", .string), .attribute("size", .integer16, .minimum(0), .maximum(100)),
                .toOne("next", "Node", inverse: nil), .toMany("friends", "Node", inverse: "friendOf"),
                .toMany("friendOf", "Node", inverse: "friends"),
            ], unique: [["code"]])
    ])

    /// The store's nodes as the twin writes its own.
    private static func lines(_ bench: EngineBench) throws -> [String] {
        try bench.table("Node", "code", "size", "next", "friends").split(separator: "\n").dropFirst().map { line in
            var fields = line.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
            let friends = fields.removeLast().split(separator: ";").sorted().joined(separator: ";")
            return (fields + [friends]).joined(separator: ",")
        }.sorted()
    }

    @Test(arguments: EngineBench.Kind.allCases)
    func `Imports with faults come to what the twin says`(_ kind: EngineBench.Kind) throws {
        try compare(kind, seeds: 0..<4)
    }

    func compare(_ kind: EngineBench.Kind, seeds: Range<Int>) throws {
        for seed in seeds {
            var generator = SeededGenerator(seed: UInt64(seed))
            let bench = try EngineBench(Self.model, kind)
            defer { bench.keep() }
            var twin = ImportTwin()
            // The first runs fill the store, the others meet what is there.
            for round in 0..<Int.random(in: 1...4, using: &generator) {
                let faults = [0, 3, 10, 25][Int.random(in: 0..<4, using: &generator)]
                let count = Int.random(in: 0...12, using: &generator)
                let rows = ImportTwin.rows(count, faults: faults, &generator)
                let updates = Bool.random(using: &generator)
                let cut = Int.random(in: 0...count, using: &generator)
                twin.load(rows, updates: updates)
                var options = ImportOptions()
                options.onConflict = updates ? .update : .error
                let texts = [rows[..<cut], rows[cut...]].map { part in
                    "code,size,next,friends\n" + part.map { $0.text + "\n" }.joined()
                }
                let readers = [
                    try TestImport.reader(csv: texts[0], name: "1.csv"),
                    try TestImport.reader(csv: texts[1], name: "2.csv"),
                ]
                let run = try TestImport.of(readers, "Node", bench.store, options, run: TestImport.keepGood)
                let what = "seed \(seed), round \(round), \(options.onConflict):\n\(texts.joined(separator: "--\n"))"
                var rejected: Set<Int> = []
                for problem in run.report.diagnostics where problem.severity == .error {
                    guard let place = problem.position else { continue }
                    rejected.insert(place.line - 2 + (place.file == "2.csv" ? cut : 0))
                }
                #expect(rejected == twin.rejected, "\(what)\n\(run.lines)")
                let counts = RecordCounts(
                    created: twin.created, updated: twin.updated, unchanged: twin.unchanged,
                    rejected: twin.rejected.count)
                #expect(run.counts == counts, "\(what)\n\(run.changes)")
                #expect(run.addsUp && !run.report.isRefused && run.report.changeCount == twin.updated, "\(what)")
                let changesNothing = twin.created == 0 && twin.updated == 0
                #expect((run.report.run == nil) == changesNothing, "\(what)")
                #expect(try Self.lines(bench) == twin.lines, "\(what)")
            }
            #expect(try bench.faults() == [], "seed \(seed)")
        }
    }

    /// The twin itself: circles and chains by hand.
    @Test func `The twin says what is right`() {
        var twin = ImportTwin()
        let row = { (code: String?, size: String, next: String?) in
            ImportTwin.Row(code: code, size: size, next: next, friends: [])
        }
        twin.load(
            [row("a", "1", "b"), row("b", "1", "c"), row("c", "x", nil), row("d", "1", "e"), row("e", "", "d")],
            updates: false)
        #expect(twin.rejected == [0, 1, 2] && twin.created == 2)
        twin.load([row("d", "2", "e"), row("e", "", "zz"), row("d", "3", nil), row(nil, "1", nil)], updates: true)
        #expect(twin.rejected == [1, 2, 3] && twin.updated == 1)
        #expect(twin.lines == ["d,2,e,", "e,,d,"])
        twin.load([row("d", "2", nil), row(nil, "1", "d"), row("f", "", "f")], updates: false)
        #expect(twin.rejected == [0] && twin.created == 2)
    }
}

@Suite struct ImportTwinLongTests {
    @Test(arguments: EngineBench.Kind.allCases)
    func `Further imports with faults come to what the twin says`(_ kind: EngineBench.Kind) throws {
        try ImportTwinTests().compare(kind, seeds: 8..<80)
    }
}
