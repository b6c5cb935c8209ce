import Foundation
import GranaryBase
import GranaryContexts
import GranaryCoordination
import GranaryCoreDataStore
import GranaryExport
import GranaryFormats
import GranaryInspection
import GranaryModel
import GranaryPredicates
import Testing
@testable import SeedingTestSupport

/// Every attribute type in every format, byte for byte.
struct ExporterValueTests {
    private func store() throws -> InMemoryStore {
        let store = try ExportSamples.store(ExportSamples.everyType)
        let values: [String: AttributeValue] = [
            "small": .integer(-32_768), "middle": .integer(7), "large": .integer(Int64.max),
            "price": .decimal(try #require(Decimal(string: "0.10"))), "exact": .double(0.1), "rough": .float(0.1),
            "name": "a \"b\",\nc", "flag": true, "day": .date(Date(timeIntervalSinceReferenceDate: 0.5)),
            "data": .binary(Data([0, 255])),
            "code": .uuid(try #require(UUID(uuidString: "00000000-0000-0000-0000-00000000000A"))),
            "link": .uri(try #require(URL(string: "https://example.org/a?b=c"))), "shape": .binary(Data([1])),
        ]
        try ExportSamples.insert("Thing", 1, values, into: store)
        try ExportSamples.insert("Thing", 3, into: store)
        try ExportSamples.insert("Thing", 4, ["name": ""], into: store)
        return store
    }

    @Test func csv() throws {
        let expected = """
            $id,code,data,day,exact,flag,large,link,middle,name,price,rough,shape,small
            Thing/p1,00000000-0000-0000-0000-00000000000A,AP8=,2001-01-01T00:00:00.5Z,0.1,true,9223372036854775807,\
            https://example.org/a?b=c,7,"a ""b"",
            c",0.1,0.1,AQ==,-32768
            Thing/p3,,,,,,,,,,,,,
            Thing/p4,,,,,,,,,"",,,,

            """
        #expect(try ExportSamples.csv(store(), ExportOptions()) == expected)
    }

    @Test func json() throws {
        let expected = """
            [
            {"$id":"Thing/p1","code":"00000000-0000-0000-0000-00000000000A","data":"AP8=",\
            "day":"2001-01-01T00:00:00.5Z","exact":0.1,"flag":true,"large":9223372036854775807,\
            "link":"https://example.org/a?b=c","middle":7,"name":"a \\"b\\",\\nc","price":0.1,"rough":0.1,\
            "shape":"AQ==","small":-32768},
            {"$id":"Thing/p3","code":null,"data":null,"day":null,"exact":null,"flag":null,"large":null,"link":null,\
            "middle":null,"name":null,"price":null,"rough":null,"shape":null,"small":null},
            {"$id":"Thing/p4","code":null,"data":null,"day":null,"exact":null,"flag":null,"large":null,"link":null,\
            "middle":null,"name":"","price":null,"rough":null,"shape":null,"small":null}
            ]

            """
        #expect(try ExportSamples.json(store()) == expected)
    }

    /// A property list names NULL only where the model has a default that an absent value would become.
    @Test func propertyList() throws {
        let text = try ExportSamples.plist(store())
        let list = try PropertyListSerialization.propertyList(from: Data(text.utf8), format: nil)
        let rows = try #require(list as? [[String: Any]])
        #expect(rows.count == 3)
        #expect(rows[0]["$id"] as? String == "Thing/p1")
        #expect(rows[0]["large"] as? Int64 == Int64.max)
        #expect(rows[0]["price"] as? String == "0.1")
        #expect(rows[0]["day"] as? String == "2001-01-01T00:00:00.5Z")
        #expect(rows[0]["data"] as? Data == Data([0, 255]))
        #expect(rows[0]["flag"] as? Bool == true)
        #expect(rows[1].keys.sorted() == ["$id", "$null"])
        #expect(rows[1]["$null"] as? [String] == ["name"])
        #expect(rows[2].keys.sorted() == ["$id", "name"])
    }

    @Test func sameStoreGivesSameBytes() throws {
        let store = try store()
        #expect(try ExportSamples.json(store, shape: .document) == ExportSamples.json(store, shape: .document))
    }

    /// A cell that is no value of its attribute stops the export with the object's name.
    @Test(arguments: [
        ("small", StoredCell.text(start: 0, count: 1), "Thing/p1: text is not an Integer 16"),
        ("day", .text(start: 0, count: 0), "Thing/p1: text is not a Date"),
        ("name", .text(start: 0, count: 2), "Thing/p1: the text is not valid UTF-8 from its byte 1 on"),
    ])
    func badCell(property: String, cell: StoredCell, message: String) throws {
        let store = try ExportSamples.store(ExportSamples.everyType)
        let entity = try #require(store.schema.entity(named: "Thing"))
        var batch = RowBatch()
        batch.bytes = [0x61, 0xFF]
        batch.appendRow(entity: entity.index, key: 1, version: 1, slotCount: entity.slotCount)
        batch[0, try #require(entity.attribute(named: property)).slot] = cell
        try store.transaction { try $0.insert(batch) }
        let error = try #require(throws: GranaryError.self) { try ExportSamples.csv(store, ExportOptions()) }
        #expect(error.code == .refused)
        let diagnostic = try #require(error.diagnostics.first)
        #expect(diagnostic.entity == "Thing" && diagnostic.property == property)
        #expect(diagnostic.message == message)
    }

    /// What a format cannot hold is refused with the object too.
    @Test func formatLimit() throws {
        let store = try ExportSamples.store(ExportSamples.everyType)
        try ExportSamples.insert("Thing", 9, ["day": .date(Date(timeIntervalSinceReferenceDate: 1e15))], into: store)
        let error = try #require(throws: GranaryError.self) { try ExportSamples.csv(store, ExportOptions()) }
        #expect(error.diagnostics.first?.property == "day")
        #expect(error.message.hasPrefix("Thing/p9: a date"))
    }
}
