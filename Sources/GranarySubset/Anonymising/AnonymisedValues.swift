import Foundation
import GranaryBase
import GranaryCoordination
import GranaryGeneration
import GranaryModel
import GranaryPredicates

/// Replaces the values of rows in one run.
///
/// A class, because the replacements of unique values are remembered.
final class AnonymisedValues {
    let anonymisation: Anonymisation
    let schema: Schema
    let seed: UInt64
    private let groups: [ReplacementGroup]
    /// The key of hashes.
    private let key: KeyedHash?
    /// The values that must not be in the output.
    let gone = ReplacedValues()
    /// The values of generators, by the name of the group and the attribute.
    var generated: [AttributeName: ValueDomain?] = [:]
    /// The rules of attributes, by the entity that declares them and the slot.
    private var rules: [AttributeName: Rules] = [:]

    struct AttributeName: Hashable {
        let owner: Int
        let slot: Int
    }

    private struct Rules {
        let hints: RuleHints
        /// The enumerated values; empty if there are none.
        let list: [AttributeValue]
        /// Generated values; nil if they are not made yet, or if none can be.
        var domain: ValueDomain?
        var isDomainMade = false
    }

    init(_ anonymisation: Anonymisation, schema: Schema, seed: UInt64, key: KeyedHash? = nil) {
        self.key = key
        self.anonymisation = anonymisation
        self.schema = schema
        self.seed = seed
        groups = anonymisation.groups.map { ReplacementGroup($0, seed: seed) }
    }

    /// Replaces the value of an attribute, if that was asked for.
    ///
    /// - Returns: what happened to the value.
    /// - Throws: ``GranaryError`` with code `refused` if no replacement satisfies the attribute's rules.
    func replace(
        _ attribute: Schema.Attribute, _ row: Int, _ batch: inout RowBatch
    ) throws -> SubsetTally.Outcome {
        // A cell that is set gets new bytes at the end of the batch, so the old ones are still there.
        let old = batch[row, attribute.slot]
        let outcome = try newValue(attribute, row, &batch)
        guard case .replaced = outcome else { return outcome }
        if Self.areEqual(old, batch[row, attribute.slot], batch) {
            switch anonymisation.decisions[Int(batch.rows[row].entity)][attribute.slot] {
            // A text can be the constant that replaces it.
            case .constant?, .template?: return outcome
            default: throw unchanged(attribute, row, batch, "its replacement is equal to it")
            }
        }
        try gone.note(old, attribute, batch)
        return outcome
    }

    private static func areEqual(_ old: StoredCell, _ new: StoredCell, _ batch: borrowing RowBatch) -> Bool {
        switch (old, new) {
        case (.text(let start, let count), .text(let other, let otherCount)),
            (.blob(let start, let count), .blob(let other, let otherCount)):
            guard count == otherCount else { return false }
            return batch.lend(start, count) { bytes in batch.lend(other, count) { bytes.elementsEqual($0) } }
        default: return old == new
        }
    }

    private func newValue(
        _ attribute: Schema.Attribute, _ row: Int, _ batch: inout RowBatch
    ) throws -> SubsetTally.Outcome {
        let decision = anonymisation.decisions[Int(batch.rows[row].entity)][attribute.slot]
        switch batch[row, attribute.slot] {
        case .null: return .null
        case .text(_, 0), .blob(_, 0):
            if case .null? = decision { batch[row, attribute.slot] = .null }
            return .empty
        default: break
        }
        switch decision {
        case .null?:
            batch[row, attribute.slot] = .null
            return .replaced(digitsOnly: false)
        case .constant(let text)?: return try set(text, attribute, row, &batch)
        case .hash?:
            guard let key else { return .kept("no key") }
            let text = try batch.withCheckedValue(row: row, of: attribute, schema) { value -> String in
                guard case .text(let bytes) = value else { return "" }
                return key.text(of: UnsafeRawBufferPointer(bytes))
            }
            return try set(text, attribute, row, &batch)
        case nil: return .kept("not named")
        case .keep(let reason)?: return .kept(reason)
        case .replace(let group)?: return try replace(attribute, row, &batch, in: groups[group])
        case .generate(let specification, let group)?:
            return try generate(specification, attribute, row, &batch, in: groups[group])
        case .mask(let first, let last)?:
            let text = try batch.withCheckedValue(row: row, of: attribute, schema) { value -> String? in
                guard case .text(let bytes) = value else { return nil }
                return Self.masked(String(decoding: bytes, as: UTF8.self), first: first, last: last)
            }
            guard let text else { throw unchanged(attribute, row, batch, "it has no letters and digits") }
            return try set(text, attribute, row, &batch)
        case .noise(let bounds)?: return try addNoise(bounds, attribute, row, &batch)
        case .shift(let shift)?: return try self.shift(shift, attribute, row, &batch)
        case .template(let template)?: return try set(text(template, row, batch), attribute, row, &batch)
        }
    }

    /// Sets a text that does not depend on the rules of the attribute.
    private func set(
        _ text: String, _ attribute: Schema.Attribute, _ row: Int, _ batch: inout RowBatch
    ) throws -> SubsetTally.Outcome {
        let violations = Array(text.utf8).withUnsafeBufferPointer { bytes in
            batch.set(.text(bytes), row: row, slot: attribute.slot)
            return attribute.validator.violations(of: .text(bytes))
        }
        if let violation = violations.first { throw refusal(attribute, row, batch, violation) }
        return .replaced(digitsOnly: false)
    }

    private func replace(
        _ attribute: Schema.Attribute, _ row: Int, _ batch: inout RowBatch, in group: ReplacementGroup
    ) throws -> SubsetTally.Outcome {
        var problem: Violation?
        var isDigitsOnly = false
        let result = try batch.withCheckedValue(row: row, of: attribute, schema) { value -> Cell in
            var attempt = ReplacementGroup.Attempt(attribute, value)
            defer { (problem, isDigitsOnly) = (attempt.violation, attempt.isDigitsOnly) }
            return try self.cell(for: value, attribute, group, &attempt)
        }
        switch result {
        case .kept(let reason):
            // A decision is kept to, or nothing is written.
            guard anonymisation.failsClosed else { return .kept(reason) }
            throw unchanged(attribute, row, batch, reason)
        case .refused: throw refusal(attribute, row, batch, problem)
        case .text(let text):
            text.withUnsafeBufferPointer { bytes in
                batch.set(attribute.type == .uri ? .uri(bytes) : .text(bytes), row: row, slot: attribute.slot)
            }
        case .value(let value):
            value.withBorrowed { batch.set($0, row: row, slot: attribute.slot) }
        }
        return .replaced(digitsOnly: isDigitsOnly)
    }

    private enum Cell {
        case text([UInt8])
        case value(AttributeValue)
        case kept(String)
        case refused

        init(_ result: ReplacementGroup.Result<[UInt8]>) {
            switch result {
            case .replaced(let text): self = .text(text)
            case .kept(let reason): self = .kept(reason)
            case .refused: self = .refused
            }
        }

        init(_ result: ReplacementGroup.Result<AttributeValue>) {
            switch result {
            case .replaced(let value): self = .value(value)
            case .kept(let reason): self = .kept(reason)
            case .refused: self = .refused
            }
        }
    }

    private func cell(
        for value: BorrowedValue, _ attribute: Schema.Attribute, _ group: ReplacementGroup,
        _ attempt: inout ReplacementGroup.Attempt
    ) throws(GranaryError) -> Cell {
        let rules = self.rules(of: attribute)
        if !rules.list.isEmpty, let owned = AttributeValue(value) {
            return Cell(group.member(of: rules.list, owned, &attempt))
        }
        switch value {
        case .text(let bytes): return Cell(try group.text(bytes, isURI: false, { domain(of: attribute) }, &attempt))
        case .uri(let bytes): return Cell(try group.text(bytes, isURI: true, { domain(of: attribute) }, &attempt))
        case .integer(let number): return Cell(group.integer(number, rules.hints, &attempt))
        case .double(let number):
            return Cell(group.real("\(number)", &attempt) { Self.finite(Double($0)).map { .double($0) } })
        case .float(let number):
            return Cell(group.real("\(number)", &attempt) { Self.finite(Float($0)).map { .float($0) } })
        case .decimal(let number): return Cell(group.real("\(number)", &attempt, Self.decimal))
        case .date(let seconds): return Cell(group.date(seconds, rules.hints, &attempt))
        case .uuid: return Cell(group.uuid(&attempt))
        case .binary(let bytes): return Cell(group.binary(bytes.count, &attempt))
        // The model check excludes Booleans.
        case .null, .boolean: return .refused
        }
    }

    /// Other digits can make the largest numbers infinite, which no store keeps.
    private static func finite<Number: FloatingPoint>(_ number: Number?) -> Number? {
        number.flatMap { $0.isFinite ? $0 : nil }
    }

    /// A decimal that a column keeps exactly.
    static func decimal(_ text: String) -> AttributeValue? {
        let parsed = Array(text.utf8).withUnsafeBufferPointer { bytes in try? DecimalText.parse(bytes) }
        guard let number = parsed, number.int64 != nil || number.storedDouble.isExact else { return nil }
        return .decimal(number.foundationDecimal)
    }

    // MARK: Rules

    private func rules(of attribute: Schema.Attribute) -> Rules {
        let name = AttributeName(owner: attribute.owner, slot: attribute.slot)
        if let known = rules[name] { return known }
        let hints = RuleHints(attribute.description)
        let list = (hints.list ?? []).compactMap { $0.converted(to: attribute.type) }
        let made = Rules(hints: hints, list: list)
        rules[name] = made
        return made
    }

    /// The values that a generator makes for the attribute.
    private func domain(of attribute: Schema.Attribute) -> ValueDomain? {
        let name = AttributeName(owner: attribute.owner, slot: attribute.slot)
        var rules = self.rules(of: attribute)
        if rules.isDomainMade { return rules.domain }
        var options = GenerationOptions()
        options.randomSeed = seed
        let domains = AttributeDomains(
            attribute, entity: schema.entities[attribute.owner].name, specification: nil, options: options,
            keepsExactDecimals: false)
        if case .domain(let domain) = domains.domain(for: 0), domain.size > 0 { rules.domain = domain }
        rules.isDomainMade = true
        self.rules[name] = rules
        return rules.domain
    }

    /// A value for which a decision has no other one. The message does not contain it.
    func unchanged(
        _ attribute: Schema.Attribute, _ row: Int, _ batch: borrowing RowBatch, _ reason: String
    ) -> GranaryError {
        GranaryError(
            Diagnostic(
                .storeRefused,
                "\(batch.objectName(row: row, schema)): the value cannot be replaced: \(reason); decide null, hash or a "
                    + "constant for the attribute",
                entity: schema.entities[Int(batch.rows[row].entity)].name, property: attribute.name))
    }

    /// The message does not contain the value.
    func refusal(
        _ attribute: Schema.Attribute, _ row: Int, _ batch: borrowing RowBatch, _ violation: Violation?
    ) -> GranaryError {
        let rule = violation.map { "; the last one tried breaks a rule: \($0.message)" } ?? ""
        return GranaryError(
            Diagnostic(
                violation?.code ?? .uniqueExists,
                "\(batch.objectName(row: row, schema)): no replacement of the value satisfies the attribute's rules"
                    + rule,
                entity: schema.entities[Int(batch.rows[row].entity)].name, property: attribute.name,
                coreDataCode: violation?.coreDataCode))
    }
}
