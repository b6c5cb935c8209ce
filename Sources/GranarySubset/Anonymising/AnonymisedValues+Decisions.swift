import Foundation
import GranaryBase
import GranaryCoordination
import GranaryGeneration
import GranaryModel
import GranaryPredicates

/// Decisions that do not keep the shape of a value: masks, generators, noise, shifts and templates.
extension AnonymisedValues {
    private static let attempts: UInt64 = 100

    /// Nil for a text without letters and digits.
    static func masked(_ text: String, first: Int, last: Int) -> String? {
        let count = text.count(where: isMasked)
        guard count > 0 else { return nil }
        // A text that would lose less than half of its letters and digits is masked as a whole.
        let keeps = (first + last) * 2 <= count
        var place = 0
        var result = ""
        for character in text {
            guard isMasked(character) else {
                result.append(character)
                continue
            }
            let isKept = keeps && (place < first || place >= count - last)
            result.append(isKept ? character : "*")
            place += 1
        }
        return result
    }

    private static func isMasked(_ character: Character) -> Bool {
        guard let ascii = character.asciiValue else { return character.isLetter || character.isNumber }
        switch Unicode.Scalar(ascii) {
        case "a"..."z", "A"..."Z", "0"..."9": return true
        default: return false
        }
    }

    /// A value of a generator, which depends on the value: equal ones become equal.
    func generate(
        _ specification: GeneratorSpecification, _ attribute: Schema.Attribute, _ row: Int, _ batch: inout RowBatch,
        in group: ReplacementGroup
    ) throws -> SubsetTally.Outcome {
        guard let domain = domain(of: attribute, specification) else {
            throw refusal(attribute, row, batch, nil)
        }
        var problem: Violation?
        let found = try batch.withCheckedValue(row: row, of: attribute, schema) { value -> AttributeValue? in
            var attempt = ReplacementGroup.Attempt(attribute, value)
            defer { problem = attempt.violation }
            let stream = group.stream("generate")
            for draw in 0..<Self.attempts {
                let index = stream.number(attempt.original, draw: draw, below: domain.size)
                let candidate = domain.value(at: index)
                if group.accepts(candidate, &attempt) { return candidate }
            }
            return nil
        }
        guard let found else { throw refusal(attribute, row, batch, problem) }
        found.withBorrowed { batch.set($0, row: row, slot: attribute.slot) }
        return .replaced(digitsOnly: false)
    }

    private func domain(of attribute: Schema.Attribute, _ specification: GeneratorSpecification) -> ValueDomain? {
        let name = AttributeName(owner: attribute.owner, slot: attribute.slot)
        if let known = generated[name] { return known }
        var options = GenerationOptions()
        options.randomSeed = seed
        let domains = AttributeDomains(
            attribute, entity: schema.entities[attribute.owner].name, specification: specification, options: options,
            keepsExactDecimals: false)
        var made: ValueDomain?
        if case .domain(let domain) = domains.domain(for: 0), domain.size > 0 { made = domain }
        generated[name] = made
        return made
    }

    // MARK: Numbers

    /// Another number near the value, never the value. It depends on the object, so that equal values become different.
    func addNoise(
        _ bounds: NoiseBounds, _ attribute: Schema.Attribute, _ row: Int, _ batch: inout RowBatch
    ) throws -> SubsetTally.Outcome {
        let header = batch.rows[row]
        let root = schema.entities[schema.entities[Int(header.entity)].root].name
        let stream = RandomStream(seed: seed, ["noise", root, attribute.name])
        let found = try batch.withCheckedValue(row: row, of: attribute, schema) { value -> AttributeValue? in
            let mustBeValid = attribute.validator.violations(of: value).isEmpty
            for draw in 0..<Self.attempts {
                let share = Double(stream.number(UInt64(bitPattern: header.key), draw: draw) >> 11) / 0x1p53
                guard let candidate = Self.noisy(value, bounds, share, attribute.type) else { continue }
                let isValid = candidate.withBorrowed { attribute.validator.violations(of: $0).isEmpty }
                if isValid || !mustBeValid { return candidate }
            }
            return nil
        }
        guard let found else {
            throw unchanged(
                attribute, row, batch, "no other number within the bounds satisfies the attribute's type and rules")
        }
        found.withBorrowed { batch.set($0, row: row, slot: attribute.slot) }
        return .replaced(digitsOnly: false)
    }

    /// Nil if the number is the value itself, or if the type cannot have it.
    ///
    /// - Parameter share: the place between the bounds, from 0 to below 1.
    private static func noisy(
        _ value: BorrowedValue, _ bounds: NoiseBounds, _ share: Double, _ type: AttributeType
    ) -> AttributeValue? {
        func offset(_ number: Double, unit: Double) -> Double {
            let range = bounds.range(around: number, unit: unit)
            return range.lower + (range.upper - range.lower) * share
        }
        switch value {
        case .integer(let number):
            guard let step = Int64(exactly: offset(Double(number), unit: 1).rounded()), step != 0 else { return nil }
            let (sum, overflows) = number.addingReportingOverflow(step)
            guard !overflows, type.integerRange?.contains(sum) ?? true else { return nil }
            return .integer(sum)
        case .double(let number):
            let sum = number + offset(number, unit: 0)
            return sum.isFinite && sum != number ? .double(sum) : nil
        case .float(let number):
            let sum = Float(Double(number) + offset(Double(number), unit: 0))
            return sum.isFinite && sum != number ? .float(sum) : nil
        case .decimal(let number):
            // The number of digits after the point stays.
            let text = "\(number)"
            let places = text.firstIndex(of: ".").map { text[$0...].utf8.count - 1 } ?? 0
            guard places <= 15, let real = Double(text) else { return nil }
            let unit = pow(10, -Double(places))
            let sum = String(format: "%.\(places)f", real + offset(real, unit: unit))
            guard let decimal = decimal(sum), decimal != AttributeValue(value) else { return nil }
            return decimal
        default: return nil
        }
    }

    // MARK: Dates

    /// The date moved by the offset of its object, or of the object that a relationship leads to.
    func shift(
        _ shift: DateShift, _ attribute: Schema.Attribute, _ row: Int, _ batch: inout RowBatch
    ) throws -> SubsetTally.Outcome {
        let entity = schema.entities[Int(batch.rows[row].entity)]
        var (root, key) = (entity.root, batch.rows[row].key)
        if let name = shift.relationship, let relationship = entity.relationship(named: name),
            case .reference(let target, _) = batch[row, relationship.slot]
        {
            (root, key) = (schema.entities[relationship.destination].root, target)
        }
        let stream = RandomStream(seed: seed, ["shift", schema.entities[root].name])
        // Backwards or forwards by at least one step.
        let place = Int(stream.number(UInt64(bitPattern: key), below: UInt64(shift.count) * 2))
        let steps = place < shift.count ? place - shift.count : place - shift.count + 1
        var problem: Violation?
        let found = try batch.withCheckedValue(row: row, of: attribute, schema) { value -> AttributeValue? in
            guard case .date(let seconds) = value else { return nil }
            let moved = seconds + Double(steps) * Double(shift.seconds)
            guard moved.isFinite, moved != seconds else { return nil }
            if attribute.validator.violations(of: value).isEmpty {
                problem = attribute.validator.violations(of: .date(moved)).first
            }
            return .date(Date(timeIntervalSinceReferenceDate: moved))
        }
        if let problem { throw refusal(attribute, row, batch, problem) }
        guard let found else { throw unchanged(attribute, row, batch, "the date is out of range") }
        found.withBorrowed { batch.set($0, row: row, slot: attribute.slot) }
        return .replaced(digitsOnly: false)
    }

    // MARK: Templates

    /// The text of a template; an attribute without a value gives no characters.
    func text(_ template: ReplacementTemplate, _ row: Int, _ batch: borrowing RowBatch) throws -> String {
        let entity = schema.entities[Int(batch.rows[row].entity)]
        var result = ""
        for part in template.parts {
            switch part {
            case .text(let text): result += text
            case .number: result += String(batch.rows[row].key)
            case .attribute(let name):
                guard let attribute = entity.attribute(named: name) else { continue }
                switch try batch.value(row: row, of: attribute) {
                case .string(let text)?: result += text
                case .uri(let uri)?: result += uri.absoluteString
                case .integer(let number)?: result += String(number)
                default: break
                }
            }
        }
        return result
    }
}
