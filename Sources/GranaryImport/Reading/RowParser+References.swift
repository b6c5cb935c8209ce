import GranaryBase
import GranaryCoordination
import GranaryFormats
import GranaryModel

/// Reading of relationship fields.
extension RowParser {
    func refer(
        _ index: Int, _ record: borrowing Record, _ field: Record.Field, _ text: UnsafeBufferPointer<UInt8>, row: Int,
        _ batch: inout RowBatch, _ context: inout RecordState
    ) -> [Violation] {
        let relationship = plan.references[index].relationship
        // A nested object becomes a row.
        if field.kind == .object {
            if field.isElement, !relationship.isToMany {
                return [Violation(.valueSyntax, "a list cannot be the value of a to-one relationship")]
            }
            postponed(relationship.slot)
            return []
        }
        let isNull =
            plan.references[index].keys.isEmpty
            ? isNullReference(field.kind, text) : plan.references[index].keys[0].isNull(field.kind, text)
        if isNull || field.kind == .emptyList {
            if relationship.isToMany { context.postponeEmptyList(relationship, entity: plan.entity.index) }
            return kept(relationship.violations(ofCount: 0))
        }
        if !relationship.isToMany {
            if field.isElement {
                return [Violation(.valueSyntax, "a list cannot be the value of a to-one relationship")]
            }
            return referOne(index, record, field, text, row: row, &batch, &context)
        }
        if field.isElement { return referOne(index, record, field, text, row: row, &batch, &context) }
        if field.kind == .array { return [Violation(.valueSyntax, "a list inside a list is not an object")] }
        return referList(index, record, field, text, row: row, &batch, &context)
    }

    func isNullReference(_ kind: Record.Kind, _ text: UnsafeBufferPointer<UInt8>) -> Bool {
        kind == .null || (kind == .text && options.nullTexts.contains { $0.utf8.elementsEqual(text) })
    }

    func referList(
        _ index: Int, _ record: borrowing Record, _ field: Record.Field, _ text: UnsafeBufferPointer<UInt8>, row: Int,
        _ batch: inout RowBatch, _ context: inout RecordState
    ) -> [Violation] {
        var list = ListText(separator: options.listSeparator)
        var element: [UInt8] = []
        var violations: [Violation] = []
        do {
            while try list.next(of: text, into: &element) {
                violations += element.withUnsafeBufferPointer {
                    referOne(index, record, field, $0, row: row, &batch, &context)
                }
            }
        } catch {
            violations.append(Violation(error.code, error.reason))
        }
        return violations
    }

    /// Adds one reference, or sets it if the object is known already.
    func referOne(
        _ index: Int, _ record: borrowing Record, _ field: Record.Field, _ text: UnsafeBufferPointer<UInt8>, row: Int,
        _ batch: inout RowBatch, _ context: inout RecordState
    ) -> [Violation] {
        // Parsing a key changes its parser. A local copy of the plan would share its array, which Swift would then copy.
        let isImplied = plan.references[index].isImplied
        context.key.removeAll(keepingCapacity: true)
        if plan.references[index].isComposite {
            // By default an export refers to objects with a key of several values by `$id`.
            if isImplied, Self.isIdentifier(text) {
                NaturalKeyBytes.append(text: text, to: &context.key)
                bind(index, record, field, row: row, &batch, &context, byIdentifier: true)
                return []
            }
            do {
                let parts = try JSONKeyList.parts(of: text)
                return refer(index, record, field, parts: parts, row: row, &batch, &context)
            } catch {
                let found = Diagnostic.shortened(String(decoding: text, as: UTF8.self))
                return [Violation(error.code, "\"\(found)\" is not a key: \(error.reason)")]
            }
        }
        if plan.references[index].indexNumber == nil || namesRestoredObject(index, text) {
            NaturalKeyBytes.append(text: text, suffix: options.identifierSuffix, to: &context.key)
            bind(index, record, field, row: row, &batch, &context, byIdentifier: true)
            return []
        }
        let isNamed = isImplied && names(text, plan.references[index].relationship, context.schema)
        if let violation = appendKey(index, part: 0, field.kind, text, &batch, &context) {
            guard isNamed else { return [violation] }
            // An export can refer to objects by `$id`, which is no value of this key.
            context.key.removeAll(keepingCapacity: true)
            NaturalKeyBytes.append(text: text, to: &context.key)
            bind(index, record, field, row: row, &batch, &context, byIdentifier: true)
            return []
        }
        if EdgeSpaces.has(text), let parser = plan.references[index].keys.first {
            context.noteSpaces(
                text, parser, record, field, column: plan.columnName(field.column), entity: plan.entity.name,
                property: plan.references[index].relationship.name)
        }
        var identifier: [UInt8]?
        if isNamed {
            var bytes: [UInt8] = []
            NaturalKeyBytes.append(text: text, to: &bytes)
            identifier = bytes
        }
        bind(index, record, field, row: row, &batch, &context, possibleIdentifier: identifier)
        return []
    }

    /// Whether a text has the form of the `$id` of an object that the relationship can refer to.
    private func names(
        _ text: UnsafeBufferPointer<UInt8>, _ relationship: Schema.Relationship, _ schema: Schema
    ) -> Bool {
        guard Self.isIdentifier(text), let slash = text.lastIndex(of: UInt8(ascii: "/")) else { return false }
        guard let entity = schema.entity(named: String(decoding: text[..<slash], as: UTF8.self)) else { return false }
        return schema.entity(entity.index, isKindOf: relationship.destination)
    }

    /// Whether a restored reference is an `$id`, because it has the form of one and its key is not a text. If the key
    /// is a text, ``ReferenceResolver`` decides when all objects are known.
    private func namesRestoredObject(_ index: Int, _ text: UnsafeBufferPointer<UInt8>) -> Bool {
        guard options.restoresAsIs, let key = plan.references[index].keys.first, Self.isIdentifier(text) else {
            return false
        }
        return key.type != .string && key.type != .uri
    }

    /// Whether a text has the form of an exported `$id`, `Doctor/p3`, which no JSON array has.
    static func isIdentifier(_ text: UnsafeBufferPointer<UInt8>) -> Bool {
        // Few texts end with a digit.
        guard let last = text.last, last >= UInt8(ascii: "0"), last <= UInt8(ascii: "9") else { return false }
        guard let slash = text.lastIndex(of: UInt8(ascii: "/")), slash > 0, text[0] != UInt8(ascii: "[") else {
            return false
        }
        let number = text[(slash + 1)...]
        return number.first == UInt8(ascii: "p") && number.count > 1
            && number.dropFirst().allSatisfy { $0 >= UInt8(ascii: "0") && $0 <= UInt8(ascii: "9") }
    }

    /// Adds a reference by a key of several values.
    ///
    /// - Parameter isLate: whether the row of the owner need not be the last row any more.
    func refer(
        _ index: Int, _ record: borrowing Record, _ field: Record.Field, parts: [JSONKeyList.Part], row: Int,
        _ batch: inout RowBatch, _ context: inout RecordState, policy: ImportOptions.MissingPolicy? = nil,
        isLate: Bool = false
    ) -> [Violation] {
        let names = plan.references[index].names
        guard parts.count == names.count else {
            return [
                Violation(
                    .valueSyntax,
                    "a key here has \(names.count) values (\(names.joined(separator: ", "))), not \(parts.count)")
            ]
        }
        context.key.removeAll(keepingCapacity: true)
        for (number, part) in parts.enumerated() {
            if part.kind == .null {
                return [Violation(.valueSyntax, "\(names[number]) is null, and a key cannot contain NULL")]
            }
            let problem = part.bytes.withUnsafeBufferPointer { text in
                var place = field
                place.kind = part.kind
                context.noteSpaces(
                    text, plan.references[index].keys[number], record, place, column: plan.columnName(field.column),
                    entity: plan.entity.name, property: plan.references[index].relationship.name)
                return appendKey(index, part: number, part.kind, text, &batch, &context)
            }
            if let problem { return [problem] }
        }
        bind(index, record, field, row: row, &batch, &context, policy: policy, isLate: isLate)
        return []
    }

    /// Adds a reference for a nested object that has only the members of its key.
    ///
    /// - Returns: problems of the key; nil if the nested object has other members and must become a row.
    func referByName(
        _ index: Int, _ record: borrowing Record, _ fields: borrowing ArraySlice<Record.Field>, names: [String],
        _ batch: inout RowBatch, _ context: inout RecordState
    ) -> [Violation]? {
        let keys = plan.references[index].keys
        guard plan.references[index].indexNumber != nil, !plan.references[index].hasOwners, fields.count == keys.count
        else { return nil }
        var parts: [JSONKeyList.Part] = []
        var places: [Record.Field] = []
        for key in keys {
            guard let place = fields.indices.first(where: { names[$0 - fields.startIndex] == key.attribute.name }),
                !fields[place].isElement, fields[place].kind != .object, fields[place].kind != .array,
                fields[place].kind != .emptyList
            else { return nil }
            places.append(fields[place])
            parts.append(
                JSONKeyList.Part(kind: fields[place].kind, bytes: Array(record.bytes[fields[place].range])))
        }
        guard let field = places.first else { return nil }
        return refer(
            index, record, field, parts: parts, row: batch.rows.count - 1, &batch, &context, policy: .create,
            isLate: true)
    }

    /// Sets a reference if its object is known and final, otherwise adds it to the waiting references.
    func bind(
        _ index: Int, _ record: borrowing Record, _ field: Record.Field, row: Int, _ batch: inout RowBatch,
        _ context: inout RecordState, policy: ImportOptions.MissingPolicy? = nil, isLate: Bool = false,
        byIdentifier: Bool = false, possibleIdentifier: [UInt8]? = nil
    ) {
        let relationship = plan.references[index].relationship
        let indexNumber = byIdentifier ? nil : plan.references[index].indexNumber
        let policy = policy ?? plan.references[index].policy
        // The references of nested objects are part of their contents.
        if !isLate { context.noteReference(relationship.slot) }
        if !isLate, possibleIdentifier == nil, !relationship.isToMany, context.bindsEarly(policy),
            indexNumber == nil || !options.restoresAsIs,
            !context.schema.isOneToOne(relationship), context.keyIndexes.isFinal(indexNumber),
            let entry = context.find(indexNumber: indexNumber), entry.sharing == .none, !entry.isRejected,
            !entry.isMade,
            context.schema.entity(Int(entry.entity), isKindOf: relationship.destination)
        {
            batch[row, relationship.slot] = .reference(key: entry.key, entity: entry.entity)
        } else {
            if !isLate { postponed(relationship.slot) }
            context.postpone(
                relationship, indexNumber: indexNumber, policy: policy, entity: plan.entity.index, record,
                field, column: field.column < 0 ? nil : plan.columnName(field.column),
                possibleIdentifier: possibleIdentifier)
        }
    }

    /// Appends the stored form of a key value to the current key, so that `1.0` and `1` are the same number.
    func appendKey(
        _ index: Int, part: Int, _ kind: Record.Kind, _ text: UnsafeBufferPointer<UInt8>, _ batch: inout RowBatch,
        _ context: inout RecordState
    ) -> Violation? {
        guard let owner = plan.references[index].owners[part] else {
            return appendValue(index, part: part, kind, text, &batch, &context.key)
        }
        var key: [UInt8] = []
        if let violation = appendValue(index, part: part, kind, text, &batch, &key) { return violation }
        let entry = context.keyIndexes.all[owner.indexNumber].index.find(key)
        let destination = context.schema.entities[owner.relationship.destination]
        guard let entry, entry.sharing == .none, !entry.isRejected, !entry.isMade,
            context.keyIndexes.isFinal(owner.indexNumber),
            context.schema.entity(Int(entry.entity), isKindOf: destination.index)
        else {
            let name = plan.references[index].keys[part].attribute.name
            let found = NaturalKeyBytes.display(key[...])
            let message =
                entry.map { $0.sharing != .none } ?? false
                ? "several objects of \(destination.name) have the \(name) \(found)"
                : "there is no \(destination.name) with the \(name) \(found) when the row is read; it must be stored or in an "
                    + "earlier import"
            let isAmbiguous = entry.map { $0.sharing != .none } ?? false
            return Violation(isAmbiguous ? .relationshipAmbiguous : .relationshipNotFound, message)
        }
        _ = NaturalKeyBytes.append(.reference(key: entry.key, entity: entry.entity), of: batch, to: &context.key)
        return nil
    }

    private func appendValue(
        _ index: Int, part: Int, _ kind: Record.Kind, _ text: UnsafeBufferPointer<UInt8>, _ batch: inout RowBatch,
        _ key: inout [UInt8]
    ) -> Violation? {
        do {
            switch try plan.references[index].keys[part].parse(kind, text, scratch: &scratch) {
            case .value(.text(let bytes)), .value(.uri(let bytes)): NaturalKeyBytes.append(text: bytes, to: &key)
            case .value(let value):
                // The bytes of a UUID or a long decimal stay unused in the batch's buffer.
                let cell = batch.cell(for: value)
                _ = NaturalKeyBytes.append(cell, of: batch, to: &key)
            case .decoded: scratch.withUnsafeBufferPointer { NaturalKeyBytes.append(text: $0, to: &key) }
            }
            return nil
        } catch {
            let found = Diagnostic.shortened(String(decoding: text, as: UTF8.self))
            let type = plan.references[index].keys[part].attribute.type.phrase
            return Violation(error.code, "\"\(found)\" is not \(type): \(error.reason)")
        }
    }

    /// A column with a part of a reference's key, and its field in the current object.
    struct KeyPart {
        let reference: Int
        let key: Int
        let field: Record.Field
    }

    /// Adds the references of the current object whose keys are in several columns.
    func refer(
        _ found: [KeyPart], _ record: borrowing Record, _ bytes: UnsafeBufferPointer<UInt8>, row: Int,
        _ batch: inout RowBatch, _ context: inout RecordState
    ) {
        for reference in Set(found.map(\.reference)).sorted() {
            let own = found.filter { $0.reference == reference }
            let plan = plan.references[reference]
            guard let field = own.first?.field else { continue }
            filled[plan.relationship.slot] = turn
            var parts: [JSONKeyList.Part?] = Array(repeating: nil, count: plan.keys.count)
            var problems: [Violation] = []
            for part in own {
                let text = UnsafeBufferPointer(rebasing: bytes[part.field.range])
                if part.field.isElement || part.field.kind == .object || part.field.kind == .array {
                    problems = [Violation(.valueSyntax, "\(plan.names[part.key]) is a list or an object, not a value")]
                } else if part.field.kind != .emptyList, !plan.keys[part.key].isNull(part.field.kind, text) {
                    parts[part.key] = JSONKeyList.Part(kind: part.field.kind, bytes: Array(text))
                }
            }
            let values = parts.compactMap(\.self)
            if problems.isEmpty {
                if values.isEmpty {
                    problems = kept(plan.relationship.violations(ofCount: 0))
                } else if let missing = parts.firstIndex(where: { $0 == nil }) {
                    problems = [
                        Violation(
                            .valueMissing, "\(plan.names[missing]) is NULL, and the other values of the key are not")
                    ]
                } else {
                    problems = refer(reference, record, field, parts: values, row: row, &batch, &context)
                }
            }
            guard !problems.isEmpty else { continue }
            context.report(
                problems, record, field, column: self.plan.columnName(field.column), entity: self.plan.entity.name,
                property: plan.relationship.name, text: UnsafeBufferPointer(rebasing: bytes[field.range]))
        }
    }
}
