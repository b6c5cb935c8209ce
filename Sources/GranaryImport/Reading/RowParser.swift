import Foundation
import GranaryBase
import GranaryCoordination
import GranaryFormats
import GranaryModel
import GranaryPredicates

/// Creates rows from records of one entity: reads and checks the value of each field, and adds references. A record is
/// read to its end even if it has problems, so that all of them are reported.
///
/// `@exclusivity(unchecked)` is safe: one thread uses a parser, no method calls itself indirectly, and each accesses
/// one property at a time. The run-time checks would take a tenth of an import.
final class RowParser {
    @exclusivity(unchecked) var plan: ColumnPlan
    let options: ImportOptions
    private let capabilities: StoreCapabilities
    private var keepsExactDecimals: Bool { capabilities.contains(.exactDecimals) }
    /// Whether the store copies files that a cell names.
    var copiesFiles: Bool { capabilities.contains(.fileCells) }
    /// The transformers that must read the bytes of Transformable attributes.
    let transformers: AttributeTransformers
    /// The attributes of the entity with their default values.
    let defaults: [Default]
    /// The turn in which each slot was filled last, which shows what the current object fills.
    @exclusivity(unchecked) var filled: [Int]
    /// The number of the current object.
    var turn = 0
    @exclusivity(unchecked) var scratch: [UInt8] = []
    /// The slots of attributes in natural keys; nil until they are known.
    var keySlots: SlotMask?
    var constants: [(role: ColumnPlan.Role, name: String, text: [UInt8])]?

    struct Default {
        let attribute: Schema.Attribute
        let value: AttributeValue?
        let text: [UInt8]
    }

    /// The number of fields for which a help option was searched. A search takes about 0.1 ms, so the number is
    /// limited.
    private var helpCount: Int
    private static let helpLimit = 1000
    /// Whether a search was omitted since this was last set to false.
    var hasSkippedHelp = false

    init(
        entity: Schema.Entity, schema: Schema, options: ImportOptions, capabilities: StoreCapabilities,
        transformers: AttributeTransformers, nests: Bool = true, isPropertyList: Bool = false
    ) {
        self.transformers = transformers
        plan = ColumnPlan(
            entity: entity, schema: schema, options: options, nests: nests, isPropertyList: isPropertyList)
        self.options = plan.options
        helpCount = 0
        self.capabilities = capabilities
        filled = Array(repeating: 0, count: entity.slotCount)
        defaults = entity.attributes.filter { $0.isPersistent && $0.description.derivationExpression == nil }.map {
            var text: [UInt8] = []
            if case .string(let value)? = $0.description.defaultValue { text = Array(value.utf8) }
            return Default(attribute: $0, value: $0.description.defaultValue, text: text)
        }
    }

    /// Creates a parser for another thread, which searches no help options.
    init(copying other: RowParser) {
        plan = other.plan
        options = other.options
        capabilities = other.capabilities
        transformers = other.transformers
        defaults = other.defaults
        filled = Array(repeating: 0, count: other.filled.count)
        constants = other.constants
        keySlots = other.keySlots
        helpCount = Self.helpLimit
    }

    /// Whether help options are still searched.
    var searchesHelp: Bool { helpCount < Self.helpLimit }

    var hasConstants: Bool { constants != nil }

    /// Finds the attributes and relationships of the constants.
    func prepareConstants(keys: inout KeyIndexes, mayBeOthers: Bool) throws(GranaryError) {
        guard constants == nil else { return }
        var found: [(role: ColumnPlan.Role, name: String, text: [UInt8])] = []
        for (property, text) in options.constants.sorted(by: { $0.key < $1.key }) {
            found.append(
                (try plan.constantRole(of: property, keys: &keys, mayBeOthers: mayBeOthers), property, Array(text.utf8))
            )
        }
        constants = found
    }

    /// Fills the last row of `batch` from the fields of one object of `record` and reports problems.
    ///
    /// Properties without a field stay NULL until ``fillAbsent(_:into:context:replaces:defersMissing:)``.
    func build(
        _ record: borrowing Record, _ fields: borrowing ArraySlice<Record.Field>, into batch: inout RowBatch,
        context: inout RecordState
    ) {
        turn += 1
        let row = batch.rows.count - 1
        record.bytes.withUnsafeBufferPointer { bytes in
            var keyParts: [KeyPart] = []
            var next = fields.startIndex
            while next < fields.endIndex {
                let field = fields[next]
                next += 1
                let column = Int(field.column)
                guard column < plan.roles.count else { continue }
                // The range is valid: a reader's fields point into the record's bytes.
                let text = UnsafeBufferPointer(rebasing: bytes[field.range])
                switch plan.roles[column] {
                case .ignored, .unresolved: break
                case .rejected(let problem): context.report(describing(field, of: record, problem), record, field)
                case .otherEntity(let problem):
                    if !isNullReference(field.kind, text), field.kind != .emptyList {
                        context.report(problem, record, field)
                    }
                case .uncorrected(let problem):
                    if field.kind != .null, field.kind != .text && field.kind != .quoted || !text.isEmpty {
                        context.report(problem, record, field)
                    }
                case .identifier:
                    if !context.setIdentifier(text, field, suffix: options.identifierSuffix) {
                        context.report(
                            [Violation(.valueSyntax, "$id must be one text, such as \(plan.entity.name)/p1")], record,
                            field,
                            column: "$id", entity: plan.entity.name, property: "$id", text: text)
                    }
                case .part(let reference, let key):
                    keyParts.append(KeyPart(reference: reference, key: key, field: field))
                case .attribute(let index):
                    fill(index, record, field, text, row: row, &batch, &context)
                    let attribute = plan.attributes[index].attribute
                    if EdgeSpaces.has(text), let keySlots, keySlots.contains(attribute.slot) {
                        context.noteSpaces(
                            text, plan.attributes[index], record, field, column: plan.columnName(field.column),
                            entity: plan.entity.name, property: attribute.name)
                    }
                case .reference(let index):
                    let relationship = plan.references[index].relationship
                    filled[relationship.slot] = turn
                    // A list of scalars in a to-one relationship has the values of one key.
                    let problems: [Violation]
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
            if !keyParts.isEmpty { refer(keyParts, record, bytes, row: row, &batch, &context) }
        }
    }

    /// Adds to a diagnostic of an unknown member that its value is an object, which only a relationship can have.
    private func describing(
        _ field: Record.Field, of record: borrowing Record, _ problem: Diagnostic
    ) -> Diagnostic {
        guard problem.code == .headerUnknown, field.kind == .object, record.nested.indices.contains(Int(field.start))
        else { return problem }
        let nested = record.nested[Int(field.start)]
        let names = record.nestedFields[Int(nested.fieldsStart)..<Int(nested.fieldsEnd)].prefix(3).map { member in
            let name = plan.columnName(member.column)
            // As in a path, which the options can name.
            return "\"\(Diagnostic.shortened(field.isElement ? name : "\(plan.columnName(field.column)).\(name)"))\""
        }
        var problem = problem
        problem.message += field.isElement ? "; its value is a list of objects" : "; its value is an object"
        if !names.isEmpty { problem.message += " with \(names.joined(separator: ", "))" }
        return problem
    }

    /// Fills the last row from the constants of the import.
    ///
    /// - Parameter isNested: whether the row is a nested object, which has only the constants that name its entity.
    func fillConstants(
        _ record: borrowing Record, isNested: Bool, into batch: inout RowBatch, context: inout RecordState
    ) {
        let row = batch.rows.count - 1
        for constant in constants ?? [] where !isNested || options.entityConstants.contains(constant.name) {
            fill(constant, record, row: row, &batch, &context)
        }
    }

    /// Sets a relationship that the object's own fields do not set.
    func setReference(_ relationship: Schema.Relationship, to cell: StoredCell, in batch: inout RowBatch) {
        filled[relationship.slot] = turn
        batch[batch.rows.count - 1, relationship.slot] = cell
    }

    /// Notes that the object fills a slot whose value is known only after all records are read.
    func postponed(_ slot: Int) { filled[slot] = -turn }

    /// Whether the object fills the slot with a value that is known only after all records are read.
    func isPostponed(_ slot: Int) -> Bool { filled[slot] == -turn }

    /// Whether the object fills the slot.
    func isFilled(_ slot: Int) -> Bool { filled[slot] == turn || filled[slot] == -turn }

    /// The slots that the object sets, including references to later objects.
    var setSlots: SlotMask { mask(where: isFilled) }

    /// The slots that the object fills with known values.
    var filledSlots: SlotMask { mask { filled[$0] == turn } }

    private func mask(where isIncluded: (Int) -> Bool) -> SlotMask {
        var mask = SlotMask(slotCount: filled.count)
        for slot in filled.indices where isIncluded(slot) { mask.insert(slot) }
        return mask
    }

    /// Fills the row from a constant, which is read as an unquoted field.
    func fill(
        _ constant: (role: ColumnPlan.Role, name: String, text: [UInt8]), _ record: borrowing Record, row: Int,
        _ batch: inout RowBatch, _ context: inout RecordState
    ) {
        let field = Record.Field(kind: .text, column: -1, start: 0, end: 0, rawStart: 0)
        let problems = constant.text.withUnsafeBufferPointer { text -> [Violation] in
            switch constant.role {
            case .attribute(let index): return fill(index, field, text, row: row, &batch)
            case .reference(let index):
                filled[plan.references[index].relationship.slot] = turn
                return refer(index, record, field, text, row: row, &batch, &context)
            case .ignored, .unresolved, .identifier, .rejected, .otherEntity, .uncorrected, .part: return []
            }
        }
        if !problems.isEmpty { context.report(problems, record, entity: plan.entity.name, property: constant.name) }
    }

    // MARK: Attributes

    /// Fills an attribute of the last row from a field of the record and reports problems.
    func fill(
        _ index: Int, _ record: borrowing Record, _ field: Record.Field, _ text: UnsafeBufferPointer<UInt8>, row: Int,
        _ batch: inout RowBatch, _ context: inout RecordState
    ) {
        if let files = plan.attributes[index].files, field.kind == .text || field.kind == .quoted,
            !plan.attributes[index].isNull(field.kind, text)
        {
            return fillFile(index, files, record, field, text, row: row, &batch, &context)
        }
        var place = field
        let problems =
            field.kind == .json
            ? fillJSON(index, &place, text, row: row, &batch) : fill(index, field, text, row: row, &batch)
        guard !problems.isEmpty else { return }
        // In records without raw bytes a field has one place.
        if !record.places.isEmpty { place = field }
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
            let violations = attribute.validator.violations(of: .null)
            if options.restoresAsIs { return kept(violations) }
            return violations.map { violation in
                guard violation.code == .valueMissing, attribute.description.defaultValue != nil else {
                    return violation
                }
                var violation = violation
                violation.help = "--null-is-default"
                return violation
            }
        }
        if let violations = fillJSONText(index, field, text, row: row, &batch) { return violations }
        do {
            switch try plan.attributes[index].parse(field.kind, text, scratch: &scratch) {
            case .value(let value):
                let violations = put(value, attribute, row: row, &batch, found: text)
                // An attribute can allow NULL but not the empty text.
                guard text.isEmpty, field.kind == .quoted, attribute.description.isOptional, !options.restoresAsIs
                else { return violations }
                return violations.map { violation in
                    var violation = violation
                    violation.help = "--empty-is-null"
                    return violation
                }
            case .decoded:
                return scratch.withUnsafeBufferPointer { put(.binary($0), attribute, row: row, &batch) }
            }
        } catch {
            if let violations = putIrregular(index, field.kind, text, row: row, &batch) { return violations }
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
        return plan.attributes[index].help(for: error, field.kind, text)
    }

    func violations(of value: BorrowedValue, _ attribute: Schema.Attribute) -> [Violation] {
        var violations = attribute.validator.violations(of: value)
        if attribute.type == .transformable, case .binary(let bytes) = value,
            let problem = transformers.problem(of: bytes, attribute)
        {
            violations.append(problem)
        }
        return violations
    }

    /// - Parameter found: the field's text; nil for a default value.
    func put(
        _ value: BorrowedValue, _ attribute: Schema.Attribute, row: Int, _ batch: inout RowBatch,
        found: UnsafeBufferPointer<UInt8>? = nil
    ) -> [Violation] {
        var violations = self.violations(of: value, attribute)
        if !violations.isEmpty {
            guard options.restoresAsIs, value.isStorable else { return violations }
            violations = kept(violations)
        }
        var cell = batch.cell(for: value)
        if case .decimal = cell, !keepsExactDecimals, case .decimal(let number) = value {
            if options.allowsRounding {
                cell = .real(number.storedDouble.value)
            } else {
                let text = found.map { Diagnostic.shortened(String(decoding: $0, as: UTF8.self)) } ?? "\(number)"
                violations.append(
                    Violation(
                        .valuePrecision,
                        "\"\(text)\" has more digits than the store's column keeps",
                        help: "--allow-rounding"))
            }
        }
        batch[row, attribute.slot] = cell
        return violations
    }

    // MARK: Missing properties

    /// Fills the properties that the object does not set with default values, and reports missing required values.
    ///
    /// - Parameters:
    ///   - replaces: whether the row replaces an object, so that default values count as set.
    ///   - defersMissing: whether a managed object can still set missing required values.
    func fillAbsent(
        _ record: borrowing Record, into batch: inout RowBatch, context: inout RecordState, replaces: Bool = false,
        defersMissing: Bool = false
    ) {
        let row = batch.rows.count - 1
        for absent in defaults where !isFilled(absent.attribute.slot) {
            let violations: [Violation]
            switch absent.value {
            case .string?:
                violations = absent.text.withUnsafeBufferPointer { put(.text($0), absent.attribute, row: row, &batch) }
            case let value?: violations = value.withBorrowed { put($0, absent.attribute, row: row, &batch) }
            case nil: violations = defersMissing ? [] : kept(absent.attribute.validator.violations(of: .null))
            }
            if !violations.isEmpty {
                context.report(violations, record, entity: plan.entity.name, property: absent.attribute.name)
            }
            if replaces { filled[absent.attribute.slot] = turn }
        }
        for relationship in plan.entity.relationships
        where !isFilled(relationship.slot) && relationship.isPersistent && !relationship.isToMany && !defersMissing {
            let violations = kept(relationship.violations(ofCount: 0))
            if !violations.isEmpty {
                context.report(violations, record, entity: plan.entity.name, property: relationship.name)
            }
            if replaces { filled[relationship.slot] = turn }
        }
    }
}
