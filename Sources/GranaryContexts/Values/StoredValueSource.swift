import Foundation
import GranaryBase
import GranaryCoordination
import GranaryModel
import GranaryPredicates

/// Values in the rows of a store, one row after the other.
///
/// The properties are found once for each entity, and each cell is converted without an intermediate value. Exclusive
/// access is not checked, because no method calls itself indirectly while it changes a property.
final class StoredValueSource: ValueSource {
    /// Where the properties are in the rows of one entity.
    private struct Layout {
        /// The slot of each property.
        let slots: [Int]
        /// Nil for a relationship.
        let attributes: [Schema.Attribute?]
        /// The entities of each relationship's objects.
        let destinations: [Range<Int>]
    }

    private let identity: StoreIdentity
    private let layouts: [Layout]
    private let firstEntity: Int
    @exclusivity(unchecked) private var batch = RowBatch()
    @exclusivity(unchecked) private var row = 0
    @exclusivity(unchecked) private var firstCell = 0
    @exclusivity(unchecked) private var layout: Layout

    /// - Parameter entities: the indexes of the entities of the rows.
    /// - Throws: ``GranaryError`` with code `usage` if the model lacks a property, or it has another type.
    init(_ properties: [ValueProperty], entities: Range<Int>, identity: StoreIdentity) throws(GranaryError) {
        self.identity = identity
        firstEntity = entities.lowerBound
        var layouts: [Layout] = []
        for index in entities { layouts.append(try Self.layout(properties, identity.schema, index)) }
        self.layouts = layouts
        layout = layouts.first ?? Layout(slots: [], attributes: [], destinations: [])
    }

    private static func layout(
        _ properties: [ValueProperty], _ schema: Schema, _ index: Int
    ) throws(GranaryError) -> Layout {
        let entity = schema.entities[index]
        var slots: [Int] = []
        var attributes: [Schema.Attribute?] = []
        var destinations: [Range<Int>] = []
        for property in properties {
            let attribute = entity.attribute(named: property.name)
            let relationship = entity.relationship(named: property.name)
            switch property.kind {
            case .attribute(let type):
                guard let attribute, attribute.type == type, attribute.isPersistent else {
                    throw mismatch(entity, property, "stored attribute of the type \(type.name)")
                }
                slots.append(attribute.slot)
                destinations.append(0..<0)
            case .toOne:
                guard let relationship, !relationship.isToMany, relationship.isPersistent else {
                    throw mismatch(entity, property, "stored to-one relationship")
                }
                slots.append(relationship.slot)
                destinations.append(schema.entities[relationship.destination].family)
            }
            attributes.append(attribute)
        }
        return Layout(slots: slots, attributes: attributes, destinations: destinations)
    }

    private static func mismatch(
        _ entity: Schema.Entity, _ property: ValueProperty, _ kind: String
    ) -> GranaryError {
        GranaryError(
            .usage,
            "the entity \(entity.name) has no \(kind) \(property.name), which the values have; generate the code again "
                + "for this version of the model")
    }

    /// Takes the rows of a batch in exchange for those of the one before, whose memory can be used again.
    func take(_ batch: inout RowBatch) { swap(&self.batch, &batch) }

    var rows: Range<Int> { batch.rows.indices }

    /// Goes to a row of the batch.
    func select(_ row: Int) throws(GranaryError) {
        let header = batch.rows[row]
        let entity = Int(header.entity) - firstEntity
        guard layouts.indices.contains(entity) else {
            throw GranaryError(
                Diagnostic(.storeCorrupt, "the object with the key \(header.key) has an entity that was not asked for"))
        }
        self.row = row
        firstCell = header.firstCell
        layout = layouts[entity]
    }

    // MARK: - Values

    func objectID() -> ManagedObjectID {
        let header = batch.rows[row]
        return ManagedObjectID(origin: identity, entity: Int(header.entity), key: header.key)
    }

    func int16(_ index: Int) throws -> Int16? { try integer(index) }
    func int32(_ index: Int) throws -> Int32? { try integer(index) }
    func int64(_ index: Int) throws -> Int64? { try integer(index) }

    @inline(__always)
    private func integer<Value: FixedWidthInteger>(_ index: Int) throws -> Value? {
        switch try cell(index) {
        case .null: return nil
        case .integer(let number):
            if let value = Value(exactly: number) { return value }
        default: break
        }
        guard case .integer(let number)? = try rareValue(index) else { return nil }
        return Value(exactly: number)
    }

    func double(_ index: Int) throws -> Double? {
        switch try cell(index) {
        case .null: return nil
        case .real(let value): return value
        default: break
        }
        guard case .double(let value)? = try rareValue(index) else { return nil }
        return value
    }

    func float(_ index: Int) throws -> Float? {
        switch try cell(index) {
        case .null: return nil
        case .real(let value):
            let float = Float(value)
            if float.isFinite { return float }
        default: break
        }
        guard case .float(let value)? = try rareValue(index) else { return nil }
        return value
    }

    func bool(_ index: Int) throws -> Bool? {
        switch try cell(index) {
        case .null: return nil
        case .integer(0): return false
        case .integer(1): return true
        default: break
        }
        guard case .boolean(let value)? = try rareValue(index) else { return nil }
        return value
    }

    func date(_ index: Int) throws -> Date? {
        switch try cell(index) {
        case .null: return nil
        case .integer(let seconds): return Date(timeIntervalSinceReferenceDate: Double(seconds))
        case .real(let seconds): return Date(timeIntervalSinceReferenceDate: seconds)
        default: break
        }
        guard case .date(let value)? = try rareValue(index) else { return nil }
        return value
    }

    func decimal(_ index: Int) throws -> Decimal? {
        switch try cell(index) {
        case .null: return nil
        case .integer(let value): return Decimal(value)
        default: break
        }
        guard case .decimal(let value)? = try rareValue(index) else { return nil }
        return value
    }

    func string(_ index: Int) throws -> String? {
        switch try cell(index) {
        case .null: return nil
        case .text(let start, let count):
            if let text = batch.lend(start, count, { String(validating: $0, as: UTF8.self) }) { return text }
        default: break
        }
        guard case .string(let value)? = try rareValue(index) else { return nil }
        return value
    }

    func data(_ index: Int) throws -> Data? {
        switch try cell(index) {
        case .null: return nil
        case .blob(let start, let count): return batch.lend(start, count) { Data(buffer: $0) }
        default: break
        }
        guard case .binary(let value)? = try rareValue(index) else { return nil }
        return value
    }

    func uuid(_ index: Int) throws -> UUID? {
        if case .null = try cell(index) { return nil }
        guard case .uuid(let value)? = try rareValue(index) else { return nil }
        return value
    }

    func url(_ index: Int) throws -> URL? {
        if case .null = try cell(index) { return nil }
        guard case .uri(let value)? = try rareValue(index) else { return nil }
        return value
    }

    func reference(_ index: Int) throws -> ManagedObjectID? {
        switch try cell(index) {
        case .null: return nil
        case .reference(let key, let entity) where layout.destinations[index].contains(Int(entity)):
            return ManagedObjectID(origin: identity, entity: Int(entity), key: key)
        default:
            throw GranaryError(
                Diagnostic(.storeCorrupt, "\(objectID()): a reference leads to another entity than the relationship's"))
        }
    }

    // MARK: - Cells

    @inline(__always)
    private func cell(_ index: Int) throws -> StoredCell {
        guard layout.slots.indices.contains(index) else { throw Self.unknown(index) }
        return batch.cells[firstCell + layout.slots[index]]
    }

    private static func unknown(_ index: Int) -> GranaryError {
        GranaryError(.usage, "the values have no property with the index \(index)")
    }

    /// Returns a value of any kind, as an object has it.
    ///
    /// - Throws: ``GranaryError`` for a value that the attribute cannot have.
    @inline(never)
    private func rareValue(_ index: Int) throws -> AttributeValue? {
        guard let attribute = layout.attributes[index] else { throw Self.unknown(index) }
        if attribute.type.integerRange != nil, case .real(let number) = batch[row, attribute.slot],
            let whole = Int64(exactly: number.rounded(.towardZero))
        {
            // In an object, a number with decimals loses them.
            return .integer(whole)
        }
        if let value = try batch.checkedValue(row: row, of: attribute, identity.schema) { return value }
        throw batch.refusal(
            row: row, property: attribute.name, identity.schema, .storeCorrupt, "the value cannot be represented")
    }
}
