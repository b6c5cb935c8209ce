import Foundation
import GranaryCoordination
import GranaryModel

/// A set of slots as a bitmap, which can be stored in a column.
struct HistorySlots: Sendable, Hashable {
    private(set) var bytes: [UInt8] = []

    init() {}

    init(_ slots: some Sequence<Int>) {
        for slot in slots { insert(slot) }
    }

    /// - Parameter bytes: the ``bytes`` of another set.
    init(bytes: some Sequence<UInt8>) { self.bytes = Array(bytes) }

    mutating func insert(_ slot: Int) {
        let place = slot / 8
        while bytes.count <= place { bytes.append(0) }
        bytes[place] |= UInt8(1) << UInt8(slot % 8)
    }

    mutating func formUnion(_ other: Self) {
        while bytes.count < other.bytes.count { bytes.append(0) }
        for (place, byte) in other.bytes.enumerated() { bytes[place] |= byte }
    }

    func contains(_ slot: Int) -> Bool {
        let place = slot / 8
        return place < bytes.count && bytes[place] & (UInt8(1) << UInt8(slot % 8)) != 0
    }
}

extension HistorySlots: ExpressibleByArrayLiteral {
    init(arrayLiteral elements: Int...) { self.init(elements) }
}
