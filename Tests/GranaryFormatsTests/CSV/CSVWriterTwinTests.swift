import GranaryBase
import TestSupport
import Testing

@testable import GranaryFormats

/// Generated tables in generated dialects, beside a twin that quotes each field by the rule.
@Suite struct CSVWriterTwinTests {
    @Test(arguments: [1, 2, 3] as [UInt64])
    func generatedTables(_ seed: UInt64) throws { try Self.check(200, seed: seed) }

    static func check(_ tables: Int, seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        var count = 0
        while count < tables {
            let options = dialect(&random)
            guard options.contradiction == nil else { continue }
            count += 1
            let width = Int.random(in: 2...5, using: &random)
            let columns = (0..<width).map { ["name", "#", "", "a,b", "\u{FEFF}c", "=x"][$0 % 6] + "\($0)" }
            let rows = SplitRows.rows(Int.random(in: 0...20, using: &random), columns: width, using: &random)
            let expected = CSVWriterTwin(options).text(columns, rows)
            let whole = try bytes(options, columns) { try SplitRows.write(rows[...], into: $0) }
            var splits = random
            let split = try bytes(options, columns) {
                try SplitRows.writeInParts(rows, columns: columns, into: $0, using: &splits)
            }
            random = splits
            if whole != expected {
                Issue.record("\(options): \(String(decoding: whole, as: UTF8.self).debugDescription)")
            }
            #expect(whole == split)
        }
    }

    private static func bytes(
        _ options: CSVWriter.Options, _ columns: [String], _ body: (CSVWriter) throws -> Void
    ) throws -> [UInt8] {
        let output = ByteOutput.memory()
        let writer = try CSVWriter(output, options: options)
        try writer.beginTable(entity: "E", columns: columns)
        try body(writer)
        try writer.endTable()
        try writer.finish(model: nil)
        return output.buffer
    }

    private static func dialect(_ random: inout SeededGenerator) -> CSVWriter.Options {
        func one(_ text: String) -> UInt8 { text.utf8.randomElement(using: &random) ?? 0x2C }
        var options = CSVWriter.Options()
        options.delimiter = one(",,,;\t|-.1:eA")
        options.quote = one("\"\"\"'0")
        options.null = ["", "", "", "NULL", "-", "1", "true", "a", "1.5"].randomElement(using: &random) ?? ""
        options.hasHeader = Bool.random(using: &random)
        options.listSeparator = one(";;,|a-")
        options.comment = Bool.random(using: &random) ? nil : one("#-2t")
        options.dates = Bool.random(using: &random) ? .iso8601 : .seconds
        options.binary = Bool.random(using: &random) ? .base64 : .hex
        options.escapesFormulas = Bool.random(using: &random)
        return options
    }
}

@Suite struct CSVWriterTwinLongTests {
    @Test(arguments: [4, 5] as [UInt64])
    func generatedTables(_ seed: UInt64) throws { try CSVWriterTwinTests.check(5_000, seed: seed) }
}

/// CSV by the rules of its description, field by field.
struct CSVWriterTwin {
    private let options: CSVWriter.Options

    init(_ options: CSVWriter.Options) { self.options = options }

    func text(_ columns: [String], _ rows: [[RowValue]]) -> [UInt8] {
        var lines: [[UInt8]] = []
        if options.hasHeader {
            lines.append(line(columns.enumerated().map { field(Array($1.utf8), isFirst: $0 == 0, isNumber: false) }))
        }
        for row in rows { lines.append(line(row.enumerated().map { field($1, isFirst: $0 == 0) })) }
        return lines.flatMap { $0 + [0x0A] }
    }

    private func line(_ fields: [[UInt8]]) -> [UInt8] { Array(fields.joined(separator: [options.delimiter])) }

    private func field(_ value: RowValue, isFirst: Bool) -> [UInt8] {
        let null = Array(options.null.utf8)
        switch value {
        case .omitted, .single(.null): return null
        case .single(let value): return field(plain(value), isFirst: isFirst, isNumber: Self.isNumber(value))
        case .list(let elements):
            if elements.isEmpty { return null }
            let quoted = elements.map { element -> [UInt8] in
                let text = plain(element)
                let quote = UInt8(ascii: "\"")
                let needsQuotes = text.isEmpty || text.contains(options.listSeparator) || text.contains(quote)
                return needsQuotes ? inQuotes(text, quote) : text
            }
            return field(Array(quoted.joined(separator: [options.listSeparator])), isFirst: isFirst, isNumber: false)
        }
    }

    private func field(_ bytes: [UInt8], isFirst: Bool, isNumber: Bool) -> [UInt8] {
        var text = bytes
        if options.escapesFormulas, !isNumber, let first = text.first,
            Array("=+-@\t\r\n'".utf8).contains(first) || first == 0xEF
        {
            text.insert(UInt8(ascii: "'"), at: 0)
        }
        let special: Set<UInt8> = [options.delimiter, options.quote, 0x0A, 0x0D]
        var needsQuotes = text.isEmpty || text.contains(where: special.contains) || text == Array(options.null.utf8)
        if isFirst, text.first == options.comment || text.starts(with: [0xEF, 0xBB, 0xBF]) { needsQuotes = true }
        return needsQuotes ? inQuotes(text, options.quote) : text
    }

    private func inQuotes(_ text: [UInt8], _ quote: UInt8) -> [UInt8] {
        [quote] + text.flatMap { $0 == quote ? [quote, quote] : [$0] } + [quote]
    }

    private static func isNumber(_ value: SampleValue) -> Bool {
        switch value {
        case .integer, .float, .double, .decimal, .date: true
        case .null, .boolean, .text, .uri, .uuid, .binary: false
        }
    }

    private func plain(_ value: SampleValue) -> [UInt8] {
        SplitTwin.text(value, dates: options.dates, binary: options.binary)
    }
}

enum SplitTwin {
    /// The text of a value, from the functions for arrays, which have tests of their own.
    static func text(_ value: SampleValue, dates: DateStyle, binary: BinaryStyle) -> [UInt8] {
        var bytes: [UInt8] = []
        do {
            try value.borrowed { try ValueText.append($0, dates: dates, binary: binary, to: &bytes) }
        } catch {
            Issue.record("\(error)")
        }
        return bytes
    }
}
