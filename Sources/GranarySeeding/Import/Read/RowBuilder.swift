import Foundation
import GranaryBase
import GranaryContexts
import GranaryCoordination
import GranaryCoreDataStore
import GranaryFormats
import GranaryModel

/// Makes rows out of one entity's records: finds each field's property, reads the value, checks it, and hands
/// references on. One problem does not hide the next: a record is read to its end whatever is wrong with it.
///
/// Proof for the unchecked properties: one thread uses a builder, no method calls back into itself, and each takes one part
/// of the state at a time. The checks at run time cost a tenth of an import.
final class RowBuilder {
    @exclusivity(unchecked) var plan: ColumnPlan
    let options: ImportOptions
    let keepsExactDecimals: Bool
    /// Attributes and to-ones that a record need not fill, and what they then are.
    let defaults: [Default]
    /// In which turn a slot was filled last: a cheap way to see what a record left out.
    @exclusivity(unchecked) var filled: [Int]
    var turn = 0
    @exclusivity(unchecked) var scratch: [UInt8] = []
    var constants: [(role: ColumnPlan.Role, name: String, text: [UInt8])]?

    struct Default {
        let attribute: Schema.Attribute
        let value: AttributeValue?
        let text: [UInt8]
    }

    /// The number of refused fields for which a help option was searched. The search takes about 0.1 ms, so it is limited.
    private var helpCount: Int
    private static let helpLimit = 1000
    /// Whether a search was left out since this was last set to false.
    var hasSkippedHelp = false

    init(
        entity: Schema.Entity, schema: Schema, options: ImportOptions, keepsExactDecimals: Bool,
        isPropertyList: Bool = false
    ) {
        plan = ColumnPlan(entity: entity, schema: schema, options: options, isPropertyList: isPropertyList)
        self.options = options
        helpCount = 0
        self.keepsExactDecimals = keepsExactDecimals
        filled = Array(repeating: 0, count: entity.slotCount)
        defaults = entity.attributes.filter { $0.isPersistent && $0.description.derivationExpression == nil }.map {
            var text: [UInt8] = []
            if case .string(let value)? = $0.description.defaultValue { text = Array(value.utf8) }
            return Default(attribute: $0, value: $0.description.defaultValue, text: text)
        }
    }

    /// A builder for another thread, which searches no help options.
    init(copying other: RowBuilder) {
        plan = other.plan
        options = other.options
        keepsExactDecimals = other.keepsExactDecimals
        defaults = other.defaults
        filled = Array(repeating: 0, count: other.filled.count)
        constants = other.constants
        helpCount = Self.helpLimit
    }

    /// Whether refused fields may still get a help option.
    var searchesHelp: Bool { helpCount < Self.helpLimit }

    var hasConstants: Bool { constants != nil }

    /// Finds the roles of the constants; like columns they are for attributes and relationships.
    func prepareConstants(keys: inout NaturalKeys, mayBeOthers: Bool) throws(GranaryError) {
        guard constants == nil else { return }
        var found: [(role: ColumnPlan.Role, name: String, text: [UInt8])] = []
        for (property, text) in options.constants.sorted(by: { $0.key < $1.key }) {
            found.append(
                (try plan.constantRole(of: property, keys: &keys, mayBeOthers: mayBeOthers), property, Array(text.utf8))
            )
        }
        constants = found
    }

    /// Fills the last row of `batch` from the fields of one object of `record` and says what is wrong with it.
    ///
    /// What the object does not say stays NULL until ``fillAbsent(_:into:context:)``.
    func build(
        _ record: borrowing Record, _ fields: borrowing ArraySlice<Record.Field>, into batch: inout RowBatch,
        context: inout RowContext
    ) {
        turn += 1
        let row = batch.rows.count - 1
        record.bytes.withUnsafeBufferPointer { bytes in
            var next = fields.startIndex
            while next < fields.endIndex {
                let field = fields[next]
                next += 1
                let column = Int(field.column)
                guard column < plan.roles.count else { continue }
                // A reader's fields point into its own record's bytes.
                let text = UnsafeBufferPointer(rebasing: bytes[field.range])
                switch plan.roles[column] {
                case .ignored, .unmet: break
                case .refused(let problem): context.refuse(problem, record, field)
                case .identifier:
                    if !context.setIdentifier(text, field) {
                        context.report(
                            [Violation(.valueSyntax, "$id is one text, such as \(plan.entity.name)/p1")], record, field,
                            column: "$id", entity: plan.entity.name, property: "$id", text: text)
                    }
                case .attribute(let index): fill(index, record, field, text, row: row, &batch, &context)
                case .reference(let index):
                    let relationship = plan.references[index].relationship
                    filled[relationship.slot] = turn
                    // A run of scalars for one object is the parts of its key.
                    var problems: [Violation]
                    if field.isElement, !relationship.isToMany, plan.references[index].isComposite {
                        var parts: [JSONKeyList.Part] = [JSONKeyList.Part(kind: field.kind, bytes: Array(text))]
                        while next < fields.endIndex, fields[next].column == field.column, fields[next].isElement {
                            let part = fields[next]
                            parts.append(
                                JSONKeyList.Part(
                                    kind: part.kind, bytes: Array(bytes[part.range])))
                            next += 1
                        }
                        problems = refer(index, record, field, parts: parts, row: row, &batch, &context)
                    } else {
                        problems = refer(index, record, field, text, row: row, &batch, &context)
                    }
                    if !problems.isEmpty {
                        context.report(
                            problems, record, field, column: plan.columnName(field.column), entity: plan.entity.name,
                            property: relationship.name, text: text)
                    }
                }
            }
        }
    }

    /// Fills the last row from the constants of the import.
    func fillConstants(_ record: borrowing Record, into batch: inout RowBatch, context: inout RowContext) {
        let row = batch.rows.count - 1
        for constant in constants ?? [] { fill(constant, record, row: row, &batch, &context) }
    }

    /// Notes that a slot is filled by others than the object's own fields.
    func setReference(_ relationship: Schema.Relationship, to cell: StoredCell, in batch: inout RowBatch) {
        filled[relationship.slot] = turn
        batch[batch.rows.count - 1, relationship.slot] = cell
    }

    /// A slot that was filled by the last object, but whose value is known only at the end.
    func postponed(_ slot: Int) { filled[slot] = -turn }

    /// Whether the last object has filled the slot.
    func isFilled(_ slot: Int) -> Bool { filled[slot] == turn || filled[slot] == -turn }

    /// Which slots the last object has filled with values that are known.
    var filledSlots: SlotMask {
        var mask = SlotMask(slotCount: filled.count)
        for slot in filled.indices where filled[slot] == turn { mask.insert(slot) }
        return mask
    }

    /// A constant is read as an unquoted field would be.
    func fill(
        _ constant: (role: ColumnPlan.Role, name: String, text: [UInt8]), _ record: borrowing Record, row: Int,
        _ batch: inout RowBatch, _ context: inout RowContext
    ) {
        let field = Record.Field(kind: .text, column: -1, start: 0, end: 0, rawStart: 0)
        let problems = constant.text.withUnsafeBufferPointer { text -> [Violation] in
            switch constant.role {
            case .attribute(let index): return fill(index, field, text, row: row, &batch)
            case .reference(let index):
                filled[plan.references[index].relationship.slot] = turn
                return refer(index, record, field, text, row: row, &batch, &context)
            case .ignored, .unmet, .identifier, .refused: return []
            }
        }
        if !problems.isEmpty { context.report(problems, record, entity: plan.entity.name, property: constant.name) }
    }

    // MARK: Attributes

    /// Fills the last row from one field of a record for an attribute, and says what is wrong with it.
    func fill(
        _ index: Int, _ record: borrowing Record, _ field: Record.Field, _ text: UnsafeBufferPointer<UInt8>, row: Int,
        _ batch: inout RowBatch, _ context: inout RowContext
    ) {
        var place = field
        let problems =
            field.kind == .json
            ? fillJSON(index, &place, text, row: row, &batch) : fill(index, field, text, row: row, &batch)
        guard !problems.isEmpty else { return }
        context.report(
            problems, record, place, column: plan.columnName(field.column), entity: plan.entity.name,
            property: plan.attributes[index].attribute.name, text: text)
    }

    func fill(
        _ index: Int, _ field: Record.Field, _ text: UnsafeBufferPointer<UInt8>, row: Int, _ batch: inout RowBatch
    ) -> [Violation] {
        let attribute = plan.attributes[index].attribute
        filled[attribute.slot] = turn
        guard !field.isElement, field.kind != .emptyList, field.kind != .array, field.kind != .object else {
            let found = field.kind == .object ? "an object" : "a list"
            return [Violation(.valueSyntax, "\(found) is not \(attribute.type.phrase)")]
        }
        if plan.attributes[index].isNull(field.kind, text) {
            if options.nullIsDefault, !attribute.description.isOptional, let value = attribute.description.defaultValue
            {
                return value.withBorrowed { put($0, attribute, row: row, &batch) }
            }
            return attribute.validator.violations(of: .null).map { violation in
                guard violation.code == .valueMissing, attribute.description.defaultValue != nil else {
                    return violation
                }
                var violation = violation
                violation.help = "--null-is-default"
                return violation
            }
        }
        do {
            switch try plan.attributes[index].parse(field.kind, text, scratch: &scratch) {
            case .value(let value):
                let violations = put(value, attribute, row: row, &batch, found: text)
                // An attribute that refuses the empty text may accept NULL.
                guard text.isEmpty, field.kind == .quoted, attribute.description.isOptional else { return violations }
                return violations.map { violation in
                    var violation = violation
                    violation.help = "--empty-is-null"
                    return violation
                }
            case .decoded:
                return scratch.withUnsafeBufferPointer { put(.binary($0), attribute, row: row, &batch) }
            }
        } catch {
            let found = Diagnostic.shortened(String(decoding: text, as: UTF8.self))
            return [
                Violation(
                    error.code, "\"\(found)\" is not \(attribute.type.phrase): \(error.reason)",
                    help: help(for: error, index, field, text))
            ]
        }
    }

    private func help(
        for error: ValueTextError, _ index: Int, _ field: Record.Field, _ text: UnsafeBufferPointer<UInt8>
    ) -> String? {
        guard helpCount < Self.helpLimit else {
            hasSkippedHelp = true
            return nil
        }
        helpCount += 1
        return plan.attributes[index].help(
            for: error, field.kind, text, column: field.column < 0 ? nil : plan.columnName(field.column))
    }

    /// - Parameter found: the field's text; nil for a default value.
    func put(
        _ value: BorrowedValue, _ attribute: Schema.Attribute, row: Int, _ batch: inout RowBatch,
        found: UnsafeBufferPointer<UInt8>? = nil
    ) -> [Violation] {
        var violations = attribute.validator.violations(of: value)
        guard violations.isEmpty else { return violations }
        var cell = batch.cell(for: value)
        if case .decimal = cell, !keepsExactDecimals, case .decimal(let number) = value {
            if options.allowsRounding {
                cell = .real(number.storedDouble.value)
            } else {
                let text = found.map { Diagnostic.shortened(String(decoding: $0, as: UTF8.self)) } ?? "\(number)"
                violations.append(
                    Violation(
                        .valuePrecision,
                        "\"\(text)\" has more digits than the store's column keeps; allow rounding with --allow-rounding",
                        help: "--allow-rounding"))
            }
        }
        batch[row, attribute.slot] = cell
        return violations
    }

    // MARK: What the record does not say

    /// Gives the last row what its record left out: defaults, and what is wrong where there is none.
    ///
    /// - Parameter replaces: whether the row replaces an object: then the defaults count as filled.
    func fillAbsent(
        _ record: borrowing Record, into batch: inout RowBatch, context: inout RowContext, replaces: Bool = false
    ) {
        let row = batch.rows.count - 1
        for absent in defaults where !isFilled(absent.attribute.slot) {
            let violations: [Violation]
            switch absent.value {
            case .string?:
                violations = absent.text.withUnsafeBufferPointer { put(.text($0), absent.attribute, row: row, &batch) }
            case let value?: violations = value.withBorrowed { put($0, absent.attribute, row: row, &batch) }
            case nil: violations = absent.attribute.validator.violations(of: .null)
            }
            if !violations.isEmpty {
                context.report(violations, record, entity: plan.entity.name, property: absent.attribute.name)
            }
            if replaces { filled[absent.attribute.slot] = turn }
        }
        for relationship in plan.entity.relationships
        where !isFilled(relationship.slot) && relationship.isPersistent && !relationship.isToMany {
            let violations = relationship.violations(ofCount: 0)
            if !violations.isEmpty {
                context.report(violations, record, entity: plan.entity.name, property: relationship.name)
            }
            if replaces { filled[relationship.slot] = turn }
        }
    }
}
