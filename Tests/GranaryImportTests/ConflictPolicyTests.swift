import GranaryBase
import GranaryContexts
import GranaryCoordination
import GranaryCoreDataStore
import GranaryInspection
import GranaryModel
import Testing
@testable import GranaryImport
@testable import SeedingTestSupport

/// Rows whose objects the store has already.
@Suite struct ConflictPolicyTests {
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

    struct Policy: Sendable {
        let policy: ImportOptions.ConflictPolicy
        let counts: RecordCounts
        let rows: String
        var changes: [String] = []
        var problems: [String] = []
    }

    @Test(
        arguments: [
            Policy(
                policy: .error, counts: RecordCounts(skipped: 1, rejected: 2), rows: "a,Ann,1,x\nb,Bob,2,y\n",
                problems: ["2:1 unique.exists code", "3:1 unique.exists code"]),
            Policy(
                policy: .update, counts: RecordCounts(created: 1, updated: 1, unchanged: 1),
                rows: "a,Zed,1,x\nb,Bob,2,y\nc,Cy,7,\n",
                changes: ["update Item/p1 2 name"]),
            Policy(
                policy: .skip, counts: RecordCounts(created: 1, skipped: 2), rows: "a,Ann,1,x\nb,Bob,2,y\nc,Cy,7,\n"),
            Policy(
                policy: .replace, counts: RecordCounts(created: 1, updated: 2), rows: "a,Zed,7,\nb,Bob,7,\nc,Cy,7,\n",
                changes: ["replace Item/p1 2 name,size,tag", "replace Item/p2 3 size,tag"]),
        ], EngineBench.Kind.allCases)
    func `What becomes of rows whose objects are there`(_ test: Policy, _ kind: EngineBench.Kind) throws {
        let text = "code,name\na,Zed\nb,Bob\nc,Cy\n"
        let bench = try Self.seeded(kind)
        defer { bench.keep() }
        let before = try bench.document()
        let tried = try bench.load(csv: text, "Item", run: TestImport.dryRun) { $0.onConflict = test.policy }
        #expect(try bench.document() == before)
        let run = try bench.load(csv: text, "Item") { $0.onConflict = test.policy }
        #expect(run.problems == test.problems)
        #expect(run.counts == test.counts)
        #expect(run.changes == test.changes)
        #expect(run.report.changeCount == test.changes.count)
        #expect(run.report.replaced == (test.policy == .replace ? 2 : 0))
        #expect(try bench.table("Item", "code", "name", "size", "tag") == "code,name,size,tag\n" + test.rows)
        #expect(tried.counts == run.counts && tried.changes == run.changes && tried.problems == run.problems)
    }

    @Test(arguments: EngineBench.Kind.allCases)
    func `NULL is set, and what has no column stays`(_ kind: EngineBench.Kind) throws {
        let bench = try Self.seeded(kind)
        defer { bench.keep() }
        let run = try bench.load(csv: "code,size,name\na,,Ann\n", "Item", EngineBench.update)
        #expect(run.changes == ["update Item/p1 2 size"])
        #expect(try bench.table("Item", "code", "name", "size", "tag") == "code,name,size,tag\na,Ann,,x\nb,Bob,2,y\n")
        #expect(try bench.version("Item", 1) == 2)
        #expect(try bench.version("Item", 2) == 1)
    }

    // MARK: Keys

    @Test(arguments: EngineBench.Kind.allCases)
    func `Any attributes can be the key`(_ kind: EngineBench.Kind) throws {
        let bench = try Self.seeded(kind)
        defer { bench.keep() }
        let byTag = try bench.load(csv: "tag,code\nx,c\nz,d\n", "Item") {
            $0.onConflict = .update
            $0.key = ["tag"]
        }
        #expect(byTag.counts == RecordCounts(created: 1, updated: 1))
        #expect(byTag.changes == ["update Item/p1 2 code"])
        let byBoth = try bench.load(csv: "name,size,code\nAnn,1,e\nAnn,2,f\n", "Item") {
            $0.onConflict = .update
            $0.key = ["name", "size"]
        }
        #expect(byBoth.counts == RecordCounts(created: 1, updated: 1))
        #expect(try bench.table("Item", "code", "name", "size") == "code,name,size\ne,Ann,1\nb,Bob,2\nd,,7\nf,Ann,2\n")
    }

    @Test(arguments: EngineBench.Kind.allCases)
    func `A constraint of several attributes is a key`(_ kind: EngineBench.Kind) throws {
        let model = ManagedObjectModel(entities: [
            EntityDescription(
                "Person", [.attribute("first", .string), .attribute("last", .string), .attribute("age", .integer16)],
                unique: [["first", "last"]])
        ])
        let bench = try EngineBench(model, kind)
        defer { bench.keep() }
        try bench.load(csv: "first,last,age\na,b,1\na,c,2\n", "Person")
        let run = try bench.load(csv: "last,first,age\nb,a,1\nc,a,3\nd,a,4\n", "Person", EngineBench.update)
        #expect(run.counts == RecordCounts(created: 1, updated: 1, unchanged: 1))
        #expect(run.changes == ["update Person/p2 3 age"])
        let duplicates = try bench.load(csv: "first,last,age\na,b,5\n,b,6\na,b,7\n", "Person", EngineBench.update)
        #expect(duplicates.problems == ["3:1 value.missing first", "4:1 unique.duplicate first"])
        #expect(duplicates.messages.last == "in.csv:2 has the same first, last")
        #expect(try bench.table("Person", "first", "last", "age") == "first,last,age\na,b,1\na,c,3\na,d,4\n")
    }

    struct Key: Sendable {
        let text: String
        var key: [String]?
        let problems: [String]
        var message: String?
    }

    @Test(arguments: [
        Key(
            text: "code,name\n,Zed\n", problems: ["2:1 value.missing code"],
            message: "it is part of the natural key and has no value"),
        Key(text: "name,code\nZed,\n", problems: ["2:5 value.missing code"]),
        Key(
            text: "name\nZed\n", problems: ["1:1 header.missing code"],
            message: "there is no column for it, and it is part of the natural key"),
        Key(text: "size,name\nx,Zed\n", key: ["size"], problems: ["2:1 value.syntax size"]),
        Key(
            text: "name,size\nCy,1\nDan,5\nCy,3\n", key: ["name"], problems: ["4:1 unique.duplicate name"],
            message: "in.csv:2 has the same name"),
        Key(
            text: "name,size\nDup,1\n", key: ["name"], problems: ["2:1 unique.exists name"],
            message: "several objects in the store have this name, so the object of the row is ambiguous"),
    ])
    func `A row has to say which object it is`(_ test: Key) throws {
        for policy in [ImportOptions.ConflictPolicy.update, .skip, .replace] {
            let bench = try Self.seeded(.memory)
            try bench.load(csv: "code,name\nd,Dup\ne,Dup\n", "Item")
            let before = try bench.document()
            let run = try bench.load(csv: test.text, "Item") {
                $0.onConflict = policy
                $0.key = test.key
            }
            #expect(run.problems == test.problems)
            if let message = test.message { #expect(run.messages.last == message) }
            #expect(run.addsUp && run.report.isRefused)
            #expect(try bench.document() == before)
        }
    }

    @Test func `Keys that the model does not have are wrong usage`() throws {
        let model = ManagedObjectModel(entities: [EntityDescription("Note", [.attribute("text", .string)])])
        let none = #expect(throws: GranaryError.self) {
            try TestImport.csv("text\na\n", "Note", model) { $0.onConflict = .update }
        }
        #expect(none?.code == .usage)
        #expect(none?.message.contains("need a key") ?? false)
        #expect(none?.help == "--key ATTRIBUTE")
        let wrong = #expect(throws: GranaryError.self) {
            try TestImport.csv("text\na\n", "Note", model) { $0.key = ["txt"] }
        }
        #expect(wrong?.code == .usage)
        #expect(wrong?.message == "the key: Note has no attribute or relationship \"txt\"; did you mean \"text\"?")
        let good = try TestImport.csv("text\na\nb\n", "Note", model) {
            $0.onConflict = .update
            $0.key = ["text"]
        }
        #expect(good.counts == RecordCounts(created: 2))
    }

    @Test(
        arguments: [
            ("code,name\na,Zed\na,Zoe\n", ["3:1 unique.duplicate code"]),
            ("code,name\nc,Zed\nc,Zed\n", ["3:1 unique.duplicate code"]),
            ("code,size\nc,x\nc,1\n", ["2:3 value.syntax size", "3:1 unique.duplicate code"]),
            ("code,size\na,x\na,1\n", ["2:3 value.syntax size", "3:1 unique.duplicate code"]),
        ], [ImportOptions.ConflictPolicy.update, .skip, .replace])
    func `One object has one row`(
        _ test: (String, [String]), _ policy: ImportOptions.ConflictPolicy
    ) throws {
        let bench = try Self.seeded(.memory)
        let run = try bench.load(csv: test.0, "Item") { $0.onConflict = policy }
        #expect(run.problems == test.1)
        #expect(run.messages.last == "in.csv:2 has the same code")
        #expect(run.report.diagnostics.last?.related.map(\.line) == [2])
        #expect(run.addsUp && run.report.rejected == test.1.count)
    }

    @Test(arguments: EngineBench.Kind.allCases)
    func `A row does not change what an object is`(_ kind: EngineBench.Kind) throws {
        let model = ManagedObjectModel(entities: [
            EntityDescription("Item", [.attribute("code", .string), .attribute("name", .string)], unique: [["code"]]),
            EntityDescription("Special", [.attribute("extra", .string)], superentity: "Item"),
        ])
        let bench = try EngineBench(model, kind)
        defer { bench.keep() }
        try bench.load(csv: "code,name\ns,Sue\n", "Special")
        try bench.load(csv: "code,name\ni,Ivy\n", "Item")
        let run = try bench.load(csv: "code,name\ni,Ina\ns,Zed\n", "Item", EngineBench.update)
        #expect(run.problems == ["3:1 unique.exists code"])
        #expect(
            run.messages == ["the object with this code is of the entity Special, and a row cannot change its entity"])
        let other = try bench.load(csv: "code,extra\ni,e\n", "Special", EngineBench.update)
        #expect(other.problems == ["2:1 unique.exists code"])
        let right = try bench.load(csv: "code,extra,name\ns,e,Sue\n", "Special", EngineBench.update)
        #expect(right.counts == RecordCounts(updated: 1))
        #expect(right.changes == ["update Special/p1 2 extra"])
    }

    @Test(
        arguments: [
            ("code,tag\na,z\nc,x\n", "a,z\nb,y\nc,x\n"), ("code,tag\na,\nc,x\n", "a,\nb,y\nc,x\n"),
            ("code,tag\nb,z\na,y\nc,x\n", "a,y\nb,z\nc,x\n"),
        ], EngineBench.Kind.allCases)
    func `What a row frees, a later one may have`(
        _ test: (String, String), _ kind: EngineBench.Kind
    ) throws {
        let bench = try Self.seeded(kind)
        defer { bench.keep() }
        let run = try bench.load(csv: test.0, "Item", EngineBench.update)
        #expect(run.problems == [])
        #expect(try bench.table("Item", "code", "tag") == "code,tag\n" + test.1)
        // The store's own index agrees.
        let again = try bench.load(csv: test.0, "Item", EngineBench.update)
        #expect(again.report.unchanged == again.report.read)
    }

    // MARK: Several jobs

    @Test(arguments: EngineBench.Kind.allCases)
    func `Several jobs may speak of one object`(_ kind: EngineBench.Kind) throws {
        let bench = try Self.seeded(kind)
        defer { bench.keep() }
        let run = try bench.load([
            EngineBench.job(csv: "code,name\na,Zed\nc,Cy\n", "Item", name: "1.csv", EngineBench.update),
            EngineBench.job(csv: "code,size\na,5\nc,6\nb,2\n", "Item", name: "2.csv", EngineBench.update),
        ])
        #expect(run.problems == [])
        #expect(run.counts == RecordCounts(created: 1, updated: 3, unchanged: 1))
        #expect(run.jobCounts == [RecordCounts(created: 1, updated: 1), RecordCounts(updated: 2, unchanged: 1)])
        #expect(run.changes.first == "update Item/p1 2 name,size")
        #expect(
            try bench.table("Item", "code", "name", "size", "tag")
                == "code,name,size,tag\na,Zed,5,x\nb,Bob,2,y\nc,Cy,6,\n")
    }

    @Test func `Each job has its own policy`() throws {
        let bench = try Self.seeded(.memory)
        let run = try bench.load([
            EngineBench.job(csv: "code,name\nc,Cy\n", "Item", name: "1.csv"),
            EngineBench.job(csv: "code,name\na,Zed\nc,Zed\n", "Item", name: "2.csv") { $0.onConflict = .skip },
            EngineBench.job(csv: "code,name\nb,Zed\n", "Item", name: "3.csv") { $0.onConflict = .replace },
        ])
        #expect(run.jobCounts == [RecordCounts(created: 1), RecordCounts(skipped: 2), RecordCounts(updated: 1)])
        #expect(
            try bench.table("Item", "code", "name", "size", "tag")
                == "code,name,size,tag\na,Ann,1,x\nb,Zed,7,\nc,Cy,7,\n")
    }
}
