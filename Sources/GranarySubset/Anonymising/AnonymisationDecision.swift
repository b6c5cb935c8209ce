import GranaryBase
package import GranaryGeneration

extension AnonymisationRules {
    /// The decision on an attribute.
    package enum Decision: Sendable, Hashable {
        /// The values stay as they are.
        case keep
        /// Another value of the same shape: that of `--anonymise`.
        case replace
        /// As ``replace``; equal values of all attributes with this name of a group become equal.
        case replaceIn(String)
        /// No value.
        case null
        /// Always the same text.
        case constant(String)
        /// The beginning of HMAC-SHA-256 of the text, in hexadecimal digits. With the same key, the same text has the same
        /// digits in every store.
        case hash
        /// Each letter and digit becomes `*`, except the first and last ones.
        case mask(first: Int, last: Int)
        /// A value of a generator; equal values become equal.
        case generate(GeneratorSpecification, text: String)
        /// A number near the value.
        case noise(NoiseBounds)
        /// Another date; all dates of one object move by the same time.
        case shift(DateShift)
        /// A text with new values of other attributes.
        case template(ReplacementTemplate)

        package static let forms =
            "keep, replace, replace in GROUP, null, hash, \"constant: TEXT\", mask [keep first N] [last N], generate KIND, "
            + "noise N% or A..B, shift N days [of RELATIONSHIP], or \"template: TEXT\""

        package struct Problem: Error {
            let message: String
        }

        /// The text of ``constant(_:)``; empty for others.
        var constant: String { if case .constant(let text) = self { text } else { "" } }

        /// Whether different values can become equal. A generator gives different ones to a unique attribute.
        var mergesValues: Bool {
            switch self {
            case .mask, .constant, .noise, .shift: true
            case .template(let template): !template.hasNumber
            default: false
            }
        }

        init(_ text: String) throws(Problem) {
            var words = text.split(separator: " ")[...]
            let first = words.popFirst() ?? ""
            let rest = words.joined(separator: " ")
            switch (first, words.isEmpty) {
            case ("keep", true): self = .keep
            case ("replace", true): self = .replace
            case ("null", true): self = .null
            case ("hash", true): self = .hash
            case ("replace", false) where words.count == 2 && words.first == "in":
                self = .replaceIn(String(words.last ?? ""))
            case ("mask", _): self = try Self.mask(words)
            case ("generate", false):
                self = .generate(try Self.generator(rest), text: rest)
            case ("noise", false): self = .noise(try NoiseBounds(rest))
            case ("shift", false): self = .shift(try DateShift(words))
            default:
                if let text = Self.text(after: "constant:", text) {
                    self = .constant(text)
                } else if let text = Self.text(after: "template:", text) {
                    self = .template(try ReplacementTemplate(text))
                } else {
                    throw Problem(message: "after it comes \(Self.forms)")
                }
            }
        }

        private static func generator(_ text: String) throws(Problem) -> GeneratorSpecification {
            let specification: GeneratorSpecification
            do throws(GeneratorSpecification.Problem) { specification = try GeneratorSpecification(text) } catch {
                throw Problem(message: error.message)
            }
            if case .computed = specification {
                throw Problem(
                    message: "values from other attributes are made by a template: \"template: {first} {last}\"")
            }
            return specification
        }

        private static func text(after word: String, _ text: String) -> String? {
            text.hasPrefix(word) ? String(text.dropFirst(word.count).drop { $0 == " " }) : nil
        }

        /// `mask`, `mask keep first 2`, `mask keep last 4`, `mask keep first 2 last 2`
        private static func mask(_ words: ArraySlice<Substring>) throws(Problem) -> Self {
            var (first, last) = (0, 0)
            var rest = words
            if rest.first == "keep" { rest.removeFirst() } else if !rest.isEmpty { throw maskProblem }
            if rest.isEmpty, !words.isEmpty { throw maskProblem }
            while let word = rest.popFirst() {
                guard let number = rest.popFirst().flatMap({ Int($0) }), (1...1000).contains(number) else {
                    throw maskProblem
                }
                switch word {
                case "first" where first == 0: first = number
                case "last" where last == 0: last = number
                default: throw maskProblem
                }
            }
            return .mask(first: first, last: last)
        }

        private static var maskProblem: Problem {
            Problem(message: "a mask is: mask, mask keep first N, mask keep last N, or mask keep first N last N")
        }
    }
}
