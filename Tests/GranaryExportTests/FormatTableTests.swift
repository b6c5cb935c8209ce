import Foundation
import GranaryBase
import GranaryComparison
import GranaryCoordination
import GranaryCoreDataStore
import GranaryFormats
import GranaryModel
import GranaryPredicates
import GranaryRecords
import TestSupport
import Testing
@testable import GranaryExport
@testable import GranaryImport
@testable import SeedingTestSupport

/// The rows of the table "Examples" in docs/file-formats.md, each as an object that is exported and imported.
struct FormatTableTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func path(_ name: String) -> String { folder.url.path + "/" + name }

    @Test func `The table has every stored type, limits and NULL`() {
        let rows = FormatTable.rows
        #expect(rows.count > 50)
        #expect(rows.allSatisfy { $0.attributeType != nil })
        let types: [AttributeType] = [
            .integer16, .integer32, .integer64, .decimal, .double, .float, .string, .boolean, .date, .binary, .uuid,
            .uri, .transformable,
        ]
        for type in types { #expect(rows.contains { $0.attributeType == type && $0.value != nil }, "\(type)") }
        #expect(rows.contains { $0.value == nil })
    }

    /// A store with the object of a row: its value in `v`, and NULL in `n`.
    private func store(of row: FormatTable.Row) throws -> any StoreBackend {
        let store = try emptyStore("Source", row)
        var values: [String: AttributeValue] = [:]
        if let value = try row.attributeValue() { values["v"] = value }
        try ExportSamples.insert("Thing", 1, values, into: store)
        return store
    }

    private func emptyStore(_ name: String, _ row: FormatTable.Row) throws -> any StoreBackend {
        let type = try #require(row.attributeType)
        // An import checks the bytes of built-in transformers.
        let value: PropertyDescription =
            type == .transformable ? .attribute("v", type, .transformer("AppTransformer")) : .attribute("v", type)
        let model = ManagedObjectModel(entities: [EntityDescription("Thing", [value, .attribute("n", .string)])])
        // An SQLite store keeps Decimals as doubles.
        guard type != .decimal else { return try ExportSamples.store(model) }
        return try SQLiteStore.create(path: path(name + ".sqlite"), schema: try model.resolved())
    }

    private func export(
        _ store: any StoreBackend, to name: String, _ row: FormatTable.Row, isBinary: Bool = false
    ) throws -> [UInt8] {
        var options = ExportOptions()
        options.entities = ["Thing"]
        options.columns = ["v", "n"]
        options.propertyListEncoding = isBinary ? .binary : .xml
        switch row.option {
        case "--binary hex": options.binary = .hex
        case "--dates seconds": options.dates = .seconds
        default: #expect(row.option == nil)
        }
        _ = try Exporter(options: options).run(store, to: .path(path(name), format: nil, replacing: false))
        return [UInt8](try Data(contentsOf: URL(filePath: path(name))))
    }

    /// Imports an export of a store and compares the bits of the values.
    private func checkImport(of name: String, _ row: FormatTable.Row, _ store: any StoreBackend) throws {
        var source = SourceOptions()
        source.allowsNUL = true
        var options = ImportOptions()
        if row.option == "--binary hex" { options.binaryFormat = .hex }
        if row.option == "--dates seconds" { options.dateFormats = [.seconds] }
        let again = try emptyStore("Of-" + name, row)
        let importer = Importer(entity: "Thing", from: .file(path: path(name), options: source), options: options)
        let report = try importer.run(into: again)
        #expect(report.created == 1, "\(name): \(report.diagnostics)")
        let difference = try DiffRun.of(store, again)
        #expect(difference.summary.isEqual, "\(name): \(difference.differences)")
    }

    /// Exports a row in a format, compares the file, and imports it.
    private func check(
        _ cell: FormatTable.Cell, _ row: FormatTable.Row, _ store: any StoreBackend, _ name: String,
        _ file: (String) -> String
    ) throws {
        switch cell {
        case .notShown: break
        case .refused:
            let error = #expect(throws: GranaryError.self, "\(name)") { try export(store, to: name, row) }
            #expect(error?.code == .refused, "\(name)")
        case .text(let text):
            let found = try export(store, to: name, row)
            #expect(String(decoding: found, as: UTF8.self).utf8.elementsEqual(file(text).utf8), "\(name): \(text)")
            try checkImport(of: name, row, store)
        }
    }

    @Test(arguments: stride(from: 0, to: FormatTable.rows.count, by: 4).map { FormatTable.rows[$0] })
    func `CSV and JSON are as the table says`(_ row: FormatTable.Row) throws {
        let store = try store(of: row)
        try check(row.delimited, row, store, "a.csv") { "v,n\n\($0),\n" }
        try check(row.json, row, store, "a.json") { "[\n{\"v\":\($0),\"n\":null}\n]\n" }
    }

    /// These differ from CSV and JSON in the marks between the values only.
    func checkLines(_ row: FormatTable.Row) throws {
        let store = try store(of: row)
        try check(row.delimited, row, store, "a.tsv") { "v\tn\n\($0)\t\n" }
        try check(row.json, row, store, "a.ndjson") { "{\"v\":\($0),\"n\":null}\n" }
    }

    @Test(arguments: stride(from: 0, to: FormatTable.rows.count, by: 8).map { FormatTable.rows[$0] })
    func `TSV and JSON Lines are as the table says`(_ row: FormatTable.Row) throws { try checkLines(row) }

    @Test(arguments: stride(from: 0, to: FormatTable.rows.count, by: 8).map { FormatTable.rows[$0] })
    func `Property lists are as the table says`(_ row: FormatTable.Row) throws {
        let store = try store(of: row)
        switch row.xml {
        case .notShown: break
        case .refused:
            let error = #expect(throws: GranaryError.self) { try export(store, to: "a.plist", row) }
            #expect(error?.code == .refused)
        case .text(let text):
            let found = Self.element(in: String(decoding: try export(store, to: "a.plist", row), as: UTF8.self))
            #expect(found.utf8.elementsEqual(text.utf8), "\(found) is not \(text)")
            try checkImport(of: "a.plist", row, store)
        }
        // A date is a number of seconds in a binary list, whatever its year, and text can have every character.
        _ = try export(store, to: "b.plist", row, isBinary: true)
        try checkImport(of: "b.plist", row, store)
    }

    /// The element of the key `v`, without the line ends around Base64; empty without the key.
    private static func element(in list: String) -> String {
        guard let key = list.range(of: "<key>v</key>") else { return "" }
        let rest = list[key.upperBound...]
        let end = rest.range(of: "</dict>")?.lowerBound ?? rest.endIndex
        let element = rest[..<end].trimmingCharacters(in: .whitespacesAndNewlines)
        guard element.hasPrefix("<data>") else { return element }
        return element.filter { !$0.isWhitespace }
    }
}

struct FormatTableLongTests {
    @Test(arguments: FormatTable.rows)
    func `CSV and JSON are as the table says`(_ row: FormatTable.Row) throws {
        try FormatTableTests().`CSV and JSON are as the table says`(row)
    }

    @Test(arguments: FormatTable.rows)
    func `Property lists are as the table says`(_ row: FormatTable.Row) throws {
        try FormatTableTests().`Property lists are as the table says`(row)
    }

    @Test(arguments: FormatTable.rows)
    func `TSV and JSON Lines are as the table says`(_ row: FormatTable.Row) throws {
        try FormatTableTests().checkLines(row)
    }
}
