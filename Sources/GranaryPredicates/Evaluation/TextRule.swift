import Foundation
import GranaryBase

/// How a comparison of predicates compares text.
///
/// Folding is Foundation's, without a locale. Folded texts compare by their UTF-8 bytes.
package struct TextRule: Sendable, Hashable {
    /// `[c]`.
    package let ignoresCase: Bool
    /// `[d]`.
    package let ignoresMarks: Bool
    /// `[l]`: equality and order follow the current locale.
    package let isLocalized: Bool

    /// The rule of a comparison's options. With `[n]` the others have no effect.
    package init(_ options: ObjectPredicate.Options) {
        let isPlain = options.contains(.normalized)
        ignoresCase = !isPlain && options.contains(.caseInsensitive)
        ignoresMarks = !isPlain && options.contains(.diacriticInsensitive)
        isLocalized = !isPlain && options.contains(.localeSensitive)
    }

    /// By the UTF-8 bytes.
    package static let bytes = TextRule([])

    /// Whether texts are folded before they are compared.
    package var isFolding: Bool { ignoresCase || ignoresMarks }

    private var compareOptions: String.CompareOptions {
        var options: String.CompareOptions = []
        if ignoresCase { options.insert(.caseInsensitive) }
        if ignoresMarks { options.insert(.diacriticInsensitive) }
        return options
    }

    /// The folded text.
    package func folded(_ text: String) -> String {
        guard isFolding else { return text }
        return text.folding(options: compareOptions, locale: nil)
    }

    /// The bytes of the folded text.
    package func foldedBytes(_ text: String) -> [UInt8] { withBytes(of: text) { Array($0) } }

    /// The text without diacritic marks if the rule ignores them, and with its case.
    func withoutMarks(_ text: String) -> String {
        guard ignoresMarks else { return text }
        return text.folding(options: .diacriticInsensitive, locale: nil)
    }

    /// Calls `body` with the bytes of the folded text. Without folding, and for ASCII, the text is not copied to the
    /// heap.
    func withBytes<Result>(of text: String, _ body: (UnsafeBufferPointer<UInt8>) -> Result) -> Result {
        Self.withUTF8(text) { bytes in
            withFolded(bytes, { text }, body)
        }
    }

    /// Calls `body` with the folded bytes of a text in UTF-8.
    package func withBytes<Result>(
        of bytes: UnsafeBufferPointer<UInt8>, _ body: (UnsafeBufferPointer<UInt8>) -> Result
    ) -> Result {
        withFolded(bytes, { String(decoding: bytes, as: UTF8.self) }, body)
    }

    private func withFolded<Result>(
        _ bytes: UnsafeBufferPointer<UInt8>, _ text: () -> String, _ body: (UnsafeBufferPointer<UInt8>) -> Result
    ) -> Result {
        guard isFolding, !bytes.isEmpty else { return body(bytes) }
        guard UTF8Text.endOfASCII(bytes, from: 0) == bytes.count else { return Self.withUTF8(folded(text()), body) }
        // ASCII has no marks, and its folding is that of its letters.
        guard ignoresCase else { return body(bytes) }
        return withUnsafeTemporaryAllocation(of: UInt8.self, capacity: bytes.count) { buffer in
            for (index, byte) in bytes.enumerated() {
                buffer[index] = byte >= 0x41 && byte <= 0x5A ? byte | 0x20 : byte
            }
            return body(UnsafeBufferPointer(buffer))
        }
    }

    private static func withUTF8<Result>(
        _ text: String, _ body: (UnsafeBufferPointer<UInt8>) -> Result
    ) -> Result {
        if let result = text.utf8.withContiguousStorageIfAvailable(body) { return result }
        var native = text
        return native.withUTF8(body)
    }

    // MARK: - Comparing

    /// Negative, zero or positive.
    func order(_ left: String, _ right: String) -> Int {
        if isLocalized {
            return left.compare(right, options: compareOptions, range: nil, locale: .current).rawValue
        }
        return withBytes(of: left) { left in
            withBytes(of: right) { right in ByteText.order(left, right) }
        }
    }

    func areEqual(_ left: String, _ right: String) -> Bool {
        if isLocalized { return order(left, right) == 0 }
        return withBytes(of: left) { left in
            withBytes(of: right) { right in ByteText.areEqual(left, right) }
        }
    }
}
