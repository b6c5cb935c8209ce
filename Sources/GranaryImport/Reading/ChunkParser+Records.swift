import GranaryBase
import GranaryCoordination
import GranaryFormats
import GranaryModel

/// Rows of records that are read one by one, as in JSON.
extension ChunkParser {
    /// Fills the last row of a batch, an ``emptyRow``, from a record; false if the record may be invalid or
    /// ``isUndecided``.
    mutating func fill(_ record: borrowing Record, into batch: inout RowBatch) -> Bool {
        doubtful.removeAll(keepingCapacity: true)
        spaced.removeAll(keepingCapacity: true)
        turn &+= 1
        isUndecided = false
        guard let first = batch.rows.last?.firstCell else { return false }
        record.bytes.withUnsafeBufferPointer { bytes in
            var next = 0
            while next < record.fields.count, !isUndecided {
                let field = record.fields[next]
                let text = UnsafeBufferPointer(rebasing: bytes[field.range])
                let column = Int(field.column)
                guard columns.indices.contains(column) else {
                    isUndecided = true
                    return
                }
                lastTurns[column] = turn
                switch columns[column] {
                case .ignored: break
                case .unknown: isUndecided = true
                case .plain(let index, let attribute):
                    if let cell = read(field, text, index, &batch.bytes) {
                        batch.cells[first &+ plain[index].slot] = cell
                    } else {
                        fill(attribute, field, next, text, &batch)
                    }
                case .other(let attribute): fill(attribute, field, next, text, &batch)
                case .reference(let index):
                    let reference = references[index]
                    var end = next &+ 1
                    if field.isElement {
                        while end < record.fields.count, record.fields[end].column == field.column { end &+= 1 }
                    }
                    let cell =
                        field.kind == .object
                        ? self.cell(next..<end, of: record, bytes, reference, &batch.bytes)
                        : self.cell(record.fields[next..<end], bytes, reference, &batch.bytes)
                    if let cell {
                        batch.cells[first &+ reference.slot] = cell
                    } else {
                        isUndecided = true
                    }
                    next = end &- 1
                }
                if areKeys[column], EdgeSpaces.has(text) { spaced.append(next) }
                next &+= 1
            }
        }
        for column in needed where lastTurns[column] != turn { isUndecided = true }
        return doubtful.isEmpty && !isUndecided
    }

    /// Reads a field of a plain column; nil if ``FieldParser`` must read it.
    @inline(__always)
    private mutating func read(
        _ field: Record.Field, _ text: UnsafeBufferPointer<UInt8>, _ index: Int, _ bytes: inout [UInt8]
    ) -> StoredCell? {
        guard !field.isElement else { return nil }
        switch field.kind {
        case .text: return plain[index].read(text, isQuoted: false, into: &bytes)
        case .quoted: return plain[index].read(text, isQuoted: true, into: &bytes)
        case .null: return plain[index].allowsNull ? .null : nil
        case .number: return plain[index].isNumber ? plain[index].read(text, isQuoted: true, into: &bytes) : nil
        case .boolean: return plain[index].isBoolean ? plain[index].read(text, isQuoted: true, into: &bytes) : nil
        default: return nil
        }
    }

    /// Fills an attribute from the field at an index.
    private mutating func fill(
        _ attribute: Int, _ field: Record.Field, _ index: Int, _ text: UnsafeBufferPointer<UInt8>,
        _ batch: inout RowBatch
    ) {
        // The offsets in a JSON value are those of the record.
        guard field.kind != .json, let first = batch.rows.last?.firstCell else {
            isUndecided = true
            return
        }
        // NULL fills nothing, and the cell has the default value of a missing column.
        batch.cells[first &+ rowParser.plan.attributes[attribute].attribute.slot] = .null
        let problems = rowParser.fill(attribute, field, text, row: batch.rows.count - 1, &batch)
        if !problems.isEmpty {
            doubtful.append(index)
            if !decidesAll { isUndecided = true }
        }
    }

    /// Returns the cell of nested objects that have only their key; nil if an object has something else or must wait. The
    /// cell is a blob, not a text, to tell ``ImportReader/resolve(_:_:of:_:at:)`` that the lookup creates such objects.
    ///
    /// - Parameter fields: the indexes of the record's fields.
    private mutating func cell(
        _ fields: Range<Int>, of record: borrowing Record, _ bytes: UnsafeBufferPointer<UInt8>, _ reference: Reference,
        _ target: inout [UInt8]
    ) -> StoredCell? {
        guard let keyColumn = reference.keyColumn, reference.isKnownAtOnce, reference.keys == nil else { return nil }
        let start = target.count
        for index in fields {
            let field = record.fields[index]
            guard field.kind == .object, field.isElement == reference.relationship.isToMany,
                record.nested.indices.contains(Int(field.start))
            else { return nil }
            let nested = record.nested[Int(field.start)]
            guard nested.fieldsEnd == nested.fieldsStart + 1 else { return nil }
            let key = record.nestedFields[Int(nested.fieldsStart)]
            let text = UnsafeBufferPointer(rebasing: bytes[key.range])
            guard Int(key.column) == keyColumn, key.kind == .quoted, !key.isElement, !EdgeSpaces.has(text),
                !reference.relationship.isToMany || !text.isEmpty && !text.contains(listSeparator)
            else { return nil }
            if index > fields.lowerBound { target.append(listSeparator) }
            target.append(contentsOf: text)
        }
        return .blob(
            start: UInt32(truncatingIfNeeded: start), count: UInt32(truncatingIfNeeded: target.count - start))
    }

    /// Returns the cell of a reference: of one field, or of the elements of a list, which is then a text with
    /// separators. Nil if the reference may be invalid or must wait.
    private mutating func cell(
        _ fields: ArraySlice<Record.Field>, _ bytes: UnsafeBufferPointer<UInt8>, _ reference: Reference,
        _ target: inout [UInt8]
    ) -> StoredCell? {
        guard let field = fields.first else { return nil }
        let text = UnsafeBufferPointer(rebasing: bytes[field.range])
        if field.isElement {
            guard reference.relationship.isToMany else { return nil }
            let start = target.count
            for element in fields {
                let text = UnsafeBufferPointer(rebasing: bytes[element.range])
                guard element.kind == .quoted, !text.isEmpty, !text.contains(listSeparator), !EdgeSpaces.has(text),
                    !isDoubtful(text, reference)
                else { return nil }
                if target.count > start { target.append(listSeparator) }
                target.append(contentsOf: text)
            }
            return .text(
                start: UInt32(truncatingIfNeeded: start), count: UInt32(truncatingIfNeeded: target.count - start))
        }
        switch field.kind {
        case .null, .emptyList: return reference.isOptional ? .null : nil
        case .text where text.isEmpty: return reference.isOptional ? .null : nil
        case .text, .quoted:
            guard reference.relationship.isToMany ? isPlainList(text, reference) : !isDoubtful(text, reference) else {
                return nil
            }
            return cell(text, reference, &target)
        default: return nil
        }
    }
}
