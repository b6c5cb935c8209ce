import GranaryBase
import GranaryModel

/// Copies all objects from one store into an empty store of the same model, in batches: first rows with their keys and
/// versions, then the links that are not stored in rows.
package struct StoreCopy {
    private static let batchSize = 1000

    let source: any StoreBackend
    let destination: any StoreBackend

    package init(source: any StoreBackend, destination: any StoreBackend) {
        self.source = source
        self.destination = destination
    }

    /// - Throws: ``GranaryError`` with code `refused` if the destination cannot hold a value; any error from the
    ///   stores.
    package func run() throws {
        let schema = source.schema
        try source.reading {
            try destination.transaction { writer in
                for entity in schema.entities where entity.root == entity.index {
                    try copyObjects(of: entity, writer)
                }
                for entity in schema.entities {
                    for relationship in entity.relationships
                    where relationship.owner == entity.index
                        && LinkLayout(relationship, schema: schema).isWrittenAsLinks
                    {
                        try copyLinks(of: relationship, writer)
                    }
                }
            }
        }
        try destination.setUserMetadata(source.metadata.userEntries)
    }

    private func copyObjects(of root: Schema.Entity, _ writer: any StoreWriter) throws {
        var lastKey: Int64 = 0
        try source.read(entities: root.family, batchSize: Self.batchSize) { batch in
            try checkFit(batch)
            try writer.insert(batch)
            lastKey = max(lastKey, batch.rows.last?.key ?? 0)
            return true
        }
        // Keys of deleted objects are not reused.
        lastKey = max(lastKey, try source.lastKey(root: root.index))
        if lastKey > 0 { try writer.reserveKeys(root: root.index, through: lastKey) }
    }

    /// The writer would refuse the same values, but without naming the object.
    private func checkFit(_ batch: borrowing RowBatch) throws(GranaryError) {
        guard !destination.keepsExactDecimals else { return }
        let schema = source.schema
        for row in batch.rows.indices {
            let entity = schema.entities[Int(batch.rows[row].entity)]
            for attribute in entity.attributes where attribute.isPersistent {
                switch batch[row, attribute.slot] {
                case .decimal(let start, let count):
                    let digits = batch.lend(start, count) { String(decoding: $0, as: UTF8.self) }
                    throw batch.refusal(
                        row: row, property: attribute.name, schema, .valuePrecision,
                        "\(digits) has more digits than the store's column can hold (a double)")
                case .real(let value) where !value.isFinite:
                    throw batch.refusal(
                        row: row, property: attribute.name, schema, .valueRange,
                        "\(value) is not a number that a store can hold")
                default: break
                }
            }
        }
    }

    /// Keeps only the links of one owner in memory.
    private func copyLinks(of relationship: Schema.Relationship, _ writer: any StoreWriter) throws {
        var owners = OwnerEntities(of: relationship, in: source)
        var links: [Link] = []
        func write() throws {
            guard let owner = links.first?.owner else { return }
            let entity = try owners.entity(of: owner) ?? relationship.owner
            try writer.setLinks(relationship, owner: owner, ownerEntity: entity, to: links)
            links.removeAll(keepingCapacity: true)
        }
        try source.readLinks(of: relationship, owners: nil) { link in
            if link.owner != links.first?.owner { try write() }
            links.append(link)
        }
        try write()
    }
}

/// The concrete entities of a relationship's owners. Callers must ask in ascending order of keys.
private struct OwnerEntities {
    private static let batchSize = 1000

    private let store: any StoreBackend
    private let family: Range<Int>
    private var known: [(key: Int64, entity: Int)] = []
    private var place = 0
    private var lastKey = Int64.min
    private var isAtEnd: Bool

    init(of relationship: Schema.Relationship, in store: any StoreBackend) {
        self.store = store
        family = store.schema.entities[relationship.owner].family
        // Without subentities there is nothing to look up.
        isAtEnd = family.count == 1
    }

    /// Returns nil if there is no such object, or if only one entity is possible.
    mutating func entity(of key: Int64) throws -> Int? {
        while true {
            while place < known.count, known[place].key < key { place += 1 }
            if place < known.count { return known[place].key == key ? known[place].entity : nil }
            guard !isAtEnd else { return nil }
            let batch = try store.read(entities: family, after: lastKey, limit: Self.batchSize)
            known = batch.rows.map { (key: $0.key, entity: Int($0.entity)) }
            place = 0
            if let last = known.last { lastKey = last.key } else { isAtEnd = true }
        }
    }
}
