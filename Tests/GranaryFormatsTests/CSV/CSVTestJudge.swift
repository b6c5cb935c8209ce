import GranaryBase

@testable import GranaryFormats

/// Columns by letters: `i` digits, `d` the shape of a date, `t` any text. A capital letter allows an empty field.
final class CSVTestJudge: FieldTypeCheck {
    private let kinds: [UInt8]

    init(_ kinds: String) { self.kinds = Array(kinds.utf8) }

    func accepts(_ field: Record.Field, _ bytes: UnsafeBufferPointer<UInt8>, column: Int) -> Bool {
        let text = Array(bytes[Int(field.start)..<Int(field.end)])
        let isDigits = text.allSatisfy { $0 >= 0x30 && $0 <= 0x39 }
        if text.isEmpty, field.kind == .text, kinds[column] & 0x20 == 0 { return true }
        return switch kinds[column] | 0x20 {
        case UInt8(ascii: "i"): !text.isEmpty && isDigits
        case UInt8(ascii: "d"): text.count == 10 && text[4] == 0x2D && text[7] == 0x2D
        default: true
        }
    }

    func canReject(column: Int) -> Bool { kinds[column] | 0x20 != UInt8(ascii: "t") }
}

extension Reading {
    /// What a reader gives, one text each: a record's physical line and bytes, or a diagnostic and the bytes.
    /// Line ends are shown as `⏎` and `␍`.
    static func transcript(
        _ text: String, judge: String?, _ options: CSVReader.Options = .init(), chunkBytes: Int = 1 << 18
    ) throws -> [String] {
        let source = ByteSource(bytes: Array(text.utf8), name: "t.csv")
        let reader = try CSVReader(source, options: options, chunkBytes: chunkBytes)
        var record = Record()
        var result: [String] = []
        do throws(GranaryError) {
            try reader.readHeader()
            if let judge { reader.judge = CSVTestJudge(judge) }
            loop: while true {
                switch try reader.next(into: &record) {
                case .record: result.append("\(record.line) \(visible(record.raw))")
                case .malformed(let diagnostic): result.append("\(diagnostic) \(visible(record.raw))")
                case .end: break loop
                }
            }
        } catch {
            result += error.diagnostics.map(\.description)
        }
        return result
    }

    private static func visible(_ raw: [UInt8]) -> String {
        var text = ""
        for scalar in String(decoding: raw, as: UTF8.self).unicodeScalars {
            text.unicodeScalars.append(scalar == "\n" ? "⏎" : scalar == "\r" ? "␍" : scalar)
        }
        return text
    }
}
