import Foundation
import GranaryBase
import GranaryCoordination
import GranaryGeneration
import GranaryModel
import GranaryPredicates

/// Replaces the values of a group of attributes in one run: equal values by equal ones, and if the group is unique,
/// different values by different ones.
final class ReplacementGroup {
    let name: String
    let seed: UInt64
    let isUnique: Bool
    let comparesUUIDs: Bool
    let words: WordReplacement
    var table = Alphabets()
    /// The values that own a replacement, by the fingerprints of replacements; only of a unique group.
    private var owners: [UInt64: UInt64] = [:]

    init(_ group: Anonymisation.Group, seed: UInt64) {
        name = group.name
        self.seed = seed
        isUnique = group.isUnique
        comparesUUIDs = group.comparesUUIDs
        words = WordReplacement(group.kind, seed: seed, name: group.name)
    }

    /// What is tried for one value.
    struct Attempt {
        let attribute: Schema.Attribute
        /// A value that already breaks a rule may get a replacement that breaks one.
        let mustBeValid: Bool
        /// The fingerprint of the value.
        let original: UInt64
        /// Why the last candidate was not accepted.
        var violation: Violation?
        /// Whether the accepted candidate is a text with all letters of the value.
        var isDigitsOnly = false

        init(_ attribute: Schema.Attribute, _ value: BorrowedValue) {
            self.attribute = attribute
            mustBeValid = attribute.validator.violations(of: value).isEmpty
            original = Fingerprint.of(value)
        }
    }

    /// Whether a value is accepted as a replacement. Then it is reserved for the original.
    func accepts(_ candidate: BorrowedValue, _ attempt: inout Attempt) -> Bool {
        let output = Fingerprint.of(candidate)
        guard output != attempt.original else { return false }
        if attempt.mustBeValid, let violation = attempt.attribute.validator.violations(of: candidate).first {
            attempt.violation = violation
            return false
        }
        return claim(output, for: attempt.original)
    }

    func accepts(_ candidate: AttributeValue, _ attempt: inout Attempt) -> Bool {
        candidate.withBorrowed { accepts($0, &attempt) }
    }

    func claim(_ output: UInt64, for original: UInt64) -> Bool {
        guard isUnique else { return true }
        if let owner = owners[output] { return owner == original }
        owners[output] = original
        return true
    }

    /// Whether a value may stay as it is, because no other one is free. Only in a unique group: otherwise the rules
    /// allow no other value, and the run is refused.
    func keeps(_ attempt: Attempt) -> Bool { isUnique && claim(attempt.original, for: attempt.original) }

    /// Reserves a value that has nothing to replace.
    func reserve(_ attempt: Attempt) { _ = claim(attempt.original, for: attempt.original) }

    func cipher(_ variant: Int) -> SequenceCipher {
        SequenceCipher(seed: seed, name: variant == 0 ? name : "\(name) \(variant)")
    }

    func stream(_ names: String...) -> RandomStream { RandomStream(seed: seed, [name] + names) }

    /// The number of bijections that are tried. A unique group has one: with a second one, a value could take the image
    /// that another value has by the first. A value whose image is the value itself is then kept.
    var variants: Int { isUnique ? 1 : 16 }
}
