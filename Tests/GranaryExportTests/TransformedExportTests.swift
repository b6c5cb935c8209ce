import Foundation
import GranaryBase
import GranaryContexts
import GranaryCoordination
import GranaryCoreDataStore
import GranaryFormats
import GranaryImport
import GranaryInspection
import GranaryModel
import GranaryPredicates
import TestSupport
import Testing
@testable import GranaryExport
@testable import SeedingTestSupport

/// Values of Transformable attributes in JSON exports, each of which is imported again.
@Suite struct TransformedExportTests {
    private static let model = TransformedModel.model

    /// The value of `tags` in the export of a store with these bytes.
    private static func exported(
        _ bytes: Data, binary: BinaryStyle = .base64, attribute: String = "tags"
    ) throws -> (text: String, again: String) {
        let store = try ExportSamples.store(model)
        try ExportSamples.insert("Note", 1, ["code": "a", attribute: .binary(bytes)], into: store)
        var options = ExportOptions()
        options.entities = ["Note"]
        options.columns = [attribute]
        var writing = JSONWriter.Options()
        writing.shape = .lines
        writing.binary = binary
        let text = try ExportSamples.text {
            try Exporter(options: options).run(store, into: JSONWriter($0, options: writing))
        }
        let run = try TestImport.json(text, "Note", model) { $0.binaryFormat = binary == .hex ? .hex : .base64 }
        #expect(run.problems == [], "\(run.messages)")
        return (text, try run.csv("Note", columns: [attribute]))
    }

    private static func again(_ bytes: Data, _ attribute: String = "tags") -> String {
        "\(attribute)\n\(bytes.base64EncodedString())\n"
    }

    @Test func `A value is JSON where that gives its bytes again`() throws {
        let value: [String: any Sendable] = ["b": ["x", "y"], "a": 1.0, "c": ArchivedNull()]
        let bytes = try AttributeTransformer.secureUnarchiveFromData.encode(value)
        let result = try Self.exported(bytes)
        #expect(result.text == #"{"tags":{"a":1.0,"b":["x","y"],"c":null}}"# + "\n")
        #expect(result.again == Self.again(bytes))
    }

    @Test(arguments: [BinaryStyle.base64, .hex])
    func `Otherwise the bytes stand beside it`(_ binary: BinaryStyle) throws {
        let set: Set<String> = ["x"]
        let bytes = try AttributeTransformer.secureUnarchiveFromData.encode(set)
        let result = try Self.exported(bytes, binary: binary)
        let name =
            binary == .hex
            ? bytes.map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }.joined()
            : bytes.base64EncodedString()
        #expect(result.text == #"{"tags":{"$archive":"\#(name)","$value":["x"]}}"# + "\n")
        #expect(result.again == Self.again(bytes))
    }

    @Test func `Values with dates, and archives of another transformer, are shown beside their bytes`() throws {
        let date = try AttributeTransformer.secureUnarchiveFromData.encode([Date(timeIntervalSinceReferenceDate: 1)])
        let list = try AttributeTransformer.secureUnarchiveFromData.encode(["x"])
        for (bytes, attribute, value) in [(date, "tags", "2001-01-01T00:00:01Z"), (list, "point", "x")] {
            let result = try Self.exported(bytes, attribute: attribute)
            #expect(
                result.text == "{\"\(attribute)\":{\"$archive\":\"\(bytes.base64EncodedString())\","
                    + "\"$value\":[\"\(value)\"]}}\n")
            #expect(result.again == Self.again(bytes, attribute))
        }
    }

    @Test func `What is no archive of a property list is bytes alone`() throws {
        let infinite = try AttributeTransformer.secureUnarchiveFromData.encode([Double.infinity])
        for (bytes, attribute) in [(infinite, "tags"), (Data([1, 2]), "tags"), (Data([1, 2]), "point")] {
            let result = try Self.exported(bytes, attribute: attribute)
            #expect(result.text == "{\"\(attribute)\":\"\(bytes.base64EncodedString())\"}\n")
            #expect(result.again == Self.again(bytes, attribute))
        }
    }

    @Test func `Archives that Foundation wrote come back byte for byte`() throws {
        let objects: [Any] = [
            NSArray(array: ["x" as NSString, NSNumber(value: 5), NSNull()]), NSArray(),
            NSDictionary(objects: [NSNumber(value: 1.5)], forKeys: ["k" as NSString]),
            NSSet(array: ["x" as NSString]), NSArray(array: [NSDate(timeIntervalSinceReferenceDate: 5)]),
            NSArray(array: [NSArray(array: [NSDictionary(objects: [NSArray()], forKeys: ["$id" as NSString])])]),
        ]
        for object in objects {
            let bytes = try NSKeyedArchiver.archivedData(withRootObject: object, requiringSecureCoding: false)
            #expect(try Self.exported(bytes).again == Self.again(bytes))
        }
    }

    @Test func `Files of a folder have the same form, CSV and property lists have the bytes`() throws {
        let bytes = try AttributeTransformer.secureUnarchiveFromData.encode(["x"])
        let store = try ExportSamples.store(Self.model)
        try ExportSamples.insert("Note", 1, ["code": "a", "tags": .binary(bytes)], into: store)
        var options = ExportOptions()
        options.entities = ["Note"]
        options.columns = ["tags"]
        let folder = try TemporaryFolder()
        let path = folder.url.appending(path: "out").path
        var writing = JSONWriter.Options()
        writing.shape = .lines
        let writer = try FolderWriter(path: path, fileExtension: "jsonl", replacing: false) {
            (output) throws(GranaryError) in JSONWriter(output, options: writing)
        }
        try Exporter(options: options).run(store, into: writer)
        let text = String(decoding: try Data(contentsOf: URL(filePath: path + "/Note.jsonl")), as: UTF8.self)
        #expect(text == "{\"tags\":[\"x\"]}\n")
        #expect(try ExportSamples.csv(store, options) == Self.again(bytes))
        #expect(try ExportSamples.plist(store, options).contains("<data>"))
    }
}
