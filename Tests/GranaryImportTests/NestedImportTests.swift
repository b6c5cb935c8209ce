import Foundation
import GranaryBase
import GranaryContexts
import GranaryCoordination
import GranaryCoreDataStore
import GranaryImport
import GranaryInspection
import GranaryModel
import Testing
@testable import GranaryExport
@testable import SeedingTestSupport

/// Objects that stand inside records.
@Suite struct NestedImportTests {
    private static let model = ManagedObjectModel(entities: [
        EntityDescription(
            "Order",
            [
                .attribute("number", .integer16), .toOne("customer", "Customer", inverse: "orders"),
                .toMany("lines", "Line", inverse: "order", .ordered), .toMany("tags", "Tag", inverse: "orders"),
                .toOne("slip", "Slip", inverse: "order"),
            ], unique: [["number"]]),
        EntityDescription(
            "Customer",
            [
                .attribute("name", .string), .attribute("city", .string, .length(0...5)),
                .toMany("orders", "Order", inverse: "customer"),
            ], unique: [["name"]]),
        EntityDescription(
            "Line",
            [
                .attribute("count", .integer16), .toOne("order", "Order", inverse: "lines", .required),
                .toOne("product", "Product", inverse: nil),
            ]),
        EntityDescription(
            "Product", [.attribute("sku", .string), .attribute("title", .string, .defaultValue("?"))], unique: [["sku"]]
        ),
        EntityDescription(
            "Tag", [.attribute("word", .string), .toMany("orders", "Order", inverse: "tags")], unique: [["word"]]),
        EntityDescription(
            "Slip", [.attribute("text", .string), .toOne("order", "Order", inverse: "slip", .required)]),
    ])

    private static func references(_ bench: EngineBench, _ entity: String, _ columns: String...) throws -> String {
        var options = ExportOptions()
        options.entities = [entity]
        options.columns = columns
        options.reference = .id
        return try ExportSamples.csv(bench.store, options)
    }

    @Test(arguments: EngineBench.Kind.allCases)
    func `Objects in objects become rows that are linked`(_ kind: EngineBench.Kind) throws {
        let bench = try EngineBench(Self.model, kind)
        defer { bench.keep() }
        let text = """
            [{"number":1,"customer":{"name":"Ann","city":"Rome"},
              "lines":[{"count":2,"product":{"sku":"x","title":"X"}},{"count":3},{"count":4,"product":{"sku":"y","title":"Y"}}],
              "slip":{"text":"s"}},
             {"number":2,"customer":{"name":"Bob","city":null},"lines":[],"slip":null}]
            """
        let tried = try bench.load(json: text, "Order", run: TestImport.dryRun)
        let run = try bench.load(json: text, "Order")
        #expect(run.problems == [], "\(run.messages)")
        #expect(run.counts == RecordCounts(created: 2))
        #expect(run.report.nested == 8 && run.report.madeByLookup == 0)
        #expect(tried.counts == run.counts && tried.report.nested == 8)
        #expect(
            try Self.references(bench, "Order", "number", "customer", "lines", "slip")
                == "number,customer,lines,slip\n1,Customer/p1,Line/p1;Line/p2;Line/p3,Slip/p1\n2,Customer/p2,,\n")
        #expect(
            try Self.references(bench, "Line", "count", "order", "product")
                == "count,order,product\n2,Order/p1,Product/p1\n3,Order/p1,\n4,Order/p1,Product/p2\n")
        #expect(try Self.references(bench, "Slip", "text", "order") == "text,order\ns,Order/p1\n")
        #expect(try bench.table("Product", "sku", "title") == "sku,title\nx,X\ny,Y\n")
        #expect(try bench.faults() == [])
    }

    @Test(arguments: EngineBench.Kind.allCases)
    func `An object with its key alone names one, and is made where there is none`(_ kind: EngineBench.Kind) throws {
        let bench = try EngineBench(Self.model, kind)
        defer { bench.keep() }
        try bench.load(csv: "word\nold\n", "Tag")
        let text = """
            [{"number":1,"customer":{"name":"Ann"},"tags":[{"word":"old"},{"word":"new"}]},
             {"number":2,"customer":{"name":"Ann"},"tags":[{"word":"new"}],"lines":[{"count":1,"product":{"sku":"x"}}]}]
            """
        let run = try bench.load(json: text, "Order")
        #expect(run.problems == [], "\(run.messages)")
        #expect(run.counts == RecordCounts(created: 2))
        #expect(run.report.nested == 1 && run.report.madeByLookup == 3)
        #expect(
            try bench.table("Order", "number", "customer", "tags") == "number,customer,tags\n1,Ann,old;new\n2,Ann,new\n"
        )
        #expect(try bench.table("Product", "sku", "title") == "sku,title\nx,?\n")
        #expect(try bench.table("Line", "product") == "product\nx\n")
    }

    @Test(arguments: EngineBench.Kind.allCases)
    func `What is named may come later, or be there before`(_ kind: EngineBench.Kind) throws {
        let bench = try EngineBench(Self.model, kind)
        defer { bench.keep() }
        try bench.load(csv: "name,city\nAnn,Rome\n", "Customer")
        let text = """
            {"entities":{"Order":[{"number":1,"customer":{"name":"Ann"}},{"number":2,"customer":{"name":"Bob"}}],
            "Customer":[{"name":"Bob","city":"Oslo"}]}}
            """
        let run = try bench.load(json: text, nil)
        #expect(run.problems == [], "\(run.messages)")
        #expect(run.counts == RecordCounts(created: 3) && run.report.nested == 0 && run.report.madeByLookup == 0)
        #expect(try bench.table("Order", "number", "customer") == "number,customer\n1,Ann\n2,Bob\n")
        #expect(try bench.table("Customer", "name", "city") == "name,city\nAnn,Rome\nBob,Oslo\n")
    }

    /// The rows of other nested objects lie between the record's own row and the name.
    @Test(arguments: EngineBench.Kind.allCases)
    func `A name behind other objects is the record's`(_ kind: EngineBench.Kind) throws {
        let bench = try EngineBench(Self.model, kind)
        defer { bench.keep() }
        try bench.load(csv: "name,city\nAnn,Rome\n", "Customer")
        let run = try bench.load(json: #"[{"number":1,"lines":[{"count":5}],"customer":{"name":"Ann"}}]"#, "Order")
        #expect(run.problems == [], "\(run.messages)")
        #expect(try bench.table("Order", "number", "customer") == "number,customer\n1,Ann\n")
        #expect(try Self.references(bench, "Line", "count", "order", "product") == "count,order,product\n5,Order/p1,\n")
        #expect(try bench.faults() == [])
    }

    // MARK: What is wrong

    @Test(arguments: EngineBench.Kind.allCases)
    func `An object that stands in two records with other values is a duplicate`(_ kind: EngineBench.Kind) throws {
        let bench = try EngineBench(Self.model, kind)
        defer { bench.keep() }
        let text = """
            [{"number":1,"customer":{"name":"Ann","city":"Rome"}},
            {"number":2,"customer":{"name":"Ann","city":"Oslo"}}]
            """
        let run = try bench.load(json: text, "Order", run: TestImport.keepGood)
        #expect(run.lines == ["2 unique.duplicate name"])
        #expect(
            run.messages == [
                "an object with the same name and other values is nested in the record at in.json:1: city is \"Rome\" "
                    + "there and \"Oslo\" here"
            ])
        #expect(run.report.diagnostics.first?.related.map(\.line) == [1])
        #expect(run.counts == RecordCounts(created: 1, rejected: 1) && run.report.nested == 1)
        #expect(try bench.table("Order", "number", "customer") == "number,customer\n1,Ann\n")
        let stored = try bench.load(json: #"[{"number":3,"customer":{"name":"Ann","city":"Oslo"}}]"#, "Order")
        #expect(stored.lines == ["1 unique.exists name"])
    }

    @Test("Values that are ignored do not make objects different", arguments: ["Customer.city", "city"])
    func ignoredValues(_ column: String) throws {
        let bench = try EngineBench(Self.model, .memory)
        let text = """
            [{"number":1,"customer":{"name":"Ann","city":"Rome"}}, {"number":2,"customer":{"name":"Ann","city":"Oslo"}}]
            """
        let run = try bench.load(json: text, "Order") { $0.ignoredColumns = [column] }
        #expect(run.problems == [], "\(run.messages)")
        #expect(run.counts == RecordCounts(created: 2) && run.report.nested == 1)
    }

    struct Bad: Sendable {
        /// The bad record, and where in it the problem stands.
        let record: String
        let place: String
        let problem: String
    }

    private static let bad = [
        Bad(
            record: #"{"number":2,"customer":{"name":"Bo","city":"Palermo"}}"#, place: #""Palermo""#,
            problem: "value.tooLong city"),
        Bad(
            record: #"{"number":2,"lines":[{"count":1},{"count":"x"}]}"#, place: #""x""#, problem: "value.syntax count"),
        Bad(
            record: #"{"number":2,"lines":[{"count":1,"product":{"sku":"s","titel":"t"}}]}"#, place: #""t""#,
            problem: "header.unknown -"),
        Bad(
            record: #"{"number":"x","customer":{"name":"Bo","city":"B"}}"#, place: #""x""#,
            problem: "value.syntax number"),
        Bad(
            record: #"{"number":2,"customer":[{"name":"Bo","city":"B"}]}"#, place: #"{"name""#,
            problem: "value.syntax customer"),
        Bad(
            record: #"{"number":2,"lines":[{"count":1,"product":"none"}]}"#, place: #""none""#,
            problem: "relationship.notFound product"),
        Bad(record: #"{"number":{"name":"Bo"}}"#, place: #"{"name""#, problem: "value.syntax number"),
    ]

    @Test(arguments: bad.indices, EngineBench.Kind.allCases)
    func `A record goes with what is wrong inside it`(_ index: Int, _ kind: EngineBench.Kind) throws {
        let test = Self.bad[index]
        let bench = try EngineBench(Self.model, kind)
        defer { bench.keep() }
        let good = #"{"number":1,"customer":{"name":"Ann","city":"Rome"},"lines":[{"count":9}]}"#
        let run = try bench.load(json: "[\(good),\n\(test.record)]", "Order", run: TestImport.keepGood)
        let column = EngineBench.column(of: test.place, in: test.record)
        #expect(run.problems == ["2:\(column) \(test.problem)"], "\(run.messages)")
        #expect(run.counts == RecordCounts(created: 1, rejected: 1) && run.report.nested == 2)
        #expect(try bench.table("Customer", "name") == "name\nAnn\n")
        #expect(try bench.table("Line", "count") == "count\n9\n")
        #expect(try bench.count("Product") == 0)
        #expect(try bench.faults() == [])
    }

    @Test func `A required inverse is the object around`() throws {
        let alone = try TestImport.json(#"[{"count":1}]"#, "Line", Self.model)
        #expect(alone.problems == ["1:2 value.missing order"])
        let inside = try TestImport.json(#"[{"number":1,"slip":{"text":"s"}}]"#, "Order", Self.model)
        #expect(inside.counts == RecordCounts(created: 1) && inside.report.nested == 1)
    }

    @Test(arguments: EngineBench.Kind.allCases)
    func `A record that refers to a nested object of a rejected record is rejected`(_ kind: EngineBench.Kind) throws {
        let bench = try EngineBench(Self.model, kind)
        defer { bench.keep() }
        let text = """
            {"entities":{"Order":[
            {"number":1,"customer":{"name":"Ann","city":"Rome"},"lines":[{"count":1,"product":"none"}]},
            {"number":2,"customer":"Ann"},
            {"number":3,"customer":{"name":"Bob","city":"Oslo"}}]}}
            """
        let run = try bench.load(json: text, nil, run: TestImport.keepGood)
        #expect(run.lines == ["2 relationship.notFound product", "3 relationship.notFound customer"])
        #expect(run.counts == RecordCounts(created: 1, rejected: 2) && run.report.nested == 1)
        #expect(try bench.table("Customer", "name") == "name\nBob\n")
        #expect(try bench.count("Line") == 0)
        #expect(try bench.faults() == [])
    }

    // MARK: Objects that are there already

    @Test(arguments: EngineBench.Kind.allCases)
    func `Nested objects are updated as records are, and counted apart`(_ kind: EngineBench.Kind) throws {
        let bench = try EngineBench(Self.model, kind)
        defer { bench.keep() }
        try bench.load(csv: "name,city\nAnn,Rome\n", "Customer")
        try bench.load(csv: "number,customer\n1,Ann\n", "Order")
        let text =
            #"[{"number":1,"customer":{"name":"Ann","city":"Oslo"}},{"number":2,"customer":{"name":"Bob","city":"B"}}]"#
        let run = try bench.load(json: text, "Order", EngineBench.update)
        #expect(run.problems == [], "\(run.messages)")
        #expect(run.counts == RecordCounts(created: 1, unchanged: 1) && run.report.nested == 2)
        #expect(run.changes == ["update Customer/p1 1 city"])
        #expect(try bench.table("Customer", "name", "city") == "name,city\nAnn,Oslo\nBob,B\n")
        #expect(try bench.table("Order", "number", "customer") == "number,customer\n1,Ann\n2,Bob\n")
        // Once more it is as it is.
        let before = (try bench.bytes(), try bench.document())
        let again = try bench.load(json: text, "Order", EngineBench.update)
        #expect(again.counts == RecordCounts(unchanged: 2) && again.report.run == nil && again.changes == [])
        #expect(try bench.bytes() == before.0)
        #expect(try bench.document() == before.1)
    }

    @Test(arguments: EngineBench.Kind.allCases)
    func `A record that is skipped takes its objects along`(_ kind: EngineBench.Kind) throws {
        let bench = try EngineBench(Self.model, kind)
        defer { bench.keep() }
        try bench.load(csv: "number\n1\n", "Order")
        let text =
            #"[{"number":1,"customer":{"name":"Ann","city":"Oslo"}},{"number":2,"customer":{"name":"Bob","city":"B"}}]"#
        let run = try bench.load(json: text, "Order") { $0.onConflict = .skip }
        #expect(run.counts == RecordCounts(created: 1, skipped: 1) && run.report.nested == 1)
        #expect(try bench.table("Customer", "name") == "name\nBob\n")
    }

    @Test(arguments: EngineBench.Kind.allCases)
    func `A rejected record changes no nested object either`(_ kind: EngineBench.Kind) throws {
        let bench = try EngineBench(Self.model, kind)
        defer { bench.keep() }
        try bench.load(csv: "name,city\nAnn,Rome\n", "Customer")
        try bench.load(csv: "number,customer\n1,Ann\n", "Order")
        let before = try bench.document()
        let text = #"[{"number":1,"customer":{"name":"Ann","city":"Oslo"},"tags":["none"]}]"#
        let run = try bench.load(json: text, "Order", run: TestImport.keepGood, EngineBench.update)
        #expect(run.lines == ["1 relationship.notFound tags"])
        #expect(run.counts == RecordCounts(rejected: 1) && run.report.nested == 0)
        #expect(run.changes == [])
        #expect(try bench.document() == before)
    }
}
