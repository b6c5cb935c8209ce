import Foundation
import GranaryBase
import GranaryContexts
import GranaryCoordination
import GranaryCoreDataStore
import GranaryInspection
import GranaryModel
import GranaryPredicates
import GranarySQLite
import StoreTestSupport
import TestSupport
import Testing

/// SQLite's view of written values (docs/core-data/sqlite-layout.md#declared-types-and-stored-values).
@Suite("Columns contain values as Core Data writes them") struct ColumnTypesTests {
    static let cases: [(AttributeType, AttributeValue, String)] = [
        (.integer16, .integer(Int64(Int16.min)), "integer|-32768"),
        (.integer32, .integer(Int64(Int32.max)), "integer|2147483647"),
        (.integer64, .integer(.min), "integer|-9223372036854775808"),
        (.boolean, true, "integer|1"), (.boolean, false, "integer|0"),
        (.date, .date(Date(timeIntervalSinceReferenceDate: 700_000_000)), "integer|700000000"),
        (.date, .date(Date(timeIntervalSinceReferenceDate: 0.25)), "real|0.25"),
        (.date, .date(Date(timeIntervalSinceReferenceDate: 1e300)), "real|1.0e+300"),
        (.double, .double(3), "real|3.0"), (.double, .double(-0.0), "real|0.0"), (.float, .float(0.5), "real|0.5"),
        (.decimal, .decimal(Decimal(string: "10.11") ?? 0), "real|10.11"), (.decimal, .decimal(42), "integer|42"),
        (.string, .string("42"), "text|42"), (.string, "", "text|"), (.string, .string("1e3"), "text|1e3"),
        (.uri, .uri(URL(filePath: "/x")), "text|file:///x"),
        (.uuid, .uuid(UUID(uuid: (0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15))), "blob|16"),
        (.binary, .binary(Data()), "blob|0"), (.binary, .binary(Data([1, 0])), "blob|2"),
        (.transformable, .binary(Data("bplist00".utf8)), "blob|8"),
    ]

    @Test("Each value has the storage class that sqlite-layout lists", arguments: cases)
    func storageClasses(_ type: AttributeType, _ value: AttributeValue, _ expected: String) throws {
        let model = ManagedObjectModel(entities: [EntityDescription("A", [.attribute("x", type)])])
        let schema = try model.resolved()
        let folder = try TemporaryFolder()
        let store = try SQLiteStore.create(path: folder.storePath, schema: schema)
        var batch = RowBatch()
        let row = batch.appendRow(entity: 0, key: 1, version: 1, slotCount: schema.entities[0].slotCount)
        value.withBorrowed { batch.set($0, row: row, slot: 0) }
        try store.transaction { try $0.insert(batch) }
        let found = try store.connection.text(
            "SELECT typeof(ZX) || '|' || CASE typeof(ZX) WHEN 'blob' THEN length(ZX) ELSE ZX END FROM ZA")
        #expect(found == expected)
        let read = try store.read(root: 0, keys: [1])
        #expect(try read.value(row: 0, of: schema.entities[0].attributes[0]) == value)
    }

    @Test("Text with U+0000 and with different normalisation forms is read back byte for byte")
    func textBytes() throws {
        let schema = try ManagedObjectModel(entities: [EntityDescription("A", [.attribute("x", .string)])]).resolved()
        let folder = try TemporaryFolder()
        let store = try SQLiteStore.create(path: folder.storePath, schema: schema)
        let texts = ["a\u{0}b", "\u{e9}", "e\u{301}", "\u{0}", "\u{feff}x"]
        var batch = RowBatch()
        for (index, text) in texts.enumerated() {
            let row = batch.appendRow(entity: 0, key: Int64(index), version: 1, slotCount: 1)
            AttributeValue.string(text).withBorrowed { batch.set($0, row: row, slot: 0) }
        }
        try store.transaction { try $0.insert(batch) }
        let read = try store.read(root: 0, keys: Array(0..<Int64(texts.count)))
        for (index, text) in texts.enumerated() {
            #expect(try read.value(row: index, of: schema.entities[0].attributes[0]) == .string(text))
        }
    }

    @Test("Infinity and NaN are refused, with the entity", arguments: [Double.nan, .infinity, -.infinity])
    func notFinite(_ value: Double) throws {
        let model = ManagedObjectModel(entities: [EntityDescription("A", [.attribute("x", .double)])])
        let folder = try TemporaryFolder()
        let store = try SQLiteStore.create(path: folder.storePath, schema: try model.resolved())
        var batch = RowBatch()
        let row = batch.appendRow(entity: 0, key: 1, version: 1, slotCount: 1)
        batch.set(.double(value), row: row, slot: 0)
        let error = #expect(throws: GranaryError.self) { try store.transaction { try $0.insert(batch) } }
        #expect(error?.diagnostics.first?.code == .valueRange)
        #expect(error?.diagnostics.first?.entity == "A")
        #expect(try store.count(entity: 0) == 0)
    }
}
