import Foundation
import GranaryBase
import GranaryFormats
import TestSupport
import Testing

/// The reader and the writer, each against the other and against Foundation.
@Suite struct PropertyListTests {
    static func write(
        _ encoding: PropertyListEncoding, _ shape: PropertyListWriter.Shape = .array, model: String? = nil,
        _ body: (PropertyListWriter) throws -> Void
    ) throws -> [UInt8] {
        var options = PropertyListWriter.Options()
        options.encoding = encoding
        options.shape = shape
        let output = ByteOutput.memory()
        let writer = PropertyListWriter(output, options: options)
        try body(writer)
        try writer.finish(model: model.map { Array($0.utf8) })
        return try output.finish()
    }

    static func reader(
        _ bytes: [UInt8], _ change: (inout PropertyListReader.Options) -> Void = { _ in }
    ) -> PropertyListReader {
        var options = PropertyListReader.Options()
        change(&options)
        return PropertyListReader(ByteSource(bytes: bytes, name: "x"), options: options)
    }

    static func foundation(_ value: Any, _ format: PropertyListSerialization.PropertyListFormat) throws -> [UInt8] {
        [UInt8](try PropertyListSerialization.data(fromPropertyList: value, format: format, options: 0))
    }

    static func xml(_ body: String) -> [UInt8] { Array("<plist version=\"1.0\">\n\(body)\n</plist>\n".utf8) }

    /// Outcomes without their places, which differ between the forms.
    static func outcomes(_ reader: PropertyListReader) -> [String] {
        RecordText(reading: reader).outcomes.map { text in
            guard let start = text.firstIndex(of: "@") else { return text }
            guard text.first?.isNumber == true else { return String(text[..<start]) }
            return text[..<start] + (text.firstIndex(of: " ").map { String(text[$0...]) } ?? "")
        }
    }

    // MARK: Reading

    @Test func `An array of dictionaries gives a record each, with places`() throws {
        let result = RecordText(
            reading: Self.reader(
                Self.xml(
                    """
                    <array>
                    <dict>
                    <key>a</key><integer>1</integer>
                    <key>b</key><real>2.5</real>
                    <key>c</key><true/>
                    <key>d</key><date>2001-01-02T03:04:05Z</date>
                    <key>e</key><data>AP8=</data>
                    <key>f</key><array><string>x</string><integer>-2</integer></array>
                    <key>g</key><array/>
                    <key>h</key><string>a &lt; b</string>
                    </dict>
                    <dict/>
                    </array>
                    """)))
        #expect(result.columns == ["a", "b", "c", "d", "e", "f", "g", "h"])
        #expect(
            result.outcomes == [
                "1@3:1+-1 {a=number:1,b=number:2.5,c=boolean:true,d=date:97445.0,e=data:AP8=,"
                    + "f=-quoted:x,f=-number:-2,g=emptyList:,h=quoted:a < b}",
                "2@13:1+-1 {}",
            ])
    }

    @Test func `A field knows its place`() throws {
        let reader = Self.reader(Self.xml("<array>\n<dict><key>a</key>\n  <integer>1</integer></dict></array>"))
        var record = Record()
        guard case .record = try reader.next(into: &record) else {
            Issue.record("no record")
            return
        }
        let position = try #require(record.fields.first.map { record.position(of: $0, file: "x") })
        #expect(position.line == 4)
        #expect(position.byteOffset == nil)
        #expect(position.record == 1)

        let binary = try Self.foundation([["a": 1]], .binary)
        let binaryReader = Self.reader(binary)
        guard case .record = try binaryReader.next(into: &record) else {
            Issue.record("no record")
            return
        }
        let place = try #require(record.fields.first.map { record.position(of: $0, file: "x") })
        let offset = try #require(place.byteOffset)
        // The object there is the integer 1: a marker 0x10 and the byte 1.
        #expect(Array(binary[offset...offset + 1]) == [0x10, 1])
        #expect(place.column == offset + 1)
        #expect(binary[record.byteOffset] == 0xD1)
    }

    @Test(arguments: [PropertyListSerialization.PropertyListFormat.xml, .binary])
    func `A document names its entities and carries its model`(
        _ format: PropertyListSerialization.PropertyListFormat
    ) throws {
        let bytes = try Self.foundation(
            [
                "entities": ["A": [["x": 1], ["x": "é"]]],
                "model": ["v": [1, 2.5, true, "\"", [String: Int]()] as [Any]],
            ], format)
        let reader = Self.reader(bytes)
        let result = Self.outcomes(reader)
        #expect(result == ["1 A{x=number:1}", "2 A{x=quoted:é}"])
        #expect(reader.entities == ["A"])
        #expect(reader.model.map { String(decoding: $0, as: UTF8.self) } == #"{"v":[1,2.5,true,"\"",{}]}"#)
    }

    @Test(
        arguments: [
            ("<dict><key>a</key><integer>1</integer></dict>", ["1 {a=number:1}"]),
            ("<dict/>", ["1 {}"]),
            ("<dict><key>model</key><string>T</string></dict>", ["1 {model=quoted:T}"]),
            ("<array/>", []),
            (
                "<array><dict><key>a</key><integer>1</integer><key>$null</key><array><string>b</string></array></dict></array>",
                ["1 {a=number:1,b=null:}"]
            ),
        ] as [(String, [String])])
    func `Small lists are read`(_ body: String, _ expected: [String]) {
        #expect(Self.outcomes(Self.reader(Self.xml(body))) == expected)
    }

    @Test(arguments: [
        ("<integer>7</integer>", "malformed plist.syntax"),
        ("<array><dict/></array>", "malformed plist.syntax"),
        ("<dict><key>a</key><array><array><dict/></array></array></dict>", "malformed value.syntax"),
        ("<dict><key>a</key><true/><key>a</key><true/></dict>", "malformed header.duplicate"),
        (
            "<dict><key>a</key><true/><key>$null</key><array><string>a</string></array></dict>",
            "malformed header.duplicate"
        ),
        ("<dict><key>$null</key><true/></dict>", "malformed plist.syntax"),
        ("<dict><key>$null</key><array><integer>1</integer></array></dict>", "malformed plist.syntax"),
    ])
    func `What is wrong inside one record costs that record only`(_ value: String, _ outcome: String) {
        let ok = "<dict><key>z</key><true/></dict>"
        #expect(
            Self.outcomes(Self.reader(Self.xml("<array>\(ok)\(value)\(ok)</array>")))
                == ["1 {z=boolean:true}", outcome, "3 {z=boolean:true}"])
    }

    @Test(arguments: [
        ("<string>x</string>", "plist.syntax"),
        ("<array><dict><key>a</key></dict></array>", "plist.syntax"),
        ("<array><dict><key>a</key><integer>x</integer></dict></array>", "plist.syntax"),
        ("<array>", "plist.syntax"),
        ("<array/><array/>", "plist.syntax"),
        ("<dict><key>entities</key><dict/><key>other</key><true/></dict>", "header.unknown"),
        ("<dict><key>entities</key><dict/><key>entities</key><dict/></dict>", "header.duplicate"),
        ("<dict><key>entities</key><dict><key>A</key><array/><key>A</key><array/></dict></dict>", "header.duplicate"),
        ("<dict><key>entities</key><dict><key>A</key><dict/></dict></dict>", "plist.syntax"),
        ("<dict><key>model</key><dict/></dict>", "plist.syntax"),
        ("<dict><key>model</key><dict><key>a</key><data>AP8=</data></dict></dict>", "plist.syntax"),
    ])
    func `A broken list ends the reading`(_ body: String, _ code: String) {
        #expect(Self.outcomes(Self.reader(Self.xml(body))).last == "refused \(code)")
    }

    @Test func `Records before a mistake are read`() {
        #expect(
            Self.outcomes(Self.reader(Self.xml("<array><dict/><dict/><dict><oops/></dict></array>")))
                == ["1 {}", "2 {}", "refused plist.syntax"])
    }

    // MARK: Writing

    @Test(arguments: PropertyListEncoding.allCases, [PropertyListWriter.Shape.array, .document])
    func `All kinds of values come back bit for bit`(
        _ encoding: PropertyListEncoding, _ shape: PropertyListWriter.Shape
    ) throws {
        let (columns, rows) = SampleValue.rows(200, seed: 9)
        let bytes = try Self.write(encoding, shape) { try writeTable($0, entity: "E", columns: columns, rows: rows) }
        #expect(try expectRows(Self.reader(bytes), columns, rows))
    }

    @Test(arguments: PropertyListEncoding.allCases)
    func `Foundation reads the same values`(_ encoding: PropertyListEncoding) throws {
        let (columns, rows) = SampleValue.rows(100, seed: 10)
        let bytes = try Self.write(encoding) { try writeTable($0, entity: "E", columns: columns, rows: rows) }
        let list = try PropertyListSerialization.propertyList(from: Data(bytes), format: nil)
        let objects = try #require(list as? [[String: Any]])
        #expect(objects.count == rows.count)
        for (object, row) in zip(objects, rows) {
            #expect(object["$null"] as? [String] == [columns[0]])
            for (column, value) in zip(columns, row) {
                switch value {
                case .null: #expect(object[column] == nil)
                case .boolean(let value): #expect(object[column] as? Bool == value)
                case .integer(let value): #expect(object[column] as? Int64 == value)
                case .double(let value): #expect(object[column] as? Double == value)
                case .text(let value), .uri(let value):
                    #expect((object[column] as? String).map { Array($0.utf8) } == Array(value.utf8))
                case .uuid(let value): #expect(object[column] as? String == value.uuidString)
                case .binary(let value): #expect(object[column] as? Data == Data(value))
                case .date(let value):
                    if encoding == .binary || value == value.rounded() {
                        #expect((object[column] as? Date)?.timeIntervalSinceReferenceDate == value)
                    }
                case .float, .decimal: #expect(object[column] != nil)
                }
            }
        }
    }

    @Test(arguments: PropertyListEncoding.allCases)
    func `Lists, NULLs that matter and the model come back`(_ encoding: PropertyListEncoding) throws {
        let model = #"{"a":[1,-2,2.5,1e+300,18446744073709551615,null,true,{"b":{}}],"c":"é\"\n","d":[]}"#
        let bytes = try Self.write(encoding, .document, model: model) { writer in
            try writer.beginTable(entity: "A", columns: ["a", "b", "list"])
            writer.columnsNeedingNull = [1]
            try writer.beginRow()
            try writer.write(.null, column: 0)
            try writer.write(.null, column: 1)
            try writer.beginList(column: 2)
            try writer.writeElement(.integer(1))
            try writer.writeElement(.integer(2))
            try writer.endList()
            try writer.endRow()
            try writer.beginRow()
            try writer.beginList(column: 2)
            try writer.endList()
            try writer.endRow()
            try writer.endTable()
            try writeTable(writer, entity: "B", columns: [], rows: [])
        }
        let reader = Self.reader(bytes)
        #expect(
            Self.outcomes(reader) == ["1 A{list=-number:1,list=-number:2,b=null:}", "2 A{list=emptyList:}"])
        #expect(reader.entities == ["A", "B"])
        #expect(reader.model.map { String(decoding: $0, as: UTF8.self) } == model)
    }

    @Test(arguments: PropertyListEncoding.allCases)
    func `Without a table there is an empty list`(_ encoding: PropertyListEncoding) throws {
        for shape in [PropertyListWriter.Shape.array, .document] {
            #expect(Self.outcomes(Self.reader(try Self.write(encoding, shape) { _ in })).isEmpty)
        }
    }

    @Test(arguments: ["a\u{0}b", "\u{1B}", "\u{FFFE}", "\u{FFFF}", "\u{B}"])
    func `Text that XML cannot hold is refused there, and kept in binary`(_ text: String) throws {
        let rows = [[SampleValue.text("ok")], [.text(text)]]
        let error = #expect(throws: GranaryError.self) {
            _ = try Self.write(.xml) { try writeTable($0, entity: "E", columns: ["s"], rows: rows) }
        }
        #expect(error?.code == .refused)
        #expect(error?.diagnostics.first?.entity == "E")
        #expect(error?.diagnostics.first?.property == "s")
        #expect(error?.diagnostics.first?.help == "--plist-encoding binary")

        let binary = try Self.write(.binary) { try writeTable($0, entity: "E", columns: ["s"], rows: rows) }
        #expect(try expectRows(Self.reader(binary) { $0.allowsNUL = true }, ["s"], rows))
        if text.utf8.contains(0) {
            #expect(Self.outcomes(Self.reader(binary)) == ["1 {s=quoted:ok}", "malformed encoding.invalid"])
        }
    }

    @Test(
        .enabled(if: SharedFiles.arePresent, "../shared is not there"), arguments: PropertyListEncoding.allCases)
    func `The naughty strings come back byte for byte`(_ encoding: PropertyListEncoding) throws {
        let all = try naughtyStrings()
        let strings = all.filter { text in
            encoding == .binary
                || !text.unicodeScalars.contains {
                    ($0.value < 0x20 && ![9, 10, 13].contains($0.value)) || [0xFFFE, 0xFFFF].contains($0.value)
                }
        }
        #expect(strings.count > 500)
        let rows = strings.map { [SampleValue.text($0)] }
        let bytes = try Self.write(encoding) { try writeTable($0, entity: "E", columns: ["s"], rows: rows) }
        #expect(try expectRows(Self.reader(bytes) { $0.allowsNUL = true }, ["s"], rows))
    }

    // MARK: Hostile input

    @Test(arguments: PropertyListEncoding.allCases)
    func `A list cut anywhere gives records or an error`(_ encoding: PropertyListEncoding) throws {
        let bytes = try Self.write(encoding, .document, model: #"{"a":1}"#) { writer in
            try writeTable(
                writer, entity: "E", columns: ["a", "b"], rows: [[.integer(1), .text("é")], [.null, .date(0)]])
        }
        // The last line end may go.
        for length in 0..<bytes.count - 1 {
            #expect(Self.outcomes(Self.reader(Array(bytes[..<length]))).last?.hasPrefix("refused") == true, "\(length)")
        }
        #expect(Self.outcomes(Self.reader(bytes)).count == 2)
    }

    @Test(arguments: ["<array>", "<array><dict><key>a</key><array>", "<dict><key>model</key><dict><key>a</key>"])
    func `Deep nesting is refused by its limit`(_ prefix: String) {
        let text = prefix + String(repeating: "<array>", count: 100_000)
        #expect(Self.outcomes(Self.reader(Self.xml(text))) == ["refused limit.exceeded"])
    }

    @Test func `A binary array that holds itself is refused`() throws {
        // bplist00, one array of one reference to itself, its offset table, the trailer.
        var bytes = Array("bplist00".utf8) + [0xA1, 0x00, 0x08]
        bytes += [0, 0, 0, 0, 0, 0, 1, 1] + [0, 0, 0, 0, 0, 0, 0, 1] + [UInt8](repeating: 0, count: 8)
        bytes += [0, 0, 0, 0, 0, 0, 0, 10]
        #expect(Self.outcomes(Self.reader(bytes)) == ["refused limit.exceeded"])
    }

    @Test func `Limits are named`() throws {
        let bytes = Self.xml(
            "<array><dict><key>a</key><string>12345</string><key>b</key><array><true/><true/></array></dict></array>")
        #expect(Self.outcomes(Self.reader(bytes) { $0.maximumFields = 2 }) == ["malformed limit.exceeded"])
        #expect(Self.outcomes(Self.reader(bytes) { $0.maximumRecordBytes = 4 }) == ["malformed limit.exceeded"])
        #expect(Self.outcomes(Self.reader(bytes) { $0.maximumFieldBytes = 4 }) == ["refused limit.exceeded"])
        #expect(Self.outcomes(Self.reader(bytes) { $0.maximumColumns = 1 }) == ["refused limit.exceeded"])
        let binary = try Self.foundation([["a": String(repeating: "x", count: 2000)]], .binary)
        #expect(Self.outcomes(Self.reader(binary) { $0.maximumBinaryBytes = 1000 }) == ["refused limit.exceeded"])
    }

    @Test(
        arguments: [[], [0], Array("bplist00".utf8), Array("{ a = 1; }".utf8), Array("[{\"a\":1}]".utf8)] as [[UInt8]])
    func `What is no property list is refused`(_ bytes: [UInt8]) {
        #expect(Self.outcomes(Self.reader(bytes)) == ["refused plist.syntax"])
    }

    @Test func `Missing files and folders are unreadable`() throws {
        let folder = try TemporaryFolder()
        for url in [folder.url, folder.url.appending(path: "none.plist")] {
            let error = #expect(throws: GranaryError.self) { _ = try PropertyListReader(ByteSource(url: url)) }
            #expect(error?.code == .unreadable)
        }
    }

    @Test(.enabled(if: SharedFiles.arePresent, "../shared is not there"))
    func `No file of the public suites harms the reader`() throws {
        for folder in ["corpora/biplist", "corpora/go-plist", "corpora/jsontestsuite/test_parsing"] {
            for file in try SharedFiles.files(below: folder) {
                _ = Self.outcomes(try PropertyListReader(ByteSource(url: file)))
            }
        }
    }
}
