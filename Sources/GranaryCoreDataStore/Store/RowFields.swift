import GranaryModel

/// The fields of the entities of one hierarchy, for ``RowReader``. A store has one for each table, so that a reader
/// costs no time for each entity.
///
/// Proof of `@unchecked`: the buffers are written by `init` only.
final class RowFields: @unchecked Sendable {
    /// The fields of all entities. Reading them changes no reference counts.
    let fields: UnsafeMutableBufferPointer<StoreSQL.Field>
    /// The first field of each entity, and the end of the last one's.
    let firstFields: UnsafeMutableBufferPointer<Int>
    let slotCounts: UnsafeMutableBufferPointer<Int>
    /// The columns with the key and the entity number of each reference that has both, by the place of the entity.
    let references: [[(key: Int, entity: Int)]]
    let hasReferences: Bool
    /// Whether all texts and blobs are stored as they are, without the tag of external storage.
    let isPlain: Bool

    /// - Parameter entities: the fields of each entity of the hierarchy, in the entities' order.
    init(_ entities: [[StoreSQL.Field]], root: Int, schema: Schema) {
        let all = Array(entities.joined())
        fields = .allocate(capacity: all.count)
        _ = fields.initialize(fromContentsOf: all)
        firstFields = .allocate(capacity: entities.count + 1)
        slotCounts = .allocate(capacity: entities.count)
        references = entities.map { fields in
            var keys: [Int: Int] = [:]
            for field in fields where field.content == .referenceKey { keys[field.slot] = field.index }
            return fields.compactMap { field in
                guard field.content == .referenceEntity, let key = keys[field.slot] else { return nil }
                return (key: key, entity: field.index)
            }
        }
        hasReferences = references.contains { !$0.isEmpty }
        isPlain = all.allSatisfy { $0.content != .tagged && $0.content != .external }
        var first = 0
        for (place, fields) in entities.enumerated() {
            firstFields.initializeElement(at: place, to: first)
            first += fields.count
            slotCounts.initializeElement(at: place, to: schema.entities[root + place].slotCount)
        }
        firstFields.initializeElement(at: entities.count, to: first)
    }

    deinit {
        fields.deallocate()
        firstFields.deallocate()
        slotCounts.deallocate()
    }
}
