import Foundation
import GranaryBase
import GranaryContexts
import GranaryCoordination
import GranaryCoreDataStore
import GranaryFormats
import GranaryInspection
import GranaryModel
import GranaryPredicates
import TestSupport
import Testing
@testable import GranaryExport
@testable import GranaryImport
@testable import SeedingTestSupport

/// The public test suites by way of a store; what readers and writers make of them is tested beside those.
@Suite(.enabled(if: SharedFiles.arePresent, "../shared is not there")) struct CorporaTests {
    private static let model = ManagedObjectModel(entities: [
        EntityDescription("Text", [.attribute("s", .string, .required)])
    ])

    /// XML has no place for these.
    private static func isFitForXML(_ text: String) -> Bool {
        text.unicodeScalars.allSatisfy { scalar in
            switch scalar.value {
            case 0x09, 0x0A, 0x0D: true
            case 0..<0x20, 0xFFFE, 0xFFFF: false
            default: true
            }
        }
    }

    @Test(arguments: [RoundTripTests.Format.csv, .xml])
    func `Naughty strings survive file, store and file`(_ format: RoundTripTests.Format) throws {
        let data = try Data(contentsOf: SharedFiles.url("corpora/blns/blns.json"))
        var strings = try JSONDecoder().decode([String].self, from: data)
        #expect(strings.count > 500)
        if format == .xml { strings = strings.filter(Self.isFitForXML) }
        #expect(strings.count > 500)
        let source = try ExportSamples.store(Self.model)
        for (index, text) in strings.enumerated() {
            try ExportSamples.insert("Text", Int64(index + 1), ["s": .string(text)], into: source)
        }
        let (store, folder) = try TestImport.sqlite(Self.model)
        let paths = ["first", "second"].map { folder.url.appending(path: $0).path }
        try format.write(source, "Text", to: paths[0])
        let run = try TestImport.of([try format.reader(paths[0])], "Text", store)
        #expect(run.report.created == strings.count, "\(run.problems.prefix(5))")
        try format.write(store, "Text", to: paths[1])
        let files = try paths.map { try Data(contentsOf: URL(filePath: $0)) }
        let areSame = files[0] == files[1]
        #expect(areSame)

        var options = ExportOptions()
        options.entities = ["Text"]
        let json = try ExportSamples.json(store, options)
        let objects = try JSONDecoder().decode([[String: String]].self, from: Data(json.utf8))
        #expect(objects.count == strings.count)
        // By their bytes: String compares letters, whatever they are made of.
        for (object, text) in zip(objects, strings) { #expect(Array((object["s"] ?? "?").utf8) == Array(text.utf8)) }
    }

    /// Both forms of a table make equal stores. One of them has a bare quote, which is rejected.
    @Test func `The tables of csv-spectrum are in a store what their JSON is`() throws {
        var count = 0
        for file in try SharedFiles.files(below: "corpora/csv-spectrum/csvs") {
            let name = file.deletingPathExtension().lastPathComponent
            guard name != "location_coordinates" else { continue }
            let jsonFile = try SharedFiles.url("corpora/csv-spectrum/json/\(name).json")
            // The JSON of `newlines_crlf` has a CR LF; the CSV file itself has lost its CRs.
            let json = try String(contentsOf: jsonFile, encoding: .utf8).replacing("\\r\\n", with: "\\n")
            let rows = try JSONDecoder().decode([[String: String]].self, from: Data(json.utf8))
            let columns = try #require(rows.first).keys.sorted()
            let model = ManagedObjectModel(entities: [
                EntityDescription("Row", columns.map { .attribute($0, .string) })
            ])
            let reader = try CSVReader(ByteSource(url: file))
            let fromCSV = try TestImport.of([reader], "Row", try ExportSamples.store(model))
            let fromJSON = try TestImport.json(json, "Row", model)
            #expect(fromCSV.report.created == rows.count, "\(name): \(fromCSV.problems)")
            #expect(fromJSON.report.created == rows.count, "\(name): \(fromJSON.problems)")
            #expect(try fromCSV.document.utf8.elementsEqual(fromJSON.document.utf8), "\(name)")
            count += 1
        }
        #expect(count == 11)
    }

    /// Whatever a file is, the counts add up or the import says what is wrong.
    func `No file of JSONTestSuite makes an import lose count`() throws {
        for file in try SharedFiles.files(below: "corpora/jsontestsuite") where file.pathExtension == "json" {
            let bytes = [UInt8](try Data(contentsOf: file))
            let isWrong = file.lastPathComponent.hasPrefix("n_")
            for run in [ImportRunOptions(), TestImport.keepGood] {
                let store = try ExportSamples.store(Self.model)
                let reader = JSONReader(ByteSource(bytes: bytes, name: "x"))
                let report = try TestImport.of([reader], "Text", store, run: run).report
                let sum = report.created + report.updated + report.unchanged + report.skipped + report.rejected
                #expect(report.read == sum, "\(file.lastPathComponent)")
                #expect(try store.count(entity: 0) == (report.isRefused ? 0 : report.created))
                if isWrong {
                    #expect(report.isRefused || report.rejected > 0, "\(file.lastPathComponent)")
                    #expect(report.diagnosticCount > 0, "\(file.lastPathComponent)")
                }
            }
        }
    }

    // MARK: - JSONTestSuite, test_transform

    /// The element of the array that a file of test_transform is.
    private static func element(of name: String) throws -> String {
        let file = try SharedFiles.url("corpora/jsontestsuite/test_transform/\(name).json")
        let text = String(decoding: try Data(contentsOf: file), as: UTF8.self).trimmingPrefix("[")
        return String(text.prefix { $0 != "]" })
    }

    private static let numbers: [(name: String, integer: String, decimal: String?, isDouble: Bool)] = [
        ("-9223372036854775808", "-9223372036854775808", "-9223372036854775808", true),
        ("-9223372036854775809", "value.range", "-9223372036854775809", true), ("1.0", "value.syntax", "1", true),
        ("1.000000000000000005", "value.syntax", "1.000000000000000005", true),
        ("1000000000000000", "1000000000000000", "1000000000000000", true),
        ("10000000000000000999", "value.range", "10000000000000000999", true), ("1e-999", "value.syntax", nil, false),
        ("1e6", "value.syntax", "1000000", true),
        ("9223372036854775807", "9223372036854775807", "9223372036854775807", true),
        ("9223372036854775808", "value.range", "9223372036854775808", true),
    ]

    /// No digit of a number is lost, and a number that its type cannot have is rejected.
    @Test(arguments: numbers)
    func `A number of JSONTestSuite keeps its digits`(
        _ number: (name: String, integer: String, decimal: String?, isDouble: Bool)
    ) throws {
        let element = try Self.element(of: "number_\(number.name)")
        func imported(_ type: AttributeType) throws -> String {
            let model = ManagedObjectModel(entities: [EntityDescription("Number", [.attribute("v", type)])])
            let run = try TestImport.json("[{\"v\":\(element)}]", "Number", model)
            guard !run.report.isRefused else {
                return run.report.diagnostics.map(\.code.rawValue).joined(separator: " ")
            }
            return try run.csv("Number", columns: ["v"]).dropFirst(2).trimmingCharacters(in: .newlines)
        }
        #expect(try imported(.integer64) == number.integer)
        if let decimal = number.decimal { #expect(try imported(.decimal) == decimal) }
        let double = try imported(.double)
        if number.isDouble {
            #expect(Double(double) == Double(element), "\(double)")
        } else {
            #expect(double == "value.range")
        }
    }

    @Test(arguments: [
        ("string_1_escaped_invalid_codepoint", "encoding.invalid"),
        ("string_2_escaped_invalid_codepoints", "encoding.invalid"),
        ("string_3_escaped_invalid_codepoints", "encoding.invalid"),
        ("string_with_escaped_NULL", "encoding.invalid"),
    ])
    func `A text of JSONTestSuite that is not valid is rejected`(_ name: String, _ code: String) throws {
        let run = try TestImport.json("[{\"s\":\(try Self.element(of: name))}]", "Text", Self.model)
        #expect(run.report.isRefused && run.report.diagnostics.map(\.code.rawValue) == [code], "\(run.messages)")
    }

    @Test(arguments: ["same_key_different_values", "same_key_same_value", "same_key_unclear_values"])
    func `An object of JSONTestSuite with one key twice is rejected`(_ name: String) throws {
        let file = try SharedFiles.url("corpora/jsontestsuite/test_transform/object_\(name).json")
        let model = ManagedObjectModel(entities: [EntityDescription("Text", [.attribute("a", .integer16)])])
        let run = try TestImport.json(String(decoding: try Data(contentsOf: file), as: UTF8.self), "Text", model)
        #expect(run.report.isRefused && run.report.diagnostics.map(\.code) == [.headerDuplicate], "\(run.messages)")
    }

    /// Names that differ only by Unicode normalisation are different names.
    @Test(arguments: ["nfc_nfd", "nfd_nfc"])
    func `An object of JSONTestSuite with two forms of a letter has two keys`(_ name: String) throws {
        let file = try SharedFiles.url("corpora/jsontestsuite/test_transform/object_key_\(name).json")
        let reader = JSONReader(try ByteSource(url: file))
        var record = Record()
        guard case .record = try reader.next(into: &record) else {
            Issue.record("\(name) is no record")
            return
        }
        #expect(Set(reader.columns.map { Array($0.utf8) }) == [Array("\u{E9}".utf8), Array("e\u{301}".utf8)])
    }

    // MARK: - Property lists

    /// Whatever a list is, the counts add up or the import says what is wrong. None of these lists has records of
    /// texts.
    @Test(arguments: ["corpora/biplist/tests", "corpora/go-plist/testdata"])
    func `No property list makes an import lose count`(_ folder: String) throws {
        var count = 0
        for file in try SharedFiles.files(below: folder) where file.pathExtension == "plist" {
            count += 1
            let bytes = [UInt8](try Data(contentsOf: file))
            for run in [ImportRunOptions(), TestImport.keepGood] {
                let store = try ExportSamples.store(Self.model)
                let reader = PropertyListReader(ByteSource(bytes: bytes, name: "x"))
                let report = try TestImport.of([reader], "Text", store, run: run).report
                let sum = report.created + report.updated + report.unchanged + report.skipped + report.rejected
                #expect(report.read == sum, "\(file.lastPathComponent)")
                #expect(
                    report.created == 0 && report.diagnosticCount > 0 || report.read == 0, "\(file.lastPathComponent)")
                #expect(try store.count(entity: 0) == 0)
            }
        }
        #expect(count > 10)
    }
}
