import GranaryCoordination
import GranaryModel

/// An entity's properties in the history: bits of `ACHANGE.ZCOLUMNS` and columns `ZTOMBSTONE…`.
struct HistoryEntity: Sendable {
    /// The names of the persistent properties, inherited ones included, sorted. Each is a bit of `ZCOLUMNS`; the first
    /// is the highest bit of the first byte. A composite attribute is one property.
    let names: [String]
    /// The attributes whose values the history keeps after a deletion, in the order of their columns.
    let tombstones: [Schema.Attribute]
    /// The slots of all persistent properties.
    let allSlots: HistorySlots
    /// The slots of each bit.
    private let slotsOfBit: [[Int]]

    init(_ entity: Schema.Entity) {
        var slots: [String: [Int]] = [:]
        for attribute in entity.attributes where attribute.isPersistent {
            slots[Schema.Entity.historyName(of: attribute), default: []].append(attribute.slot)
        }
        for relationship in entity.relationships where relationship.isPersistent {
            slots[relationship.name, default: []].append(relationship.slot)
        }
        names = entity.historyNames
        slotsOfBit = names.map { slots[$0] ?? [] }
        allSlots = HistorySlots(slotsOfBit.joined())
        tombstones = entity.historyTombstones
    }

    /// The value of `ZCOLUMNS` for an update.
    func bitmap(of changed: HistorySlots) -> [UInt8] {
        var bitmap = [UInt8](repeating: 0, count: (names.count + 7) / 8)
        for (bit, slots) in slotsOfBit.enumerated() where slots.contains(where: changed.contains) {
            bitmap[bit / 8] |= UInt8(0x80) >> UInt8(bit % 8)
        }
        return bitmap
    }

    /// The value of `ZCOLUMNS` for changes of these properties.
    func bitmap(ofNames changed: Set<String>) -> [UInt8] {
        bitmap(of: HistorySlots(zip(names, slotsOfBit).lazy.filter { changed.contains($0.0) }.flatMap(\.1)))
    }

    /// The properties of a bitmap; nil if it has other bits, which belong to another model.
    func names(in bitmap: some Sequence<UInt8>) -> [String]? {
        var found: [String] = []
        for (place, byte) in bitmap.enumerated() where byte != 0 {
            for offset in 0..<8 where byte & (UInt8(0x80) >> UInt8(offset)) != 0 {
                let bit = place * 8 + offset
                guard bit < names.count else { return nil }
                found.append(names[bit])
            }
        }
        return found
    }
}
