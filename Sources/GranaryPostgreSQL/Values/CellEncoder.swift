#if PostgreSQL
    import Foundation
    import GranaryBase
    import GranaryCoordination
    import GranaryModel

    /// Cells of rows in the binary format.
    enum CellEncoder {
        /// Appends a field with the value of a cell.
        ///
        /// - Throws: ``CellRefusal``; ``GranaryError`` if the file of the cell cannot be read.
        static func append(
            _ cell: StoredCell, _ bytes: UnsafeBufferPointer<UInt8>, _ type: SQLType, to buffer: inout FieldBuffer
        ) throws {
            switch cell {
            case .null: buffer.appendNull()
            case .integer(let value): try append(value, type, to: &buffer)
            case .real(let value): try append(value, type, to: &buffer)
            case .text(let start, let count):
                guard type == .text else { throw CellRefusal.wrongType }
                let text = bytes.slice(start, count)
                guard text.count <= RowBatch.fileLimit else { throw CellRefusal.tooLarge }
                if UTF8Text.firstNUL(in: text) != nil { throw CellRefusal.nullCharacter }
                if UTF8Text.firstInvalid(in: text) != nil { throw CellRefusal.invalidText }
                buffer.appendField(text)
            case .blob(let start, let count):
                guard type == .bytea || type == .uuid && count == 16 else { throw CellRefusal.wrongType }
                guard Int(count) <= RowBatch.fileLimit else { throw CellRefusal.tooLarge }
                buffer.appendField(bytes.slice(start, count))
            case .file(let start, let count):
                guard type == .bytea else { throw CellRefusal.wrongType }
                let path = String(decoding: bytes.slice(start, count), as: UTF8.self)
                buffer.appendField(try ByteSource(path: path).readAll(limit: RowBatch.fileLimit))
            case .decimal(let start, let count):
                guard type == .numeric, let number = try? DecimalText.parse(bytes.slice(start, count)) else {
                    throw CellRefusal.wrongType
                }
                NumericValue.append(number, to: &buffer)
            case .reference(let key, _): buffer.appendField(key)
            }
        }

        private static func append(_ value: Int64, _ type: SQLType, to buffer: inout FieldBuffer) throws(CellRefusal) {
            switch type {
            case .smallint: buffer.appendField(try narrowed(value, type) as Int16)
            case .integer: buffer.appendField(try narrowed(value, type) as Int32)
            case .bigint: buffer.appendField(value)
            case .boolean:
                guard value == 0 || value == 1 else { throw .outOfRange("\(value)", type) }
                buffer.appendField(value == 1)
            case .numeric: NumericValue.append(ExactDecimal(value), to: &buffer)
            case .doublePrecision, .real:
                guard Int64(exactly: Double(value)) == value else { throw .rounded("\(value)") }
                try append(Double(value), type, to: &buffer)
            default: throw .wrongType
            }
        }

        private static func append(_ value: Double, _ type: SQLType, to buffer: inout FieldBuffer) throws(CellRefusal) {
            guard value.isFinite else { throw .notFinite(value) }
            switch type {
            case .doublePrecision: buffer.appendField(value)
            case .real:
                guard Double(Float(value)) == value else { throw .rounded("\(value)") }
                buffer.appendField(Float(value))
            case .numeric:
                guard let number = ExactDecimal(shortest: value) else { throw .outOfRange("\(value)", type) }
                NumericValue.append(number, to: &buffer)
            case .smallint, .integer, .bigint:
                guard let whole = Int64(exactly: value) else { throw .rounded("\(value)") }
                try append(whole, type, to: &buffer)
            default: throw .wrongType
            }
        }

        private static func narrowed<Integer: FixedWidthInteger>(
            _ value: Int64, _ type: SQLType
        ) throws(CellRefusal) -> Integer {
            guard let narrow = Integer(exactly: value) else { throw .outOfRange("\(value)", type) }
            return narrow
        }
    }

    extension UnsafeBufferPointer<UInt8> {
        /// The bytes of a cell. ``RowBatch`` appends them when it makes the cell, so the range is inside the buffer.
        func slice(_ start: UInt32, _ count: UInt32) -> UnsafeBufferPointer<UInt8> {
            UnsafeBufferPointer(rebasing: self[Int(start)..<Int(start) + Int(count)])
        }
    }
#endif
