import Foundation

/// Texts that are compared without case and diacritics.
package enum CanonicalText {
    /// The text without case and diacritics, as with `canonical:` in a derived attribute.
    package static func canonical(_ text: String) -> String {
        // Foundation's folding is slow, and most text is ASCII.
        guard !text.utf8.allSatisfy({ $0 < 0x80 }) else { return text.lowercased() }
        return text.folding(options: [.caseInsensitive, .diacriticInsensitive], locale: nil)
    }
}
