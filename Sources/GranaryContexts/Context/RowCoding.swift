import Foundation
import GranaryBase
import GranaryCoordination
import GranaryModel
import GranaryPredicates

/// Converts an object's values to a row of a store, and checks rows.
struct RowCoding {
    let identity: StoreIdentity

    /// Checks every cell of a row against the model, so that its values can be read later without errors.
    ///
    /// A number with decimals in an integer column loses them, as in Core Data.
    ///
    /// - Throws: ``GranaryError`` (`store.corrupt`) for an invalid cell.
    func check(_ batch: inout RowBatch, row: Int, layout: ObjectLayout) throws {
        for attribute in layout.entity.attributes where attribute.isPersistent {
            let isValue: Bool
            do {
                isValue = try batch.withValue(row: row, of: attribute) { value in
                    switch value {
                    // All other values are valid if their bytes can be read.
                    case .uri, .decimal: AttributeValue(value) != nil
                    default: true
                    }
                }
            } catch let error as CellMismatch {
                if attribute.type.integerRange != nil, case .real(let number) = batch[row, attribute.slot],
                    let whole = Int64(exactly: number.rounded(.towardZero))
                {
                    batch[row, attribute.slot] = .integer(whole)
                    continue
                }
                throw corrupt(error.message, batch.rows[row].key, layout, attribute.name)
            }
            guard isValue else {
                throw corrupt("the value cannot be represented", batch.rows[row].key, layout, attribute.name)
            }
        }
        for link in layout.relationships where link.isPersistent && !link.isToMany {
            switch batch[row, link.slot] {
            case .null: break
            case .reference(_, let entity)
            where layout.schema.entities[link.end.destination].family.contains(Int(entity)): break
            default:
                throw corrupt("the reference leads to another entity", batch.rows[row].key, layout, link.name)
            }
        }
    }

    /// Appends the row of an object to a batch.
    ///
    /// - Parameters:
    ///   - withheld: slots to leave NULL for now.
    ///   - successor: returns a related object's ID after the save; nil if it will be deleted.
    func append(
        _ object: ManagedObject, key: Int64, version: Int64, withheld: Set<Int> = [], to batch: inout RowBatch,
        successor: (ManagedObjectID) -> ManagedObjectID?
    ) throws {
        let layout = object.layout
        let row = batch.appendRow(
            entity: layout.index, key: key, version: version, slotCount: layout.entity.slotCount)
        for attribute in layout.entity.attributes where attribute.isPersistent && !withheld.contains(attribute.slot) {
            guard let value = object.values[attribute.slot].attribute else { continue }
            try checkSize(of: value, object, attribute)
            value.withBorrowed { batch.set($0, row: row, slot: attribute.slot) }
        }
        for link in layout.relationships
        where link.isPersistent && !link.isToMany && !withheld.contains(link.slot) {
            guard let id = object.values[link.slot].toOne.flatMap(successor), let key = id.key else { continue }
            batch[row, link.slot] = .reference(key: key, entity: Int32(id.entity))
        }
    }

    /// The bytes of a batch are counted in 32 bits.
    private func checkSize(of value: AttributeValue, _ object: ManagedObject, _ attribute: Schema.Attribute) throws {
        let count: Int
        switch value {
        case .string(let text): count = text.utf8.count
        case .binary(let data): count = data.count
        case .uri(let url): count = url.absoluteString.utf8.count
        default: return
        }
        guard count > RowBatch.byteLimit / 2 else { return }
        throw GranaryError(
            Diagnostic(
                .limitExceeded,
                "\(count) bytes are more than the limit of \(RowBatch.byteLimit / 2) (\(object.objectID))",
                entity: object.entity.name, property: attribute.name))
    }

    private func corrupt(_ message: String, _ key: Int64, _ layout: ObjectLayout, _ property: String) -> GranaryError {
        let id = ManagedObjectID(origin: identity, entity: layout.index, key: key)
        return GranaryError(
            Diagnostic(.storeCorrupt, "\(message) (\(id))", entity: layout.entity.name, property: property))
    }
}
