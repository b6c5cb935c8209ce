import Foundation
import GranaryBase
import GranaryGeneration
import GranaryModel
import GranaryPredicates

extension ReplacementGroup {
    /// The result for one value.
    enum Result<Value> {
        case replaced(Value)
        case kept(String)
        /// No candidate was accepted.
        case refused
    }

    private enum Limits {
        /// The number of texts of the same shape that are tried with one bijection. If a rule needs certain letters,
        /// all attempts fail for each value. If a rule allows one of 40 texts, they almost never all fail.
        static let attempts = 200
        /// The number of characters of these texts together, so that long texts take no minutes.
        static let characters = 400_000
        /// A longer text is replaced in pieces of this number of characters, each of which takes some 40 bytes for each
        /// character.
        static let piece = 1 << 18
    }

    /// Finds a replacement of a text.
    ///
    /// The candidates are, in this order: words from lists; letters and digits of the same kinds; the same letters with
    /// other digits; values that are generated for the attribute's rules.
    ///
    /// - Throws: `interrupted` during a long text.
    func text(
        _ original: String, isURI: Bool, _ domain: () -> ValueDomain?, _ attempt: inout Attempt
    ) throws(GranaryError) -> Result<String> {
        if comparesUUIDs, let uuid = UUID(uuidString: original) {
            return text(of: uuid, isLowercase: original == original.lowercased(), &attempt)
        }
        guard original.utf8.count <= Limits.piece else { return try longText(original, isURI: isURI, &attempt) }
        let shaped = ShapedText(original, isURI: isURI, &table)
        guard !shaped.isFixed else { return keptWithoutLetters(attempt) }
        if !isURI, let text = words.replacement(of: original, &table), accepts(text, isURI: isURI, &attempt) {
            return .replaced(text)
        }
        let limit = max(4, min(Limits.attempts, Limits.characters / max(1, original.utf8.count)))
        let digits = ShapedText(original, extent: .digits, isURI: isURI, &table)
        // Further bijections do not help where one leads to too many texts that break a rule.
        var (isHopeless, areDigitsHopeless) = (false, digits.isFixed)
        for variant in 0..<variants where !isHopeless || !areDigitsHopeless {
            if !isHopeless {
                switch scrambled(shaped, variant, limit, isURI, &attempt) {
                case .found(let text):
                    attempt.isDigitsOnly = shaped.keepsLetters(text)
                    return .replaced(text)
                // The other candidates are the images of other values.
                case .closed where isUnique: return ending(attempt)
                case .closed: break
                case .unfinished: isHopeless = true
                }
            }
            if !areDigitsHopeless {
                let violation = attempt.violation
                switch scrambled(digits, variant, limit, isURI, &attempt) {
                case .found(let text):
                    attempt.isDigitsOnly = shaped.keepsLetters(text)
                    return .replaced(text)
                case .closed: break
                case .unfinished: areDigitsHopeless = true
                }
                // The message of a refusal has the text that broke a rule, and these have the letters of the value.
                attempt.violation = violation
            }
        }
        if let domain = domain() {
            for draw in 0..<UInt64(limit) {
                let value = domain.value(at: stream("domain").number(attempt.original, draw: draw, below: domain.size))
                guard case .string(let text) = value else { break }
                if accepts(text, isURI: isURI, &attempt) { return .replaced(text) }
            }
        }
        return ending(attempt)
    }

    private func keptWithoutLetters(_ attempt: Attempt) -> Result<String> {
        reserve(attempt)
        return .kept("no letters and digits")
    }

    /// Finds a replacement of a long text: letters and digits of the same kinds, piece by piece.
    private func longText(
        _ original: String, isURI: Bool, _ attempt: inout Attempt
    ) throws(GranaryError) -> Result<String> {
        var rest = original.unicodeScalars[...]
        var text = ""
        var isFixed = true
        var hasEscapes = false
        while !rest.isEmpty {
            try Cancellation.current?.check()
            var piece = rest.prefix(Limits.piece)
            if piece.endIndex < rest.endIndex, let percent = piece.suffix(2).firstIndex(of: "%") {
                // A percent escape is not divided.
                piece = piece[..<percent]
            }
            rest = rest[piece.endIndex...]
            var shaped = ShapedText(
                String(piece), isURI: isURI && text.isEmpty, continuesURI: hasEscapes, &table)
            hasEscapes = shaped.hasEscapes
            isFixed = isFixed && shaped.isFixed
            shaped.scramble(cipher(0), table)
            text += shaped.text
        }
        guard !isFixed else { return keptWithoutLetters(attempt) }
        return accepts(text, isURI: isURI, &attempt) ? .replaced(text) : ending(attempt)
    }

    /// The result without an accepted candidate.
    func ending<Value>(_ attempt: Attempt) -> Result<Value> {
        keeps(attempt) ? .kept("no other value of the same shape is free") : .refused
    }

    /// How a search among texts of one shape ended.
    private enum Search {
        case found(String)
        /// All texts that the bijection leads to were tried.
        case closed
        case unfinished
    }

    /// Applies the bijection of a shape again and again, until a text is accepted or the original comes again. So texts
    /// that keep the rules have different replacements that keep the rules.
    private func scrambled(
        _ original: ShapedText, _ variant: Int, _ limit: Int, _ isURI: Bool, _ attempt: inout Attempt
    ) -> Search {
        var shaped = original
        let start = original.text
        let cipher = self.cipher(variant)
        for _ in 0..<limit {
            shaped.scramble(cipher, table)
            let text = shaped.text
            if text.utf8.elementsEqual(start.utf8) { return .closed }
            if accepts(text, isURI: isURI, &attempt) { return .found(text) }
        }
        return .unfinished
    }

    private func accepts(_ text: String, isURI: Bool, _ attempt: inout Attempt) -> Bool {
        Array(text.utf8).withUnsafeBufferPointer { bytes in
            guard isURI else { return accepts(.text(bytes), &attempt) }
            // Foundation must be able to read it.
            guard AttributeValue(.uri(bytes)) != nil else { return false }
            return accepts(.uri(bytes), &attempt)
        }
    }
}
