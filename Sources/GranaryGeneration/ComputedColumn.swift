import Foundation
import GranaryBase
import GranaryCoordination
import GranaryModel
import GranaryPredicates

/// A planned computed attribute.
final class ComputedColumn: Sendable {
    /// Decides which values are NULL, and has the dates of objects whose first date is NULL.
    let column: GenerationPlan.Column
    private let leaders: [Schema.Attribute]
    private let rule: Rule

    private enum Rule: Sendable {
        case formula(CompiledExpression)
        case after(ClosedRange<Int64>)
        case custom(CustomGenerator)
    }

    /// The number of distances that are tried.
    private static let attempts: UInt64 = 16

    init(_ column: GenerationPlan.Column, _ value: ComputedValue, leaders: [Schema.Attribute]) {
        self.column = column
        self.leaders = leaders
        switch value {
        case .formula(let expression): rule = .formula(CompiledExpression(expression))
        case .after(_, let range): rule = .after(range)
        case .custom(let generator): rule = .custom(generator)
        }
    }

    /// Sets the value of an object.
    ///
    /// - Throws: ``GranaryError`` with code `refused` if a required value cannot be computed or breaks a rule.
    func fill(_ number: UInt64, _ row: Int, of batch: inout RowBatch, _ entity: Schema.Entity) throws(GranaryError) {
        if case .custom(let generator) = rule { return try fill(generator, number, row, of: &batch, entity) }
        if column.isNull(number) { return }
        switch rule {
        case .custom: break
        case .formula(let expression):
            let value = try value(of: expression, row, of: batch)
            if let problem = set(value, row, of: &batch) { try refuse(problem, value, number, entity) }
        case .after(let range):
            guard let leader = leaders.first, case .date(let start)? = try Self.value(of: leader, row, of: batch) else {
                // The end of what has no beginning is unknown too, unless a date is required.
                if column.attribute.description.isOptional { return }
                return try column.fill(number, row, of: &batch, entity)
            }
            try fill(number, row, of: &batch, entity, after: start.timeIntervalSinceReferenceDate, range)
        }
    }

    /// Sets the value of a generator in code.
    private func fill(
        _ generator: CustomGenerator, _ number: UInt64, _ row: Int, of batch: inout RowBatch, _ entity: Schema.Entity
    ) throws(GranaryError) {
        let attribute = column.attribute
        var context = GenerationContext(
            entity: entity.name, number: Int(clamping: number), sources: generator.sources,
            values: try values(row, of: batch), random: column.values.generator(number))
        let made: AttributeValue?
        do { made = try generator.make(&context) } catch {
            let message = "the generator of object \(number) failed: \((error as? GranaryError)?.message ?? "\(error)")"
            throw GranaryError(
                .refused, "\(entity.name).\(attribute.name): \(message)",
                diagnostics: [Diagnostic(.modelRule, message, entity: entity.name, property: attribute.name)],
                underlying: error)
        }
        let value = made?.converted(to: attribute.type)
        if made != nil, value == nil {
            let message = "the value of object \(number) is no \(attribute.type.name)"
            throw GranaryError(
                .refused, "\(entity.name).\(attribute.name): \(message)",
                diagnostics: [Diagnostic(.valueSyntax, message, entity: entity.name, property: attribute.name)])
        }
        if let problem = set(value, row, of: &batch) { try refuse(problem, value, number, entity) }
    }

    private func fill(
        _ number: UInt64, _ row: Int, of batch: inout RowBatch, _ entity: Schema.Entity, after start: Double,
        _ range: ClosedRange<Int64>
    ) throws(GranaryError) {
        let (width, overflow) = UInt64(range.upperBound.magnitude).subtractingReportingOverflow(
            range.lowerBound.magnitude)
        var problem: Violation?
        for attempt in 0..<Self.attempts {
            // The last attempt is the smallest distance: a maximum of the rules excludes long ones.
            let drawn = column.values.number(number, draw: attempt, below: overflow ? 1 : width + 1)
            let distance = attempt == Self.attempts - 1 ? 0 : drawn / unit(range) * unit(range)
            let seconds = start + Double(range.lowerBound) + Double(distance)
            problem = set(.date(.init(timeIntervalSinceReferenceDate: seconds)), row, of: &batch)
            if problem == nil { return }
        }
        if let problem { try refuse(problem, nil, number, entity) }
    }

    /// Whole days if the bounds are.
    private func unit(_ range: ClosedRange<Int64>) -> UInt64 {
        [86_400, 3600, 60].first { range.lowerBound % $0 == 0 && range.upperBound % $0 == 0 }.map { UInt64($0) } ?? 1
    }

    private func value(
        of expression: CompiledExpression, _ row: Int, of batch: RowBatch
    ) throws(GranaryError) -> AttributeValue? {
        let operand = try expression.value(on: ComputedSubject(values: try values(row, of: batch)))
        guard case .value(let value)? = operand else { return nil }
        return value.converted(to: column.attribute.type)
    }

    private func values(_ row: Int, of batch: RowBatch) throws(GranaryError) -> [String: AttributeValue] {
        var values: [String: AttributeValue] = [:]
        for leader in leaders { values[leader.name] = try Self.value(of: leader, row, of: batch) }
        return values
    }

    private static func value(
        of leader: Schema.Attribute, _ row: Int, of batch: RowBatch
    ) throws(GranaryError) -> AttributeValue? {
        do { return try batch.value(row: row, of: leader) } catch {
            throw GranaryError(.internalDefect, "a generated value cannot be read: \(error)")
        }
    }

    private func set(_ value: AttributeValue?, _ row: Int, of batch: inout RowBatch) -> Violation? {
        let attribute = column.attribute
        guard let value else { return attribute.validator.violations(of: .null).first }
        return value.withBorrowed { borrowed in
            let found = attribute.validator.violations(of: borrowed).first
            if found == nil { batch.set(borrowed, row: row, slot: attribute.slot) }
            return found
        }
    }

    private func refuse(
        _ problem: Violation, _ value: AttributeValue?, _ number: UInt64, _ entity: Schema.Entity
    ) throws(GranaryError) {
        let message = "the value computed for object \(number) breaks a rule: \(problem.message)"
        throw GranaryError(
            .refused, "\(entity.name).\(column.attribute.name): \(message)",
            diagnostics: [
                Diagnostic(
                    problem.code, message, entity: entity.name, property: column.attribute.name,
                    coreDataCode: problem.code.coreDataCode)
            ])
    }
}

/// The values of one object that a formula needs.
private struct ComputedSubject: PredicateSubject {
    let values: [String: AttributeValue]

    var predicateSelf: PredicateOperand? { nil }
    var predicateReference: ObjectReference? { nil }

    func predicateValue(forKey key: String) -> PredicateOperand? { values[key].map { .value($0) } }
}
