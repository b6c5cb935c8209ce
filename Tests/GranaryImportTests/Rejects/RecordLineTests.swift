import Foundation
import GranaryBase
import GranaryFormats
import GranaryModel
import GranaryRecords
import GranarySQLite
import TestSupport
import Testing
@testable import GranaryImport

/// Rejected records that are kept as JSON objects, and records whose text was not kept.
@Suite struct RecordLineTests {
    @Test func `A value beyond the limit of a row is not NULL`() throws {
        let folder = try TemporaryFolder()
        let path = folder.url.appending(path: "a.db").path
        let connection = try Connection(path: path, mode: .create)
        try connection.execute(
            "CREATE TABLE t (a, b, c); INSERT INTO t VALUES ('big', 'abcdefghij', NULL), ('big', X'0001020304050607', 1)"
        )
        try connection.close()
        let source = ImportSource(name: "a.db") { () throws(GranaryError) -> any RecordReader in
            var options = DatabaseReader.Options()
            options.maximumRecordBytes = 6
            return DatabaseReader(path: path, .table("t"), options: options)
        }
        let text = try RejectsSamples.text([RejectsSamples.entry(source, [1, 2])])
        #expect(
            text == #"{"a":"big","b":{"$data":""},"c":null}"# + "\n" + #"{"a":"big","b":{"$data":""},"c":1}"# + "\n")
    }

    /// A reader of another program, as far as Granary knows.
    private static func foreign(_ text: String) -> ImportSource {
        .records(name: "other") { () throws(GranaryError) in
            JSONReader(ByteSource(bytes: Array(text.utf8), name: "other"))
        }
    }

    @Test func `Records of other readers keep their objects`() throws {
        let source = Self.foreign(
            #"[{"a": {"b": [1, {"c": "x"}], "d": []}, "e": ["y", true, null], "f": [[1, 2], "z"]}]"#)
        let text = try RejectsSamples.text([RejectsSamples.entry(source, [1])])
        #expect(
            text == #"{"a":{"b":[1,{"c":"x"}],"d":[]},"e":["y",true,null],"f":[[1,2],"z"]}"# + "\n")
    }

    @Test func `A malformed record of another reader is no object without members`() throws {
        let source = Self.foreign(#"[{"a": 1, "a": 2}]"#)
        let text = try RejectsSamples.text([RejectsSamples.entry(source, [1])])
        #expect(text.hasSuffix(#""$record":"{\"a\": 1, \"a\": 2}"}"# + "\n"), "\(text)")
        let table = try RejectsSamples.text([RejectsSamples.entry(source, [1])], format: .csv)
        #expect(table.contains(#""{""a"": 1, ""a"": 2}""#) || table.contains(#"\""a\"": 1"#), "\(table)")
    }

    @Test func `Records of other readers keep their entity`() throws {
        let source = Self.foreign(#"{"entities": {"P": [{"a": 1}], "Q": [{"a": 2}]}}"#)
        let text = try RejectsSamples.text([RejectsSamples.entry(source, [1, 2], entity: nil)])
        #expect(text == #"{"$entity":"P","a":1}"# + "\n" + #"{"$entity":"Q","a":2}"# + "\n")
    }

    @Test func `A record that was too long to keep is no row of NULL`() throws {
        let source = ImportSource(name: "in.ndjson") { () throws(GranaryError) -> any RecordReader in
            var options = JSONReader.Options()
            options.lines = true
            options.maximumRecordBytes = 12
            let text = "{\"a\":1}\n{\"a\":\"bbbbbbbbbbbbbbbbbbbbbbbb\"}\n"
            return JSONReader(ByteSource(bytes: Array(text.utf8), name: "in.ndjson"), options: options)
        }
        let table = try RejectsSamples.text([RejectsSamples.entry(source, [1, 2])], format: .csv)
        let lines = table.split(separator: "\n")
        #expect(lines.count == 3 && lines[2].contains(RejectsTableColumns.unreadable), "\(table)")
    }

    /// A reader that has none of the abilities of the one inside.
    private final class PlainReader: RecordReader {
        private let base: any RecordReader
        init(_ base: any RecordReader) { self.base = base }
        var sourceName: String { base.sourceName }
        var columns: [String] { base.columns }
        func headerPosition(ofColumn index: Int?) -> SourcePosition? { nil }
        func readHeader() throws(GranaryError) { try base.readHeader() }
        func next(into record: inout Record) throws(GranaryError) -> ReadOutcome { try base.next(into: &record) }
    }

    @Test func `A bare text is null where the options say so`() throws {
        let source = ImportSource.records(name: "other") { () throws(GranaryError) in
            PlainReader(try CSVReader(ByteSource(bytes: Array("a,b\nNA,\n".utf8), name: "other")))
        }
        let schema = try ManagedObjectModel(entities: [
            EntityDescription("T", [.attribute("a", .string), .attribute("b", .string)])
        ]).resolved()
        var options = ImportOptions()
        options.nullTexts = ["NA"]
        var entry = RejectsSamples.entry(source, [1])
        #expect(try RejectsSamples.text([entry]) == #"{"a":"NA","b":null}"# + "\n")
        entry.properties = RejectedProperties(schema: schema, options: options, entity: schema.entities[0])
        #expect(try RejectsSamples.text([entry]) == #"{"a":null,"b":""}"# + "\n")
    }

    // MARK: Tables

    private static func rows(_ entry: RejectsFile.Rejected) throws -> [String] {
        try RejectsSamples.text([entry], format: .csv).split(separator: "\n").map(String.init)
    }

    @Test func `A file that is named like a comment is quoted`() throws {
        var options = CSVReader.Options()
        options.comment = UInt8(ascii: "#")
        let source = RejectsSamples.csv(Array("a\n1\n".utf8), name: "#g5.csv", options: options)
        #expect(try Self.rows(RejectsSamples.entry(source, [1])).last == "\"#g5.csv\",1,,,,,,1")
    }

    @Test func `Texts beside the fields are no formulas, and fields stay as they are`() throws {
        let source = RejectsSamples.csv("a\n=1\n", name: "=in.csv")
        #expect(try Self.rows(RejectsSamples.entry(source, [1])).last == "'=in.csv,1,,,,,,=1")
    }

    @Test func `Columns whose names differ in their bytes only have their own fields`() throws {
        let source = RejectsSamples.csv("caf\u{E9},cafe\u{301}\n1,2\n")
        #expect(try Self.rows(RejectsSamples.entry(source, [1])).last == "in.csv,1,,,,,,1,2")
    }
}
