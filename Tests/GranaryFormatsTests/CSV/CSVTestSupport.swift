import GranaryBase

@testable import GranaryFormats

/// One outcome of reading, as plain values to compare.
enum Outcome: Equatable, CustomStringConvertible {
    case record(fields: [String], number: Int, line: Int, offset: Int, raw: [UInt8])
    case malformed(code: String, line: Int, column: Int, offset: Int?, record: Int?, raw: [UInt8])
    case thrown(code: String, line: Int?, column: Int?, offset: Int?)

    var description: String {
        switch self {
        case .record(let fields, let number, let line, let offset, let raw):
            "#\(number) \(line)@\(offset) \(fields) \(String(decoding: raw, as: UTF8.self).debugDescription)"
        case .malformed(let code, let line, let column, let offset, let record, let raw):
            "\(code) \(line):\(column)@\(offset ?? -1) #\(record ?? -1) \(String(decoding: raw, as: UTF8.self).debugDescription)"
        case .thrown(let code, let line, let column, let offset):
            "thrown \(code) \(line ?? -1):\(column ?? -1)@\(offset ?? -1)"
        }
    }

    var fields: [String]? {
        if case .record(let fields, _, _, _, _) = self { fields } else { nil }
    }
}

struct Reading: Equatable {
    var columns: [String] = []
    var outcomes: [Outcome] = []
    var skippedBlankLines = 0

    /// The whole records' fields.
    var records: [[String]] { outcomes.compactMap(\.fields) }

    /// Reads everything that a reader gives.
    static func of(_ reader: any RecordReader) -> Reading {
        var result = Reading()
        var record = Record()
        do throws(GranaryError) {
            try reader.readHeader()
            loop: while true {
                switch try reader.next(into: &record) {
                case .record:
                    result.outcomes.append(
                        .record(
                            fields: record.fields.map { text($0, of: record) }, number: record.number,
                            line: record.line, offset: record.byteOffset, raw: record.raw))
                case .malformed(let diagnostic):
                    let place = diagnostic.position
                    result.outcomes.append(
                        .malformed(
                            code: diagnostic.code.rawValue, line: place?.line ?? 0, column: place?.column ?? 0,
                            offset: place?.byteOffset, record: place?.record, raw: record.raw))
                case .end: break loop
                }
            }
        } catch {
            let diagnostic = error.diagnostics.first
            result.outcomes.append(
                .thrown(
                    code: diagnostic?.code.rawValue ?? "\(error.code)", line: diagnostic?.position?.line,
                    column: diagnostic?.position?.column, offset: diagnostic?.position?.byteOffset))
        }
        result.columns = reader.columns
        result.skippedBlankLines = (reader as? CSVReader)?.skippedBlankLines ?? 0
        return result
    }

    /// Reads CSV from bytes; a quoted field is shown in `<>`, a bare one as it is.
    static func csv(
        _ bytes: [UInt8], _ options: CSVReader.Options = .init(), chunkBytes: Int = 1 << 16
    ) throws -> Reading {
        var options = options
        options.blankLines = .null
        return of(try CSVReader(ByteSource(bytes: bytes, name: "test.csv"), options: options, chunkBytes: chunkBytes))
    }

    static func csv(_ text: String, _ options: CSVReader.Options = .init()) throws -> Reading {
        try csv(Array(text.utf8), options)
    }

    private static func text(_ field: Record.Field, of record: Record) -> String {
        let text = String(decoding: record.bytes[Int(field.start)..<Int(field.end)], as: UTF8.self)
        return field.kind == .quoted ? "<\(text)>" : text
    }
}

extension CSVReader.Options {
    static func headerless(_ columns: [String]? = nil) -> Self {
        var options = Self()
        options.hasHeader = false
        options.columns = columns
        return options
    }

    func with(_ change: (inout Self) -> Void) -> Self {
        var options = self
        change(&options)
        return options
    }
}
