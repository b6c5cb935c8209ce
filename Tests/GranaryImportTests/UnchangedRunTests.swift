import Foundation
import GranaryBase
import GranaryContexts
import GranaryCoordination
import GranaryCoreDataStore
import GranaryInspection
import GranaryModel
import Testing
@testable import GranaryImport
@testable import SeedingTestSupport

/// Imports of what the store has already.
@Suite struct UnchangedRunTests {
    private static let model = ManagedObjectModel(entities: [
        EntityDescription(
            "Item",
            [
                .attribute("code", .string), .attribute("name", .string),
                .attribute("size", .integer32, .defaultValue(7)), .attribute("tag", .string),
            ], unique: [["code"], ["tag"]])
    ])

    private static let all = "code,name,size,tag\na,Ann,1,x\nb,Bob,2,y\n"

    private static func seeded(_ kind: EngineBench.Kind) throws -> EngineBench {
        let bench = try EngineBench(model, kind)
        try bench.load(csv: all, "Item")
        return bench
    }

    @Test(arguments: [ImportOptions.ConflictPolicy.update, .skip, .replace], EngineBench.Kind.allCases)
    func `A run that changes nothing writes nothing`(
        _ policy: ImportOptions.ConflictPolicy, _ kind: EngineBench.Kind
    ) throws {
        let bench = try Self.seeded(kind)
        defer { bench.keep() }
        let before = (try bench.bytes(), try bench.document())
        let run = try bench.load(csv: Self.all, "Item") { $0.onConflict = policy }
        #expect(run.counts == (policy == .skip ? RecordCounts(skipped: 2) : RecordCounts(unchanged: 2)))
        #expect(run.report.run == nil && run.changes == [] && run.report.changeCount == 0)
        #expect(try bench.bytes() == before.0)
        #expect(try bench.document() == before.1)
        #expect(try bench.version("Item", 1) == 1)
        let changed = try bench.load(csv: "code,name\na,Zed\n", "Item", EngineBench.update)
        #expect(changed.report.run == (kind == .sqlite ? "run-2" : "run-1"))
    }

    @Test(arguments: EngineBench.Kind.allCases)
    func `Values of every type are known again`(_ kind: EngineBench.Kind) throws {
        let bench = try EngineBench(ExportSamples.everyType, kind)
        defer { bench.keep() }
        let text = """
            name,small,middle,large,price,exact,rough,flag,day,data,code,link
            n,1,-2,9007199254740993,1.50,0.1,0.1,true,2001-01-01T00:00:01Z,AAEC,6F9619FF-8B86-D011-B42D-00C04FC964FF,\
            https://example.org/a
            "",,,,,-0.0,1e10,no,2001-01-01T00:00:01.5Z,,,

            """
        let change: (inout ImportOptions) -> Void = {
            $0.onConflict = .update
            $0.key = ["name"]
        }
        let first = try bench.load(csv: text, "Thing", change)
        #expect(first.counts == RecordCounts(created: 2), "\(first.messages)")
        let before = try bench.bytes()
        let again = try bench.load(csv: text, "Thing", change)
        #expect(again.counts == RecordCounts(unchanged: 2), "\(again.changes)")
        #expect(try bench.bytes() == before)
    }

    /// More digits than a double has; only a store in memory keeps them.
    @Test func `Decimals of many digits are known again`() throws {
        let model = ManagedObjectModel(entities: [
            EntityDescription("Item", [.attribute("code", .string), .attribute("price", .decimal)], unique: [["code"]])
        ])
        let bench = try EngineBench(model, .memory)
        let text = "code,price\na,0.12345678901234567890123\n"
        try bench.load(csv: text, "Item")
        let again = try bench.load(csv: text, "Item", EngineBench.update)
        #expect(again.counts == RecordCounts(unchanged: 1), "\(again.changes)")
    }
}
