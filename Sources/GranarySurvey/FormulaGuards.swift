import GranaryBase
import GranaryFormats

/// Counts the apostrophes that `granary export --spreadsheet` puts before fields that a spreadsheet would run as formulas.
struct FormulaGuards {
    /// The number of fields with an apostrophe before a character that begins a formula.
    private(set) var guarded = 0
    /// The number of fields that such an export does not write: a formula without an apostrophe, or another text that
    /// begins with an apostrophe.
    private var others = 0
    private(set) var first: String?

    /// Whether all fields are as an export for spreadsheets writes them.
    var areConsistent: Bool { guarded > 0 && others == 0 }

    mutating func add(_ text: UnsafeBufferPointer<UInt8>) {
        guard let start = text.first, SpreadsheetText.isEscaped(start) else { return }
        if start == SpreadsheetText.mark {
            guard text.count > 1, SpreadsheetText.isEscaped(text[1]) else {
                others += 1
                return
            }
            guarded += 1
            if first == nil { first = Diagnostic.shortened(String(decoding: text, as: UTF8.self)) }
        } else if start != 0xEF, !Self.isNumber(text) {
            others += 1
        }
    }

    /// Whether a text that begins with a sign is a number, which has no apostrophe.
    private static func isNumber(_ text: UnsafeBufferPointer<UInt8>) -> Bool {
        text.count > 1
            && text.dropFirst().allSatisfy { byte in
                (0x30...0x39).contains(byte) || ".,eE+-".utf8.contains(byte)
            }
    }
}
