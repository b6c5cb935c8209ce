import GranaryBase
import GranaryModel

/// A store of which duplicates are dropped, with their links at the objects that stay. The dropped objects are still
/// among its rows.
final class MergedStore: ForwardingStore {
    let base: any StoreBackend
    let links: MergedLinks
    private let replacements: ObjectReplacements
    /// The to-ones of each entity that can lead to other objects.
    private let references: [[LinkLayout]]

    init(
        _ base: any StoreBackend, _ mapping: ModelMapping, _ replacements: ObjectReplacements,
        _ cancellation: Cancellation?
    ) throws {
        self.base = base
        self.replacements = replacements
        let links = try MergedLinks(base, mapping, replacements, cancellation)
        self.links = links
        references = mapping.old.entities.map { entity in
            entity.relationships.filter { !$0.isToMany && links.concerns($0) }
                .map { LinkLayout($0, schema: mapping.old) }
        }
    }

    // The migration reads no broken links and no lists of single owners.

    func read(entities: Range<Int>, batchSize: Int, _ body: (inout RowBatch) throws -> Bool) throws {
        try base.read(entities: entities, batchSize: batchSize) { batch in
            turn(&batch)
            return try body(&batch)
        }
    }

    func read(entities: Range<Int>, after key: Int64, limit: Int) throws -> RowBatch {
        var batch = try base.read(entities: entities, after: key, limit: limit)
        turn(&batch)
        return batch
    }

    func read(root: Int, keys: [Int64]) throws -> RowBatch {
        var batch = try base.read(root: root, keys: keys)
        turn(&batch)
        return batch
    }

    private func turn(_ batch: inout RowBatch) {
        for row in batch.rows.indices {
            let entity = Int(batch.rows[row].entity)
            for layout in references[entity] {
                let object: ObjectReplacements.Object?
                if let decided = links.references[layout.id]?[batch.rows[row].key] {
                    object = decided
                } else {
                    guard case .reference(let key, let target) = batch[row, layout.slot] else { continue }
                    object = replacements.object(for: .init(entity: Int(target), key: key))
                }
                batch[row, layout.slot] =
                    object.map { .reference(key: $0.key, entity: Int32(truncatingIfNeeded: $0.entity)) } ?? .null
            }
        }
    }

    func readLinks(of relationship: Schema.Relationship, owners: [Int64]?, _ body: (Link) throws -> Void) throws {
        guard links.concerns(relationship) else {
            return try base.readLinks(of: relationship, owners: owners, body)
        }
        let layout = LinkLayout(relationship, schema: schema)
        let root = schema.entities[relationship.owner].root
        let wanted = owners.map(Set.init)
        // The owners that have no list of their own, in descending order.
        var waiting = (links.lists[layout.id] ?? [:]).keys.sorted(by: >)
        var own: [Link] = []
        func pass(_ owner: Int64) throws {
            guard wanted?.contains(owner) ?? true else { return }
            for link in links.list(layout, owner: owner, own: own) { try body(link) }
        }
        func passWaiting(before end: Int64?) throws {
            let list = own
            own = []
            while let owner = waiting.last, end.map({ owner < $0 }) ?? true {
                waiting.removeLast()
                try pass(owner)
            }
            own = list
        }
        func passOwn() throws {
            guard let owner = own.first?.owner else { return }
            try passWaiting(before: owner)
            if waiting.last == owner { waiting.removeLast() }
            try pass(owner)
            own = []
        }
        try base.readLinks(of: relationship, owners: nil) { link in
            if replacements.isDropped(link.owner, root: root) { return }
            if own.first?.owner != link.owner { try passOwn() }
            own.append(link)
        }
        try passOwn()
        try passWaiting(before: nil)
    }
}
