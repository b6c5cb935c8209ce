/// Fields that no spreadsheet runs as a formula.
///
/// Spreadsheets run a field as a formula if it begins with `=`, `+`, `-` or `@`, also after a tab, CR or LF. Such a
/// field gets an apostrophe as its first character, and so does a field that begins with an apostrophe. A reader
/// removes the first apostrophe of each field, which restores the field. Numbers and NULL are written as they are.
package enum SpreadsheetText {
    /// The apostrophe.
    package static let mark = UInt8(ascii: "'")

    /// Whether a field with this first byte gets an apostrophe.
    package static func isEscaped(_ first: UInt8?) -> Bool {
        switch first {
        case UInt8(ascii: "="), UInt8(ascii: "+"), UInt8(ascii: "-"), UInt8(ascii: "@"), 0x09, 0x0A, 0x0D, mark: true
        // The first byte of full-width forms, such as the full-width equals sign, and of U+FEFF.
        case 0xEF: true
        default: false
        }
    }
}
