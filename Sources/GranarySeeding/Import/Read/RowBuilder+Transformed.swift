import GranaryBase
import GranaryContexts
import GranaryCoordination
import GranaryCoreDataStore
import GranaryFormats
import GranaryModel

/// Values of Transformable attributes that a source has as JSON.
extension RowBuilder {
    /// Fills an attribute with the archive that an object or a list stands for.
    ///
    /// - Parameter place: the field; where something in it is wrong, that is its place then.
    func fillJSON(
        _ index: Int, _ place: inout Record.Field, _ text: UnsafeBufferPointer<UInt8>, row: Int,
        _ batch: inout RowBatch
    ) -> [Violation] {
        let parser = plan.attributes[index]
        let attribute = parser.attribute
        // An enumeration has texts only.
        guard attribute.type == .transformable, parser.rules?.enumeration == nil else {
            return fill(index, place, text, row: row, &batch)
        }
        filled[attribute.slot] = turn
        scratch.removeAll(keepingCapacity: true)
        do throws(TransformedJSON.Problem) {
            try TransformedJSON.appendArchive(
                of: text, transformer: attribute.description.valueTransformerName, isHex: parser.isHex, to: &scratch)
        } catch {
            place.rawStart = Int32(clamping: Int(place.rawStart) + error.offset)
            return [Violation(error.code, "not \(attribute.type.phrase): \(error.reason)")]
        }
        return scratch.withUnsafeBufferPointer { put(.binary($0), attribute, row: row, &batch) }
    }
}

/// Which slots of its entity a row fills.
struct SlotMask: Equatable {
    private(set) var words: [UInt64]

    init(slotCount: Int) { words = Array(repeating: 0, count: (slotCount + 63) / 64) }

    mutating func insert(_ slot: Int) {
        guard slot >= 0, slot / 64 < words.count else { return }
        words[slot / 64] |= 1 << UInt64(slot % 64)
    }

    mutating func removeAll() {
        for index in words.indices { words[index] = 0 }
    }

    func contains(_ slot: Int) -> Bool {
        slot >= 0 && slot / 64 < words.count && words[slot / 64] & (1 << UInt64(slot % 64)) != 0
    }
}
