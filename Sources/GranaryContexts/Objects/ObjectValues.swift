import GranaryCoordination
import GranaryModel

/// The values of an object by slot, read from its row until one is changed.
struct ObjectValues {
    private var row: StoredRow?
    private var slots: [SlotValue]

    init(_ slots: [SlotValue]) { self.slots = slots }

    init(_ row: StoredRow) {
        self.row = row
        slots = []
    }

    subscript(slot: Int) -> SlotValue {
        get { row?.value(at: slot) ?? slots[slot] }
        set {
            if let row {
                slots = row.layout.blanks.indices.map { row.value(at: $0) }
                self.row = nil
            }
            slots[slot] = newValue
        }
    }
}
