import Foundation
import GranaryBase
import GranaryContexts
import GranaryCoordination
import GranaryCoreDataStore
import GranaryFormats
import GranaryInspection
import GranaryModel
import GranaryRecords
import TestSupport
import Testing
@testable import GranaryImport
@testable import SeedingTestSupport

/// Documents that are one object with the records inside.
@Suite struct WrappedRecordsTests {
    private static let model = ManagedObjectModel(entities: [
        EntityDescription(
            "E",
            [
                .attribute("name", .string, .required), .attribute("number", .integer16),
                .toMany("parts", "P", inverse: "e"),
            ]),
        EntityDescription("P", [.attribute("name", .string), .toOne("e", "E", inverse: "parts")]),
    ])

    private static let advice = "the document is one object and not a record of E; "

    /// A document, and the end of its only message.
    private static let wrapped: [(String, String)] = [
        (#"{"elements":[{"name":"H"}]}"#, #"the records are in "elements""#),
        (
            #"{"2":{"name":"H"},"4":{"name":"He"}}"#,
            #"the records are the members of the document ("2", …)"#
        ),
        (
            #"{"meta":{"count":2},"data":{"page":1,"items":[{"number":1,"name":"H"},{"x":1}]}}"#,
            #"the records are in "data.items""#
        ),
        (
            #"{"data":{"h":{"name":"H"},"he":{"name":"He"}}}"#,
            #"the records are the members of "data" ("h", …)"#
        ),
        // The object has a property of the entity too, and its elements have more.
        (
            #"{"name":"Table","elements":[{"name":"H","number":1}]}"#,
            #"the records are in "elements""#
        ),
        (
            #"{"a":[],"b":[1,{"x":1}],"c":[{"name":"H"}]}"#,
            #"the records are in "c""#
        ),
        // Nothing fits, and there is only one array of objects.
        (#"{"rows":[{"titel":"H"}]}"#, #"the records are in "rows""#),
        (#"{"none":[],"rows":[{"titel":"H"}]}"#, #"the records are in "rows""#),
        // No record, or one.
        (#"{"count":0,"items":[]}"#, #"the records are in "items""#),
        (
            #"{"2":{"name":"H"}}"#,
            #"the records are the members of the document ("2")"#
        ),
    ]

    private static func store() throws -> any StoreBackend { try ExportSamples.store(model) }

    @Test(arguments: wrapped.indices)
    func `The message says where the records are`(_ index: Int) throws {
        let (text, message) = Self.wrapped[index]
        for chunkSize in [1 << 18, 7] {
            var options = JSONReader.Options()
            options.chunkSize = chunkSize
            let json = JSONReader(ByteSource(bytes: Array(text.utf8), name: "in.json"), options: options)
            let run = try TestImport.of([json], "E", try Self.store())
            #expect(run.messages == [Self.advice + message])
            let first = try #require(run.report.diagnostics.first)
            #expect(first.code == .headerUnknown)
            try Self.expectPlaces(text, first)
            #expect(run.report.read == 1 && run.report.rejected == 1)
        }
        let list = PropertyListReader(ByteSource(bytes: Self.propertyList(text), name: "in.plist"))
        let run = try TestImport.of([list], "E", try Self.store())
        #expect(run.messages == [Self.advice + message])
    }

    /// The help, used, reads the records, or what is in them.
    private static func expectPlaces(_ text: String, _ diagnostic: Diagnostic) throws {
        let words = try #require(diagnostic.help).split(separator: " ").map(String.init)
        var source = SourceOptions()
        source.format = .json
        var options = ImportOptions()
        for (option, value) in zip(words, words.dropFirst()) {
            switch option {
            case "--records": source.recordPlaces = [RecordPlace(value)]
            case "--record-key": source.recordKey = value
            case "--ignore": options.ignoredColumns.insert(value)
            default: break
            }
        }
        let bytes = ImportSource.bytes(Data(text.utf8), name: "in.json", options: source)
        let run = try TestImport.of([bytes.makeReader()], "E", try store(), options)
        #expect(!run.messages.contains { $0.contains("one object") }, "\(run.messages)")
        #expect(!run.messages.contains { $0.contains("no \"") }, "\(run.messages)")
    }

    /// An XML property list with the values of a JSON text.
    static func propertyList(_ json: String) -> [UInt8] {
        let bytes = Array(json.utf8)
        var text = "<plist version=\"1.0\">"
        bytes.withUnsafeBufferPointer { buffer in
            var events = JSONEventReader(buffer)
            while let event = events.next() {
                switch event {
                case .beginObject: text += "<dict>"
                case .endObject: text += "</dict>"
                case .beginArray: text += "<array>"
                case .endArray: text += "</array>"
                case .name(let name): text += "<key>\(name)</key>"
                case .text(let value): text += "<string>\(value)</string>"
                case .number(let digits): text += "<integer>\(String(decoding: digits, as: UTF8.self))</integer>"
                case .boolean(let value): text += value ? "<true/>" : "<false/>"
                case .null: text += "<string></string>"
                }
            }
        }
        return Array((text + "</plist>").utf8)
    }

    private static let unwrapped: [String] = [
        // A record with related objects, good or with a mistake of its own.
        #"{"name":"H","parts":[{"name":"p"}]}"#, #"{"nam":"H","parts":[{"name":"p"}]}"#, #"{"parts":[{"name":"p"}]}"#,
        // The object fits as well as what is inside.
        #"{"name":"H","image":{"name":"u"},"more":[{"name":"x"}]}"#, #"{"name":"H","tags":[{"word":"x"}]}"#,
        #"{"name":"H","items":[]}"#, #"{"name":"H","image":{"a":{"name":"u","number":1}}}"#,
        // Nothing to choose from, or no objects.
        #"{"a":[],"b":[]}"#,
        #"{"a":[{"x":1}],"b":[{"y":1}]}"#, #"{"a":[1,2]}"#, #"{"a":{"x":1}}"#, "{}", #"{"a":1,"b":{"x":{}}}"#,
        // Records in an array.
        #"[{"name":"H","image":{"url":"u"}}]"#, #"[{"rows":[{"name":"H"}]}]"#,
    ]

    @Test(arguments: unwrapped)
    func `There is no such message for a record`(_ text: String) throws {
        let run = try TestImport.of([TestImport.reader(json: text)], "E", try Self.store())
        #expect(!run.messages.contains { $0.contains("the records are") }, "\(run.messages)")
        let list = PropertyListReader(ByteSource(bytes: Self.propertyList(text), name: "in.plist"))
        let other = try TestImport.of([list], "E", try Self.store())
        #expect(!other.messages.contains { $0.contains("the records are") }, "\(other.messages)")
        #expect(other.report.created == run.report.created)
    }

    @Test func `An unknown member says that it holds an object`() throws {
        let text = #"[{"name":"H","image":{"url":"u","w":1},"tags":[{"word":"x"}]}]"#
        let run = try TestImport.of([TestImport.reader(json: text)], "E", try Self.store())
        #expect(
            run.messages == [
                #"E has no property for the column "image"; its value is an object with "image.url", "image.w""#,
                #"E has no property for the column "tags"; its value is a list of objects with "word""#,
            ])
    }

    @Test func `A document that is too large for a record says where its records are`() throws {
        let rows = (0..<4000).map { "{\"name\":\"\($0)\"}" }.joined(separator: ",")
        let text = "{\"n\":4000,\"rows\":[\(rows)]}"
        var (bytes, values) = (JSONReader.Options(), JSONReader.Options())
        bytes.maximumRecordBytes = 20_000
        values.maximumFields = 1000
        var readers: [any RecordReader] = [bytes, values].map { options in
            JSONReader(ByteSource(bytes: Array(text.utf8), name: "in.json"), options: options)
        }
        var listOptions = PropertyListReader.Options()
        listOptions.maximumFields = 1000
        let list = ByteSource(bytes: Self.propertyList(text), name: "in.plist")
        readers.append(PropertyListReader(list, options: listOptions))
        for reader in readers {
            let run = try TestImport.of([reader], "E", try Self.store())
            #expect(run.report.diagnostics.map(\.code) == [.limitExceeded])
            #expect(run.messages.first?.contains("the records are in \"rows\"") ?? false, "\(run.messages)")
        }
    }

    @Test func `The beginning is examined up to a limit, and any bytes are harmless`() throws {
        let far = "{\"pad\":\"\(String(repeating: "x", count: 70_000))\",\"rows\":[{\"name\":\"H\"}]}"
        let run = try TestImport.of([TestImport.reader(json: far)], "E", try Self.store())
        #expect(run.report.rejected == 1 && !run.messages.contains { $0.contains("the records are") })
        let deep = "{\"a\":" + String(repeating: "{\"a\":[", count: 40) + "1"
        #expect(try TestImport.of([TestImport.reader(json: deep)], "E", try Self.store()).report.isRefused)
        var random = SeededGenerator(seed: 3)
        for _ in 0..<200 {
            let parts = ["{", "}", "[", "]", "\"a\":", "\"rows\":", "{\"name\":\"x\"}", ",", "1", "null", "\"t\""]
            let text = "{" + (0..<12).map { _ in parts.randomElement(using: &random) ?? "" }.joined()
            _ = try TestImport.of([TestImport.reader(json: text)], "E", try Self.store())
        }
    }
}
