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
        _ bytes: UnsafeBufferPointer<UInt8>, isURI: Bool, _ domain: () -> ValueDomain?, _ attempt: inout Attempt
    ) throws(GranaryError) -> Result<[UInt8]> {
        if comparesUUIDs, bytes.count == 36 {
            let text = String(decoding: bytes, as: UTF8.self)
            if let uuid = UUID(uuidString: text) {
                return self.text(of: uuid, isLowercase: text == text.lowercased(), &attempt)
            }
        }
        guard bytes.count <= Limits.piece else {
            return try longText(String(decoding: bytes, as: UTF8.self), isURI: isURI, &attempt)
        }
        let original = TextScalars.scalars(bytes)
        if !isURI, let text = words.replacement(of: original, &table),
            let text = accepted(text, isURI: isURI, &attempt)
        {
            return .replaced(text)
        }
        let shaped = ShapedText(original, isURI: isURI, &table)
        guard !shaped.isFixed else { return keptWithoutLetters(attempt) }
        let limit = max(4, min(Limits.attempts, Limits.characters / max(1, bytes.count)))
        var digits: ShapedText?
        // Further bijections do not help where one leads to too many texts that break a rule.
        var (isHopeless, areDigitsHopeless) = (false, false)
        for variant in 0..<variants where !isHopeless || !areDigitsHopeless {
            if !isHopeless {
                switch scrambled(shaped, variant, limit, isURI, &attempt) {
                case .found(let text, let scalars):
                    attempt.isDigitsOnly = shaped.keepsLetters(scalars)
                    return .replaced(text)
                // The other candidates are the images of other values.
                case .closed where isUnique: return ending(attempt)
                case .closed: break
                case .unfinished: isHopeless = true
                }
            }
            if !areDigitsHopeless {
                let known = digits ?? ShapedText(original, extent: .digits, isURI: isURI, &table)
                digits = known
                areDigitsHopeless = known.isFixed
                let violation = attempt.violation
                switch scrambled(known, variant, known.isFixed ? 0 : limit, isURI, &attempt) {
                case .found(let text, let scalars):
                    attempt.isDigitsOnly = shaped.keepsLetters(scalars)
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
                if let text = accepted(Array(text.utf8), isURI: isURI, &attempt) { return .replaced(text) }
            }
        }
        return ending(attempt)
    }

    private func keptWithoutLetters(_ attempt: Attempt) -> Result<[UInt8]> {
        reserve(attempt)
        return .kept("no letters and digits")
    }

    /// Finds a replacement of a long text: letters and digits of the same kinds, piece by piece.
    private func longText(
        _ original: String, isURI: Bool, _ attempt: inout Attempt
    ) throws(GranaryError) -> Result<[UInt8]> {
        var rest = original.unicodeScalars[...]
        var text: [UInt8] = []
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
                Array(piece), isURI: isURI && text.isEmpty, continuesURI: hasEscapes, &table)
            hasEscapes = shaped.hasEscapes
            isFixed = isFixed && shaped.isFixed
            shaped.scramble(cipher(0), table)
            text += TextScalars.utf8(shaped.scalars)
        }
        guard !isFixed else { return keptWithoutLetters(attempt) }
        return accepted(text, isURI: isURI, &attempt).map { .replaced($0) } ?? ending(attempt)
    }

    /// The result without an accepted candidate.
    func ending<Value>(_ attempt: Attempt) -> Result<Value> {
        keeps(attempt) ? .kept("no other value of the same shape is free") : .refused
    }

    /// How a search among texts of one shape ended.
    private enum Search {
        case found([UInt8], [Unicode.Scalar])
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
        let cipher = self.cipher(variant)
        for _ in 0..<limit {
            shaped.scramble(cipher, table)
            if shaped.scalars == original.scalars { return .closed }
            if let text = accepted(shaped.scalars, isURI: isURI, &attempt) { return .found(text, shaped.scalars) }
        }
        return .unfinished
    }

    private func accepted(_ scalars: [Unicode.Scalar], isURI: Bool, _ attempt: inout Attempt) -> [UInt8]? {
        accepted(TextScalars.utf8(scalars), isURI: isURI, &attempt)
    }

    private func accepted(_ text: [UInt8], isURI: Bool, _ attempt: inout Attempt) -> [UInt8]? {
        let isAccepted = text.withUnsafeBufferPointer { bytes in
            guard isURI else { return accepts(.text(bytes), &attempt) }
            // Foundation must be able to read it.
            guard AttributeValue(.uri(bytes)) != nil else { return false }
            return accepts(.uri(bytes), &attempt)
        }
        return isAccepted ? text : nil
    }
}
