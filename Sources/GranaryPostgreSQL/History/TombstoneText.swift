#if PostgreSQL
    import Foundation
    import GranaryBase
    import GranaryCoordination
    import GranaryModel
    import GranaryPredicates

    /// The values that the history keeps of a deleted object, as the server writes them in JSON.
    enum TombstoneText {
        /// - Returns: the values by the names of their attributes; what is no value of its attribute is left out.
        static func values(_ texts: [String: String], of entity: Schema.Entity) -> [String: AttributeValue] {
            var values: [String: AttributeValue] = [:]
            for attribute in entity.historyTombstones {
                if let text = texts[attribute.name], let value = value(text, of: attribute, in: entity) {
                    values[attribute.name] = value
                }
            }
            return values
        }

        private static func value(
            _ text: String, of attribute: Schema.Attribute, in entity: Schema.Entity
        ) -> AttributeValue? {
            var batch = RowBatch()
            batch.appendRow(entity: entity.index, key: 0, version: 0, slotCount: entity.slotCount)
            guard let cell = cell(text, attribute.type, &batch) else { return nil }
            batch[0, attribute.slot] = cell
            return try? batch.value(row: 0, of: attribute)
        }

        private static func cell(_ text: String, _ type: AttributeType, _ batch: inout RowBatch) -> StoredCell? {
            switch SQLType(type) {
            case .smallint, .integer, .bigint: return Int64(text).map { .integer($0) }
            case .boolean: return .integer(text == "true" ? 1 : 0)
            case .doublePrecision:
                guard let number = Double(text), number.isFinite else { return nil }
                return type == .date ? batch.cell(for: .date(number)) : .real(number)
            case .real: return Float(text).map { .real(Double($0)) }
            case .numeric:
                var text = text
                guard let number = text.withUTF8({ try? DecimalText.parse($0) }) else { return nil }
                return batch.cell(for: .decimal(number))
            case .text:
                batch.bytes = Array(text.utf8)
                return .text(start: 0, count: UInt32(clamping: batch.bytes.count))
            case .bytea: return hexBytes(text).map { blob($0, &batch) }
            case .uuid:
                return UUID(uuidString: text).map { uuid in blob(withUnsafeBytes(of: uuid.uuid, Array.init), &batch) }
            default: return nil
            }
        }

        private static func blob(_ bytes: [UInt8], _ batch: inout RowBatch) -> StoredCell {
            batch.bytes = bytes
            return .blob(start: 0, count: UInt32(clamping: bytes.count))
        }

        private static func hexBytes(_ text: String) -> [UInt8]? {
            let digits = text.utf8.map { Character(UnicodeScalar($0)).hexDigitValue }
            guard digits.count.isMultiple(of: 2), !digits.contains(nil) else { return nil }
            return stride(from: 0, to: digits.count, by: 2).map { place in
                UInt8(truncatingIfNeeded: (digits[place] ?? 0) << 4 | (digits[place + 1] ?? 0))
            }
        }
    }
#endif
