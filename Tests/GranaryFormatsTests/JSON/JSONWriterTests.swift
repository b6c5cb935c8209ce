import Foundation
import GranaryBase
import GranaryFormats
import TestSupport
import Testing

@Suite struct JSONWriterTests {
    static func write(
        _ shape: JSONWriter.Shape, _ change: (inout JSONWriter.Options) -> Void = { _ in }, model: String? = nil,
        _ body: (JSONWriter) throws -> Void
    ) throws -> [UInt8] {
        var options = JSONWriter.Options()
        options.shape = shape
        change(&options)
        let output = ByteOutput.memory()
        let writer = JSONWriter(output, options: options)
        try body(writer)
        try writer.finish(model: model.map { Array($0.utf8) })
        return try output.finish()
    }

    static func text(_ bytes: [UInt8]) -> String { String(decoding: bytes, as: UTF8.self) }

    static func sampleRows(_ writer: JSONWriter) throws {
        let decimal = ExactDecimal(isNegative: false, mantissa: 12_345_678_901_234_567_890_123, exponent: -3) ?? .zero
        try writeTable(
            writer, entity: "A", columns: ["i", "t", "d", "n"],
            rows: [
                [.integer(9_007_199_254_740_993), .text("é\"\\\n\u{1}\u{7F}/"), .decimal(decimal), .null],
                [.double(0.1), .boolean(true), .date(0.5), .binary([0, 255])],
            ])
    }

    @Test func `An array has an object a line`() throws {
        let bytes = try Self.write(.array) { try Self.sampleRows($0) }
        #expect(
            Self.text(bytes) == #"""
                [
                {"i":9007199254740993,"t":"é\"\\\n\u0001\#u{7F}/","d":12345678901234567890.123,"n":null},
                {"i":0.1,"t":true,"d":"2001-01-01T00:00:00.5Z","n":"AP8="}
                ]

                """#)
    }

    @Test func `JSON Lines has nothing else`() throws {
        let bytes = try Self.write(.lines) {
            $0.dates = .seconds
            $0.binary = .hex
        } _: {
            try Self.sampleRows($0)
        }
        #expect(
            Self.text(bytes) == #"""
                {"i":9007199254740993,"t":"é\"\\\n\u0001\#u{7F}/","d":12345678901234567890.123,"n":null}
                {"i":0.1,"t":true,"d":0.5,"n":"00ff"}

                """#)
    }

    @Test func `A document has entities and the model`() throws {
        let bytes = try Self.write(.document, model: #"{"v": 1}"#) { writer in
            try writeTable(writer, entity: "A", columns: ["x"], rows: [[.integer(1)], []])
            try writeTable(writer, entity: "B", columns: [], rows: [])
            try writer.beginTable(entity: "C", columns: ["x", "list"])
            try writer.beginRow()
            try writer.beginList(column: 1)
            try writer.writeElement(.integer(1))
            try writer.writeElement(.null)
            try writer.endList()
            try writer.endRow()
            try writer.beginRow()
            try writer.beginList(column: 1)
            try writer.endList()
            try writer.endRow()
            try writer.endTable()
        }
        #expect(
            Self.text(bytes) == #"""
                {
                "entities": {
                "A": [
                {"x":1},
                {}
                ],
                "B": [],
                "C": [
                {"list":[1,null]},
                {"list":[]}
                ]
                },
                "model": {"v": 1}
                }

                """#)
        let reader = JSONReader(ByteSource(bytes: bytes, name: "x"))
        let result = RecordText(reading: reader)
        #expect(result.outcomes.count == 4)
        #expect(result.outcomes[2].hasSuffix("C{list=-number:1,list=-null:}"))
        #expect(result.outcomes[3].hasSuffix("C{list=emptyList:}"))
        #expect(reader.model == Array(#"{"v": 1}"#.utf8))
    }

    @Test func `Without a table there is an empty document`() throws {
        #expect(Self.text(try Self.write(.array) { _ in }) == "[]\n")
        #expect(Self.text(try Self.write(.lines) { _ in }) == "")
        let document = try Self.write(.document) { _ in }
        #expect(Self.text(document) == "{\n\"entities\": {}\n}\n")
        #expect(RecordText(reading: JSONReader(ByteSource(bytes: document, name: "x"))).outcomes.isEmpty)
    }

    @Test(arguments: [JSONWriter.Shape.array, .lines, .document])
    func `All kinds of values come back bit for bit`(_ shape: JSONWriter.Shape) throws {
        let (columns, rows) = SampleValue.rows(300, seed: 7)
        let bytes = try Self.write(shape) { try writeTable($0, entity: "E", columns: columns, rows: rows) }
        var options = JSONReader.Options()
        options.lines = shape == .lines
        options.chunkSize = 1000
        #expect(try expectRows(JSONReader(ByteSource(bytes: bytes, name: "x"), options: options), columns, rows))
    }

    @Test func `Foundation reads the same values`() throws {
        let (columns, rows) = SampleValue.rows(100, seed: 8)
        let bytes = try Self.write(.array) { try writeTable($0, entity: "E", columns: columns, rows: rows) }
        let objects = try #require(try JSONSerialization.jsonObject(with: Data(bytes)) as? [[String: Any]])
        #expect(objects.count == rows.count)
        for (object, row) in zip(objects, rows) {
            for (column, value) in zip(columns, row) {
                switch value {
                case .null: #expect(object[column] is NSNull)
                case .boolean(let value): #expect(object[column] as? Bool == value)
                case .integer(let value): #expect(object[column] as? Int64 == value)
                case .double(let value):
                    // Foundation goes through Decimal and misses the last digits; ours are compared bit for bit above.
                    let theirs = try #require(object[column] as? Double)
                    #expect(abs(theirs - value) <= abs(value) * 1e-14)
                case .text(let value), .uri(let value):
                    #expect((object[column] as? String).map { Array($0.utf8) } == Array(value.utf8))
                case .uuid(let value): #expect(object[column] as? String == value.uuidString)
                case .binary(let value): #expect(object[column] as? String == Data(value).base64EncodedString())
                case .float, .decimal, .date: #expect(object[column] != nil)
                }
            }
        }
    }

    @Test(arguments: [Double.nan, .infinity, -.infinity])
    func `What is no finite number is refused with its place`(_ value: Double) throws {
        for borrowed in [BorrowedValue.double(value), .float(Float(value)), .date(value)] {
            let error = #expect(throws: GranaryError.self) {
                _ = try Self.write(.array) { writer in
                    try writer.beginTable(entity: "E", columns: ["a", "b"])
                    try writer.beginRow()
                    try writer.write(borrowed, column: 1)
                }
            }
            #expect(error?.code == .refused)
            #expect(error?.diagnostics.first?.code == .valueRange)
            #expect(error?.diagnostics.first?.entity == "E")
            #expect(error?.diagnostics.first?.property == "b")
        }
    }

    @Test func `An array holds one entity, a document each once`() throws {
        for (shape, second) in [(JSONWriter.Shape.array, "B"), (.lines, "B"), (.document, "A")] {
            let error = #expect(throws: GranaryError.self) {
                _ = try Self.write(shape) { writer in
                    try writeTable(writer, entity: "A", columns: [], rows: [])
                    try writeTable(writer, entity: second, columns: [], rows: [])
                }
            }
            #expect(error?.code == .usage)
        }
    }

    @Test(.enabled(if: SharedFiles.arePresent, "../shared is not there"), arguments: [false, true])
    func `The naughty strings come back byte for byte`(_ lines: Bool) throws {
        let strings = try naughtyStrings()
        let rows = strings.map { [SampleValue.text($0)] }
        let bytes = try Self.write(lines ? .lines : .array) {
            try writeTable($0, entity: "E", columns: ["s"], rows: rows)
        }
        var options = JSONReader.Options()
        options.lines = lines
        options.chunkSize = 7
        #expect(try expectRows(JSONReader(ByteSource(bytes: bytes, name: "x"), options: options), ["s"], rows))
    }
}

/// All strings of the big list of naughty strings.
func naughtyStrings() throws -> [String] {
    let data = try Data(contentsOf: SharedFiles.url("corpora/blns/blns.json"))
    let strings = try #require(try JSONSerialization.jsonObject(with: data) as? [String])
    #expect(strings.count > 400)
    return strings
}
