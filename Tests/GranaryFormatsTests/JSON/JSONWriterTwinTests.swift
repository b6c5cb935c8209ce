import GranaryBase
import GranaryFormats
import TestSupport
import Testing

/// Generated tables in each shape, beside a twin that joins texts.
@Suite struct JSONWriterTwinTests {
    @Test(arguments: [JSONWriter.Shape.array, .lines, .document])
    func generatedTables(_ shape: JSONWriter.Shape) throws { try Self.check(100, shape, seed: 1) }

    static func check(_ documents: Int, _ shape: JSONWriter.Shape, seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        for _ in 0..<documents {
            var options = JSONWriter.Options()
            options.shape = shape
            options.dates = Bool.random(using: &random) ? .iso8601 : .seconds
            options.binary = Bool.random(using: &random) ? .base64 : .hex
            var tables: [JSONWriterTwin.Table] = []
            for number in 0..<(shape == .document ? 3 : 1) {
                let width = Int.random(in: 1...5, using: &random)
                let columns = (0..<width).map { ["name", "a\"b", "é", "x\\y", "\u{1}"][$0 % 5] + "\($0)" }
                let rows = SplitRows.rows(Int.random(in: 0...15, using: &random), columns: width, using: &random)
                tables.append(JSONWriterTwin.Table(entity: "E\"\(number)", columns: columns, rows: rows))
            }
            let expected = JSONWriterTwin(options).text(tables)
            let whole = try bytes(options, tables) { try SplitRows.write($0.rows[...], into: $1) }
            var splits = random
            let split = try bytes(options, tables) {
                try SplitRows.writeInParts($0.rows, columns: $0.columns, into: $1, using: &splits)
            }
            random = splits
            if whole != expected { Issue.record("\(String(decoding: whole, as: UTF8.self).debugDescription)") }
            #expect(whole == split)
        }
    }

    private static func bytes(
        _ options: JSONWriter.Options, _ tables: [JSONWriterTwin.Table],
        _ body: (JSONWriterTwin.Table, JSONWriter) throws -> Void
    ) throws -> [UInt8] {
        let output = ByteOutput.memory()
        let writer = JSONWriter(output, options: options)
        for table in tables {
            try writer.beginTable(entity: table.entity, columns: table.columns)
            try body(table, writer)
            try writer.endTable()
        }
        try writer.finish(model: nil)
        return output.buffer
    }
}

@Suite struct JSONWriterTwinLongTests {
    @Test(arguments: [JSONWriter.Shape.array, .lines, .document])
    func generatedTables(_ shape: JSONWriter.Shape) throws { try JSONWriterTwinTests.check(5_000, shape, seed: 2) }
}

/// JSON as texts that are joined.
struct JSONWriterTwin {
    struct Table {
        let entity: String
        let columns: [String]
        let rows: [[RowValue]]
    }

    private let options: JSONWriter.Options

    init(_ options: JSONWriter.Options) { self.options = options }

    func text(_ tables: [Table]) -> [UInt8] {
        var parts: [String] = []
        for table in tables {
            let rows = table.rows.map { object($0, table.columns) }
            switch options.shape {
            case .lines: parts.append(rows.map { $0 + "\n" }.joined())
            case .array: parts.append("[" + lines(rows) + "]\n")
            case .document: parts.append("\(string(Array(table.entity.utf8))): [\(lines(rows))]")
            }
        }
        if options.shape != .document { return Array(parts.joined().utf8) }
        return Array("{\n\"entities\": {\n\(parts.joined(separator: ",\n"))\n}\n}\n".utf8)
    }

    private func lines(_ rows: [String]) -> String {
        rows.isEmpty ? "" : "\n" + rows.joined(separator: ",\n") + "\n"
    }

    private func object(_ row: [RowValue], _ columns: [String]) -> String {
        var members: [String] = []
        for (name, value) in zip(columns, row) {
            let text: String
            switch value {
            case .omitted: continue
            case .single(let value): text = single(value)
            case .list(let elements): text = "[" + elements.map { single($0) }.joined(separator: ",") + "]"
            }
            members.append("\(string(Array(name.utf8))):\(text)")
        }
        return "{" + members.joined(separator: ",") + "}"
    }

    private func single(_ value: SampleValue) -> String {
        let text = SplitTwin.text(value, dates: options.dates, binary: options.binary)
        switch value {
        case .null: return "null"
        case .text, .uri, .uuid, .binary: return string(text)
        case .date: return options.dates == .iso8601 ? string(text) : String(decoding: text, as: UTF8.self)
        case .boolean, .integer, .float, .double, .decimal: return String(decoding: text, as: UTF8.self)
        }
    }

    private func string(_ bytes: [UInt8]) -> String {
        var escaped: [UInt8] = []
        for byte in bytes {
            switch byte {
            case UInt8(ascii: "\""): escaped += Array("\\\"".utf8)
            case UInt8(ascii: "\\"): escaped += Array("\\\\".utf8)
            case 0x08: escaped += Array("\\b".utf8)
            case 0x09: escaped += Array("\\t".utf8)
            case 0x0A: escaped += Array("\\n".utf8)
            case 0x0C: escaped += Array("\\f".utf8)
            case 0x0D: escaped += Array("\\r".utf8)
            case 0..<0x20:
                let digits = String(byte, radix: 16)
                escaped += Array("\\u00\(digits.utf8.count < 2 ? "0" : "")\(digits)".utf8)
            default: escaped.append(byte)
            }
        }
        return "\"\(String(decoding: escaped, as: UTF8.self))\""
    }
}
