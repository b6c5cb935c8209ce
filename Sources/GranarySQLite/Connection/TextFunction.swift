internal import CSQLite
internal import Foundation

/// SQL functions of one text.
enum TextFunction {
    /// Answers with the text made of the one argument: NULL for NULL; of a number its digits. Bytes that are no UTF-8
    /// become U+FFFD, and U+0000 survives.
    static func answer(
        _ context: OpaquePointer?, _ values: UnsafeMutablePointer<OpaquePointer?>?, _ transform: (String) -> String
    ) {
        // In this order: the count is that of the form that the first call made.
        guard let value = values?.pointee, let start = sqlite3_value_text(value) else {
            sqlite3_result_null(context)
            return
        }
        let count = Int(sqlite3_value_bytes(value))
        var result = transform(String(decoding: UnsafeBufferPointer(start: start, count: count), as: UTF8.self))
        result.withUTF8 { granary_result_text_copied(context, $0.baseAddress, UInt64($0.count)) }
    }

    /// Without regard to case and diacritics, as `canonical:` of a derived attribute.
    static func canonical(_ text: String) -> String {
        // Foundation's way is a slow one, and most text is ASCII.
        guard !text.utf8.allSatisfy({ $0 < 0x80 }) else { return text.lowercased() }
        return text.folding(options: [.caseInsensitive, .diacriticInsensitive], locale: nil)
    }
}
