import Foundation
import GranaryBase
import GranaryContexts
import GranaryCoordination
import GranaryCoreDataStore
import GranaryFormats
import GranaryInspection
import GranaryModel
import GranaryPredicates
import GranaryRecords
import TestSupport
import Testing
@testable import GranaryImport
@testable import SeedingTestSupport

/// Options that name an entity: `Order.id`.
@Suite struct EntityOptionsTests {
    private static let model = ManagedObjectModel(entities: [
        EntityDescription(
            "Order",
            [
                .attribute("orderNumber", .integer16), .attribute("status", .string), .attribute("id", .string),
                .toOne("customer", "Customer", inverse: nil), .toOne("address", "Address", inverse: nil),
                .toMany("lines", "Line", inverse: "order"),
            ]),
        EntityDescription(
            "Customer", [.attribute("id", .string), .attribute("code", .string), .attribute("status", .string)],
            unique: [["id"]]),
        EntityDescription("Address", [.attribute("street", .string), .attribute("country", .string)]),
        EntityDescription(
            "Line",
            [.attribute("number", .integer16), .attribute("text", .string), .toOne("order", "Order", inverse: "lines")]),
    ])

    private static func load(
        _ json: String, _ entity: String?, _ change: (inout ImportOptions) -> Void
    ) throws -> (EngineBench, TestImport) {
        let bench = try EngineBench(model, .memory)
        return (bench, try bench.load(json: json, entity, change))
    }

    @Test func `Columns of one entity have properties of their own`() throws {
        let text =
            #"{"entities":{"Customer":[{"id":"c","old":1}],"Order":[{"id":7,"customer":"c","old":"x"}]}}"#
        let (bench, run) = try Self.load(text, nil) {
            $0.columnMap = ["Order.id": "orderNumber", "Order.old": "id"]
            $0.ignoredColumns = ["Customer.old"]
        }
        #expect(run.problems == [], "\(run.messages)")
        #expect(try bench.table("Customer", "id") == "id\nc\n")
        #expect(try bench.table("Order", "orderNumber", "id", "customer.id") == "orderNumber,id,customer.id\n7,x,c\n")
        // Without the entity, the option is for those that have the property.
        let (other, second) = try Self.load(text.replacing(#","old":1"#, with: ""), nil) {
            $0.columnMap = ["id": "orderNumber", "old": "id"]
        }
        #expect(second.problems == [], "\(second.messages)")
        #expect(try other.table("Customer", "id") == "id\nc\n")
    }

    @Test func `Options of an entity are for its subentities`() throws {
        let model = ManagedObjectModel(entities: [
            EntityDescription("Parcel", [.attribute("code", .string), .attribute("note", .string)]),
            EntityDescription("Express", [.attribute("hour", .integer16)], superentity: "Parcel"),
            EntityDescription("Other", [.attribute("id", .string)]),
        ])
        let bench = try EngineBench(model, .memory)
        let text = #"{"entities":{"Parcel":[{"id":"p"}],"Express":[{"id":"e","old":1}],"Other":[{"id":"o"}]}}"#
        let run = try bench.load(json: text, nil) {
            $0.columnMap = ["Parcel.id": "code", "Express.old": "hour"]
            $0.constants = ["Parcel.note": "all", "Express.note": "fast"]
        }
        #expect(run.problems == [], "\(run.messages)")
        let document = try bench.document().replacing(" ", with: "")
        for part in [#""code":"p","note":"all""#, #""code":"e","hour":1,"note":"fast""#, #""id":"o""#] {
            #expect(document.contains(part), "\(document)")
        }
    }

    @Test func `Nested objects have options of their own`() throws {
        let text = #"[{"id":"o","orderNumber":1,"address":{"id":5,"street":"s"},"lines":[{"id":3},{"id":4}]}]"#
        let (bench, run) = try Self.load(text, "Order") {
            $0.ignoredColumns = ["Address.id"]
            $0.columnMap = ["Line.id": "number"]
            $0.constants = ["Address.country": "DE", "Line.text": "t", "status": "new"]
        }
        #expect(run.problems == [], "\(run.messages)")
        #expect(
            try bench.table("Order", "id", "status", "address.street", "address.country")
                == "id,status,address.street,address.country\no,new,s,DE\n")
        #expect(try bench.table("Line", "number", "text") == "number,text\n3,t\n4,t\n")
        // Not ignored in other entities.
        let (_, wrong) = try Self.load(text, "Order") {
            $0.ignoredColumns = ["Address.id"]
        }
        #expect(Set(wrong.messages) == ["Line has no property for the column \"id\""])
    }

    @Test func `Lookups, keys and policies of one entity`() throws {
        let customers = #"{"entities":{"Customer":[{"id":"1","code":"a"},{"id":"2","code":"b"}]}}"#
        let orders =
            #"{"entities":{"Order":[{"orderNumber":1,"customer":"b","status":"x"}],"Customer":[{"id":"1","status":"gold"}]}}"#
        let (bench, first) = try Self.load(customers, nil) { _ in }
        #expect(first.problems == [])
        for expected in [RecordCounts(created: 1, updated: 1), RecordCounts(unchanged: 2)] {
            let run = try bench.load(json: orders, nil) {
                $0.lookups = ["Order.customer": .attribute("code")]
                $0.nestedKeys = ["Order": ["orderNumber"]]
                $0.onConflict = .update
            }
            #expect(run.counts == expected, "\(run.messages)")
        }
        #expect(try bench.table("Order", "orderNumber", "customer.id") == "orderNumber,customer.id\n1,2\n")
        let missing = try bench.load(json: #"{"entities":{"Order":[{"orderNumber":9,"customer":"zz"}]}}"#, nil) {
            $0.lookups = ["Order.customer": .attribute("code")]
            $0.missingPolicies = ["Order.customer": .null]
        }
        #expect(missing.counts == RecordCounts(created: 1), "\(missing.messages)")
    }

    @Test func `A nested object is found by the key of its entity`() throws {
        let text = #"[{"id":"o","lines":[{"number":1,"text":"a"},{"number":2,"text":"b"}]}]"#
        let bench = try EngineBench(Self.model, .sqlite)
        defer { bench.keep() }
        for (text, expected) in [(text, 2), (text.replacing("\"b\"", with: "\"c\""), 2)] {
            let run = try bench.load(json: text, "Order") {
                $0.key = ["id"]
                $0.nestedKeys = ["Line": ["number"]]
                $0.onConflict = .update
            }
            #expect(run.problems == [], "\(run.messages)")
            #expect(try bench.count("Line") == expected)
        }
        #expect(try bench.table("Line", "number", "text") == "number,text\n1,a\n2,c\n")
    }

    private static let mistakes: [(@Sendable (inout ImportOptions) -> Void, String)] = [
        (
            { $0.constants = ["Ordr.status": "x"] },
            #"the constant for "Ordr.status": the model has no entity "Ordr"; did you mean "Order"?"#
        ),
        (
            { $0.constants = ["Address.status": "x"] },
            #"the constant for "Address.status": Address has no property "status"; Customer and Order have it"#
        ),
        (
            { $0.lookups = ["Line.customer": .attribute("id")] },
            #"the lookup of "Line.customer": Line has no relationship "customer"; Order has it"#
        ),
        (
            { $0.missingPolicies = ["Line.customer": .null] },
            #"the policy for missing objects in "Line.customer": Line has no relationship "customer"; Order has it"#
        ),
        (
            { $0.columnMap = ["Customer.id": "orderNumber"] },
            #"the map of the column "id": Customer has no property "orderNumber"; Order has it"#
        ),
        (
            {
                $0.nestedKeys = ["Customer": ["cod"]]; $0.onConflict = .update
            }, #"the key: Customer has no attribute or relationship "cod"; did you mean "code"?"#
        ),
    ]

    @Test(arguments: mistakes.indices)
    func `Refused names say which entities have them`(_ index: Int) throws {
        let (change, message) = Self.mistakes[index]
        let error = #expect(throws: GranaryError.self) {
            _ = try Self.load(#"{"entities":{"Customer":[{"id":"c"}]}}"#, nil, change)
        }
        #expect(error?.code == .usage && error?.message == message, "\(error?.message ?? "")")
    }

    @Test func `The name of a column can look like an option of an entity`() throws {
        let bench = try EngineBench(Self.model, .memory)
        let run = try bench.load(csv: "Order.id,Address.id\n5,x\n", "Order") {
            $0.columnMap = ["Order.id": "orderNumber"]
            $0.ignoredColumns = ["Address.id"]
        }
        #expect(run.problems == [], "\(run.messages)")
        #expect(try bench.table("Order", "orderNumber") == "orderNumber\n5\n")
        let missing = try bench.load(csv: "status\nx\n", "Order") { $0.columnMap = ["Order.id": "orderNumber"] }
        #expect(missing.messages == [#"there is no column "Order.id" to map"#])
    }
}
