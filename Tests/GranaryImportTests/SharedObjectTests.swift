import GranaryBase
import GranaryContexts
import GranaryCoordination
import GranaryCoreDataStore
import GranaryInspection
import GranaryModel
import Testing
@testable import GranaryImport
@testable import SeedingTestSupport

/// Objects that several records of one run speak of, and records whose only change lies inside them.
@Suite struct SharedObjectTests {
    private static let model = ManagedObjectModel(entities: [
        EntityDescription(
            "List",
            [
                .attribute("code", .string, .required), .attribute("size", .integer16),
                .toMany("items", "Item", inverse: "list"),
            ], unique: [["code"]]),
        EntityDescription(
            "Item",
            [
                .attribute("code", .string, .required), .attribute("name", .string), .attribute("size", .integer16),
                .toOne("list", "List", inverse: "items"), .toOne("next", "Item", inverse: "before"),
                .toMany("before", "Item", inverse: "next"),
            ], unique: [["code"]]),
    ])

    private func job(_ text: String, _ name: String) -> ImportJob {
        EngineBench.job(csv: text, "Item", name: name, EngineBench.update)
    }

    @Test(arguments: EngineBench.Kind.allCases)
    func `A change in nested objects only is kept`(_ kind: EngineBench.Kind) throws {
        let bench = try EngineBench(Self.model, kind)
        defer { bench.keep() }
        func text(_ size: Int) -> String { #"[{"code":"l","size":1,"items":[{"code":"i","size":\#(size)}]}]"# }
        try bench.load(json: text(1), "List", EngineBench.update)
        let run = try bench.load(json: text(99), "List", EngineBench.update)
        #expect(run.changes == ["update Item/p1 1 size"])
        #expect(try bench.table("Item", "code", "size") == "code,size\ni,99\n")
    }

    @Test(arguments: EngineBench.Kind.allCases)
    func `What a good record repeats of a rejected one is said by the good one`(_ kind: EngineBench.Kind) throws {
        let bench = try EngineBench(Self.model, kind)
        defer { bench.keep() }
        try bench.load(csv: "code,name\na,old\n", "Item")
        let run = try bench.load(
            [job("code,name,next\na,new,missing\n", "bad.csv"), job("code,name\na,new\n", "good.csv")],
            run: TestImport.keepGood)
        #expect(run.jobCounts == [RecordCounts(rejected: 1), RecordCounts(updated: 1)])
        #expect(try bench.table("Item", "code", "name") == "code,name\na,new\n")
    }

    @Test(arguments: EngineBench.Kind.allCases)
    func `Rejected records are taken back in any order`(_ kind: EngineBench.Kind) throws {
        let bench = try EngineBench(Self.model, kind)
        defer { bench.keep() }
        try bench.load(csv: "code,name,size\na,old,1\n", "Item")
        let run = try bench.load(
            [
                job("code,size,next\na,2,b\n", "1.csv"), job("code,name,next\na,new,missing\n", "2.csv"),
                job("code,next\nb,missing\n", "3.csv"),
            ], run: TestImport.keepGood)
        #expect(run.jobCounts == [RecordCounts(rejected: 1), RecordCounts(rejected: 1), RecordCounts(rejected: 1)])
        #expect(try bench.table("Item", "code", "name", "size") == "code,name,size\na,old,1\n")
        #expect(try bench.version("Item", 1) == 1)
    }

    @Test(arguments: EngineBench.Kind.allCases)
    func `The last record says where a to-one leads`(_ kind: EngineBench.Kind) throws {
        for last in ["a,b", "a,"] {
            let bench = try EngineBench(Self.model, kind)
            defer { bench.keep() }
            try bench.load(csv: "code,next\nb,\na,b\n", "Item")
            let jobs = [
                job("code,next\na,z\n", "1.csv"), job("code,next\n\(last)\n", "2.csv"), job("code\nz\n", "3.csv"),
            ]
            _ = try bench.load(jobs)
            #expect(try bench.table("Item", "code", "next") == "code,next\nb,\na,\(last.dropFirst(2))\nz,\n")
        }
    }

    @Test(arguments: EngineBench.Kind.allCases)
    func `A list does not let go of who says that it belongs there`(_ kind: EngineBench.Kind) throws {
        let bench = try EngineBench(Self.model, kind)
        defer { bench.keep() }
        try bench.load(csv: "code\nl\n", "List")
        try bench.load(csv: "code,list\ni,l\nj,l\n", "Item")
        let run = try bench.load([
            EngineBench.job(csv: "code,items\nl,i\n", "List", name: "lists.csv", EngineBench.update),
            job("code,list\nj,l\n", "items.csv"),
        ])
        #expect(run.report.isRefused)
        #expect(run.report.diagnostics.map(\.code) == [.relationshipTaken])
        #expect(run.report.diagnostics.first?.related.map(\.file) == ["items.csv"])
    }

    @Test(arguments: EngineBench.Kind.allCases)
    func `Pruning does not delete what records speak of`(_ kind: EngineBench.Kind) throws {
        let model = ManagedObjectModel(entities: [
            EntityDescription(
                "Node",
                [
                    .attribute("code", .string, .required), .toOne("parent", "Node", inverse: "kids"),
                    .toMany("kids", "Node", inverse: "parent", .deleteRule(.cascade)),
                ], unique: [["code"]])
        ])
        let bench = try EngineBench(model, kind)
        defer { bench.keep() }
        try bench.load(csv: "code,parent\na,\nb,a\nc,b\n", "Node")
        let run = try bench.load(csv: "code,parent\nc,b\n", "Node") {
            $0.onConflict = .update
            $0.prunes = true
        }
        #expect(run.report.isRefused)
        #expect(Set(run.report.diagnostics.map(\.code)) == [.relationshipDenied])
        #expect(try bench.table("Node", "code", "parent") == "code,parent\na,\nb,a\nc,b\n")
    }

    @Test(arguments: EngineBench.Kind.allCases)
    func `What a rejected record says last does not count`(_ kind: EngineBench.Kind) throws {
        let bench = try EngineBench(Self.model, kind)
        defer { bench.keep() }
        let run = try bench.load(
            [
                job("code,next\na,z\n", "1.csv"), job("code,next,list\na,,missing\n", "2.csv"),
                job("code\nz\n", "3.csv"),
            ], run: TestImport.keepGood)
        #expect(run.jobCounts == [RecordCounts(created: 1), RecordCounts(rejected: 1), RecordCounts(created: 1)])
        #expect(try bench.table("Item", "code", "next") == "code,next\na,z\nz,\n")
    }

    /// The link was taken out as the record was read, and comes back when it is rejected.
    @Test(arguments: EngineBench.Kind.allCases)
    func `What a rejected record lets go of stays with its holder`(_ kind: EngineBench.Kind) throws {
        let bench = try EngineBench(Self.model, kind)
        defer { bench.keep() }
        try bench.load(csv: "code\nl\nm\n", "List")
        try bench.load(csv: "code,list\ni,l\n", "Item")
        let run = try bench.load(
            [
                job("code,list,next\ni,,missing\n", "items.csv"),
                EngineBench.job(csv: "code,items\nm,i\n", "List", name: "lists.csv", EngineBench.update),
            ], run: TestImport.keepGood)
        #expect(run.report.rejected == 2)
        #expect(run.report.diagnostics.map(\.code) == [.relationshipNotFound, .relationshipTaken])
        #expect(try bench.table("Item", "code", "list") == "code,list\ni,l\n")
        #expect(try bench.faults() == [])
    }

    /// Each list is a record's own word; the one set last would take away a link that the other asks for.
    @Test(arguments: ["b", ""], EngineBench.Kind.allCases)
    func `Lists of a many-to-many have to agree`(_ back: String, _ kind: EngineBench.Kind) throws {
        let model = ManagedObjectModel(entities: [
            EntityDescription(
                "Left", [.attribute("code", .string, .required), .toMany("rights", "Right", inverse: "lefts")],
                unique: [["code"]]),
            EntityDescription(
                "Right", [.attribute("code", .string, .required), .toMany("lefts", "Left", inverse: "rights")],
                unique: [["code"]]),
        ])
        let bench = try EngineBench(model, kind)
        defer { bench.keep() }
        let run = try bench.load([
            EngineBench.job(csv: "code,rights\na,x\nb,\n", "Left", name: "left.csv"),
            EngineBench.job(csv: "code,lefts\nx,\(back)\n", "Right", name: "right.csv"),
        ])
        #expect(run.report.isRefused)
        #expect(Set(run.report.diagnostics.map(\.code)) == [.relationshipTaken])
        #expect(run.report.diagnostics.first?.related.map(\.file) == ["right.csv"])
    }
}
