import GranaryBase
import GranaryContexts
import GranaryCoordination
import GranaryCoreDataStore
import GranaryFormats
import GranaryInspection
import GranaryModel
import Testing
@testable import GranaryImport
@testable import SeedingTestSupport

/// The number of references that `--on-missing null` leaves out.
@Suite struct OmittedReferencesTests {
    private static let model = ManagedObjectModel(entities: [
        EntityDescription(
            "A",
            [
                .attribute("n", .string), .attribute("size", .integer16), .toOne("b", "B", inverse: nil),
                .toMany("bs", "B", inverse: "owners"), .toOne("up", "A", inverse: nil),
            ], unique: [["n"]]),
        EntityDescription("B", [.attribute("k", .string), .toMany("owners", "A", inverse: "bs")], unique: [["k"]]),
        EntityDescription("C", [.toOne("b", "B", inverse: nil, .required)]),
    ])

    private static func omitted(_ run: TestImport) -> [String] {
        run.report.omittedReferences.map { "\($0.entity).\($0.property) \($0.count)" }
    }

    private static let null: @Sendable (inout ImportOptions) -> Void = { $0.onMissing = .null }

    @Test(arguments: EngineBench.Kind.allCases)
    func `References that are left out are counted for each relationship`(_ kind: EngineBench.Kind) throws {
        let bench = try EngineBench(Self.model, kind)
        defer { bench.keep() }
        try bench.load(csv: "k\nred\n", "B")
        let text = "n,b,bs,up\nx,zzz,red;q;r,y\ny,yyy,,\nz,red,q,none\n"
        let tried = try bench.load(csv: text, "A", run: TestImport.dryRun, Self.null)
        let run = try bench.load(csv: text, "A", Self.null)
        #expect(Self.omitted(run) == ["A.b 2", "A.bs 3", "A.up 1"])
        #expect(Self.omitted(tried) == Self.omitted(run))
        #expect(run.counts == RecordCounts(created: 3) && run.problems == [])
    }

    @Test(arguments: EngineBench.Kind.allCases)
    func `A reference to a rejected record is left out, and those of rejected records do not count`(
        _ kind: EngineBench.Kind
    ) throws {
        let bench = try EngineBench(Self.model, kind)
        defer { bench.keep() }
        let text = "n,size,b,up\nx,1,zzz,bad\nbad,zz,yyy,\ny,1,,x\n"
        let run = try bench.load(csv: text, "A", run: TestImport.keepGood, Self.null)
        #expect(Self.omitted(run) == ["A.b 1", "A.up 1"])
        #expect(run.counts == RecordCounts(created: 2, rejected: 1))
        let refused = try bench.load(csv: "n,size,b\nv,1,zzz\nw,zz,\n", "A", Self.null)
        #expect(refused.report.isRefused && Self.omitted(refused) == [])
    }

    @Test func `Imports of a plan and links have their own counts, and the whole their sum`() throws {
        let bench = try EngineBench(Self.model, .memory)
        let run = try bench.load([
            EngineBench.job(csv: "n,b\nx,zzz\n", "A", name: "1.csv", Self.null),
            EngineBench.job(csv: "n,b\ny,zzz\n", "A", name: "2.csv", Self.null),
            EngineBench.job(csv: "n,bs\nx,zzz\n", "A", name: "3.csv") {
                $0.onMissing = .null
                $0.linkRelationship = "bs"
            },
        ])
        #expect(Self.omitted(run) == ["A.b 2", "A.bs 1"])
        #expect(run.report.imports.map { $0.omittedReferences.map(\.count) } == [[1], [1], [1]])
    }

    @Test func `Without a missing object nothing is counted`() throws {
        let bench = try EngineBench(Self.model, .memory)
        let made = try bench.load(csv: "n,b,bs\nx,red,blue;red\ny,,\n", "A") { $0.onMissing = .create }
        #expect(made.report.madeByLookup == 2 && Self.omitted(made) == [])
        let required = try bench.load(csv: "b\nzzz\n", "C", Self.null)
        #expect(required.problems == ["2:1 relationship.notFound b"] && Self.omitted(required) == [])
    }
}
