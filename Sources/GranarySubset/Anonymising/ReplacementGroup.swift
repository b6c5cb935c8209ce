import Foundation
import GranaryBase
import GranaryCoordination
import GranaryGeneration
import GranaryModel
import GranaryPredicates

/// Replaces the values of a group of attributes in one run: equal values by equal ones, and if the group is unique,
/// different values by different ones.
final class ReplacementGroup {
    private let name: String
    private let seed: UInt64
    private let names: RandomStreamNames
    let isUnique: Bool
    let comparesUUIDs: Bool
    let words: WordReplacement
    var table = Alphabets()
    /// The number of bijections that are remembered.
    private static let permutationLimit = 4096

    private struct PermutationKey: Hashable {
        let walk: Walk
        let count: UInt64
        let variant: Int
    }

    private let firstCipher: SequenceCipher
    /// The bijections of numbers and dates that were made.
    private var permutations: [PermutationKey: Permutation] = [:]
    /// The values that own a replacement, by the fingerprints of replacements; only of a unique group.
    private var owners: [UInt64: UInt64] = [:]

    init(_ group: Anonymisation.Group, seed: UInt64) {
        name = group.name
        self.seed = seed
        names = RandomStreamNames(seed: seed).adding(name)
        firstCipher = SequenceCipher(seed: seed, name: name)
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
        variant == 0 ? firstCipher : SequenceCipher(seed: seed, name: "\(name) \(variant)")
    }

    func stream(_ name: String) -> RandomStream { names.adding(name).stream }

    /// The random numbers of an attempt for one value.
    func stream(_ name: String, _ original: UInt64, draw: UInt64) -> RandomStream {
        names.adding(name).adding(original).adding(draw).stream
    }

    /// What the numbers of a bijection stand for.
    enum Walk: Hashable {
        case list
        case integers(ClosedRange<Int64>)
        case dates(first: Int64, step: Int64)
    }

    /// The bijection of the numbers below `count`.
    func permutation(_ walk: Walk, count: UInt64, _ variant: Int) -> Permutation {
        let key = PermutationKey(walk: walk, count: count, variant: variant)
        if let known = permutations[key] { return known }
        let shape =
            switch walk {
            case .list: "list"
            case .integers(let range): "\(range.lowerBound) \(range.upperBound)"
            case .dates(let first, let step): "\(first) \(step) \(count)"
            }
        let made = Permutation(count: count, names.adding("walk").adding(shape).adding(UInt64(variant)).stream)
        if permutations.count >= Self.permutationLimit { permutations.removeAll(keepingCapacity: true) }
        permutations[key] = made
        return made
    }

    /// The number of bijections that are tried. A unique group has one: with a second one, a value could take the image
    /// that another value has by the first. A value whose image is the value itself is then kept.
    var variants: Int { isUnique ? 1 : 16 }
}
