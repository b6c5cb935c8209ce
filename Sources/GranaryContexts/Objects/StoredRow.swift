import GranaryCoordination
import GranaryModel

/// Rows that were read together, retained while an object of one of them exists.
///
/// Like the objects, it belongs to one context.
final class SharedBatch {
    let batch: RowBatch
    let identity: StoreIdentity
    let readAt: ContinuousClock.Instant
    /// The coordinator's count of saves when the rows were read.
    let generation: Int
    /// Related rows and links that were read together for these rows, by relationship.
    var companions: [LinkLayout.ID: Companions] = [:]

    private var staleFires = (generation: 0, count: 0)

    init(_ batch: RowBatch, identity: StoreIdentity, readAt: ContinuousClock.Instant, generation: Int) {
        self.batch = batch
        self.identity = identity
        self.readAt = readAt
        self.generation = generation
    }

    /// Counts the accesses to faults of the batch since the last save, with rows from before it.
    func countStaleFire(_ generation: Int) -> Int {
        staleFires = staleFires.generation == generation ? (generation, staleFires.count + 1) : (generation, 1)
        return staleFires.count
    }
}

/// The destinations of a relationship for the rows of one batch.
struct Companions {
    /// How often the relationship of a single object was followed before all were read.
    var touches = 0
    /// The destination rows by key; nil until they are read.
    var rows: [Int64: StoredRow]?
    /// The links of a to-many relationship by their owner's key; nil until they are read.
    var links: [Int64: [Link]]?
    /// The coordinator's count of saves when they were read.
    let generation: Int

    init(generation: Int) { self.generation = generation }
}

/// One row of a batch: the stored values of an object.
struct StoredRow {
    let shared: SharedBatch
    let index: Int
    let layout: ObjectLayout

    var version: Int64 { shared.batch.rows[index].version }
    var key: Int64 { shared.batch.rows[index].key }
    var id: ManagedObjectID {
        ManagedObjectID(origin: shared.identity, entity: layout.index, key: key)
    }

    /// Returns the value at a slot. The row was checked when it was read, so every cell has a value.
    func value(at slot: Int) -> SlotValue {
        switch layout.places[slot] {
        case .attribute(let attribute) where attribute.isPersistent:
            return .attribute(try? shared.batch.value(row: index, of: attribute))
        case .relationship(let place):
            guard layout.relationships[place].isPersistent, !layout.relationships[place].isToMany else { break }
            guard case .reference(let key, let entity) = shared.batch[index, slot] else { return .toOne(nil) }
            return .toOne(
                ManagedObjectID(origin: shared.identity, entity: Int(entity), key: key))
        case .attribute, .none: break
        }
        return layout.blanks[slot]
    }
}

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
