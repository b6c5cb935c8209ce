import GranaryModel

/// Finds the attributes of an entity by their names, faster than a dictionary: an access to a value by name spends most
/// of its time there otherwise.
struct AttributePlaces: Sendable {
    struct Place: Sendable {
        let slot: Int
        let type: AttributeType
    }

    private let names: [String]
    private let places: [Place]
    /// A hash table with linear probing: indexes into ``names``; -1 for none. The model chooses the names, so a slow
    /// table harms nobody else.
    private let table: [Int32]

    init(_ attributes: [Schema.Attribute]) {
        names = attributes.map(\.name)
        places = attributes.map { Place(slot: $0.slot, type: $0.type) }
        var count = 8
        while count < 4 * attributes.count { count *= 2 }
        var table = [Int32](repeating: -1, count: count)
        for (index, name) in names.enumerated() {
            var place = Self.hash(name) & (count - 1)
            while table[place] >= 0 { place = (place + 1) & (count - 1) }
            table[place] = Int32(truncatingIfNeeded: index)
        }
        self.table = table
    }

    /// Returns nil also for an equal name with other bytes.
    subscript(name: String) -> Place? {
        let mask = table.count - 1
        var place = Self.hash(name) & mask
        while table[place] >= 0 {
            let index = Int(table[place])
            if names[index] == name { return places[index] }
            place = (place + 1) & mask
        }
        return nil
    }

    @inline(__always)
    private static func hash(_ name: String) -> Int {
        var name = name
        return name.withUTF8 { bytes in
            var hash = UInt32(truncatingIfNeeded: bytes.count)
            for byte in bytes { hash = hash &* 0x0100_0193 ^ UInt32(byte) }
            return Int(hash ^ hash >> 15)
        }
    }
}
