import GranaryBase
import GranaryCoordination
import GranaryModel
import GranaryPredicates

/// The row of an object that a lookup creates.
enum MissingObjectRow {
    /// Fills a row with the values of a natural key and default values.
    ///
    /// - Parameter isChecked: whether the object must keep the rules of the model.
    /// - Returns: the reason why the object cannot be created; nil if it can.
    static func fill(
        _ row: Int, of entity: Schema.Entity, slots: [Int], _ bytes: [UInt8], isChecked: Bool, in rows: inout RowBatch
    ) -> String? {
        let cells = NaturalKeyBytes.cells(bytes, into: &rows)
        for attribute in entity.attributes where attribute.isPersistent {
            if attribute.description.derivationExpression != nil { continue }
            if let place = slots.firstIndex(of: attribute.slot), cells.indices.contains(place) {
                rows[row, attribute.slot] = cell(cells[place], for: attribute)
            } else if let value = attribute.description.defaultValue {
                value.withBorrowed { rows.set($0, row: row, slot: attribute.slot) }
            }
            let violations = try? rows.withValue(row: row, of: attribute) { attribute.validator.violations(of: $0) }
            if isChecked, let violation = violations?.first {
                return "\(attribute.name): \(violation.message)"
            }
            if violations == nil { return "\(attribute.name): the key has another type" }
        }
        for relationship in entity.relationships where relationship.isPersistent && isChecked {
            if let violation = relationship.violations(ofCount: 0).first {
                return "\(relationship.name): \(violation.message)"
            }
        }
        return nil
    }

    /// Keys do not distinguish text from bytes, so the attribute's type decides.
    private static func cell(_ cell: StoredCell, for attribute: Schema.Attribute) -> StoredCell {
        guard case .text(let start, let count) = cell else { return cell }
        switch attribute.type {
        case .binary, .transformable, .uuid: return .blob(start: start, count: count)
        case .decimal: return .decimal(start: start, count: count)
        default: return cell
        }
    }
}
