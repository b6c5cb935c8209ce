import GranaryBase
import GranaryModel

/// The destinations that the rows of one table refer to, read in batches: links of to-many columns and natural keys.
struct TableLinks {
    private struct ColumnLinks {
        let relationship: Schema.Relationship
        /// The only entity whose rows have the column; nil for all rows.
        let entity: Int?
        /// The index in ``keys`` for destinations named by key; nil for ids.
        let keys: Int?
        /// The links of a to-many column, in the order of the batch's rows.
        var links: [Link] = []
        var next = 0
    }

    private let store: any PersistentStore
    /// Checks whether an object exists, if references by id to missing objects are rejected.
    private let contains: ((_ entity: Int, _ key: Int64) -> Bool)?
    /// One entry for each column; nil for columns that are not relationships.
    private var columns: [ColumnLinks?] = []
    /// One entry for each destination that is named by key.
    private var keys: [DestinationKeys] = []

    init(
        _ table: RecordTable, store: any PersistentStore, contains: ((_ entity: Int, _ key: Int64) -> Bool)?
    ) {
        self.store = store
        self.contains = contains
        var known: [Int: Int] = [:]
        for column in table.columns {
            guard case .relationship(let relationship, let reference) = column.content else {
                columns.append(nil)
                continue
            }
            var index: Int?
            if case .key(let key) = reference {
                index = known[relationship.destination] ?? keys.count
                if index == keys.count {
                    known[relationship.destination] = index
                    let root = store.schema.entities[relationship.destination].root
                    keys.append(DestinationKeys(store: store, key: key, root: root))
                }
            }
            columns.append(ColumnLinks(relationship: relationship, entity: column.entity, keys: index))
        }
    }

    mutating func load(_ batch: borrowing RowBatch) throws {
        var wanted = [[Int64]](repeating: [], count: keys.count)
        let owners = batch.rows.map(\.key)
        // A store reads links in the order of the owners' keys.
        let isInOrder = zip(owners, owners.dropFirst()).allSatisfy { $0 < $1 }
        for index in columns.indices {
            guard var column = columns[index] else { continue }
            if column.relationship.isToMany {
                column.links.removeAll(keepingCapacity: true)
                column.next = 0
                let linked = column.entity == nil ? owners : Self.owners(owners, of: column.entity, in: batch)
                if !linked.isEmpty {
                    try store.readLinks(of: column.relationship, owners: linked) { column.links.append($0) }
                }
                if !isInOrder { column.links = Self.links(column.links, inOrderOf: linked) }
                if let keys = column.keys { wanted[keys].append(contentsOf: column.links.map(\.destination)) }
                columns[index] = column
            } else if let keys = column.keys {
                for row in batch.rows.indices {
                    // The rows of another entity have something else in the slot, or no such slot.
                    if let entity = column.entity, Int(batch.rows[row].entity) != entity { continue }
                    if case .reference(let key, _) = batch[row, column.relationship.slot] { wanted[keys].append(key) }
                }
            }
        }
        for (index, objects) in wanted.enumerated() { try keys[index].load(objects) }
    }

    /// The owners that belong to an entity.
    private static func owners(_ owners: [Int64], of entity: Int?, in batch: borrowing RowBatch) -> [Int64] {
        var result: [Int64] = []
        for row in batch.rows.indices where Int(batch.rows[row].entity) == entity { result.append(owners[row]) }
        return result
    }

    /// The links in the order of the owners; those of one owner keep their order.
    private static func links(_ links: [Link], inOrderOf owners: [Int64]) -> [Link] {
        let byOwner = Dictionary(grouping: links, by: \.owner)
        return owners.flatMap { byOwner[$0] ?? [] }
    }

    /// Returns the next link of an owner; nil after its last. Callers must ask in the order of the batch's rows.
    mutating func nextLink(column: Int, owner: Int64) -> Link? {
        guard var links = columns[column], links.next < links.links.count, links.links[links.next].owner == owner
        else { return nil }
        defer {
            links.next += 1
            columns[column]?.next = links.next
        }
        return links.links[links.next]
    }

    /// Discards the links of an owner whose row is not written.
    mutating func skip(owner: Int64) {
        for column in columns.indices where columns[column]?.relationship.isToMany ?? false {
            while nextLink(column: column, owner: owner) != nil {}
        }
    }

    /// Passes the name of an object in a column to `body`.
    ///
    /// - Throws: ``GranaryError`` with code `refused` if its key is NULL or the object does not exist.
    func withReference<Result>(
        column: Int, entity: Int, key: Int64, _ body: (BorrowedValue) throws -> Result
    ) throws -> Result {
        let name = store.schema.objectName(entity: entity, key: key)
        guard let index = columns[column]?.keys else {
            guard contains?(entity, key) ?? true else { throw missing(name) }
            return try name.withBorrowedText(body)
        }
        switch keys[index][key] {
        case .value(let value): return try value.withBorrowed(body)
        case .null:
            throw GranaryError(
                Diagnostic(
                    .valueMissing,
                    "refers to \(name), whose key is NULL; write references by id",
                    help: "--reference id"))
        case .missing: throw missing(name)
        }
    }

    private func missing(_ name: String) -> GranaryError {
        GranaryError(Diagnostic(.relationshipNotFound, "refers to \(name), which is not in the store"))
    }
}

extension String {
    /// Passes the text to `body` as a value.
    func withBorrowedText<Result>(_ body: (BorrowedValue) throws -> Result) rethrows -> Result {
        var text = self
        return try text.withUTF8 { try body(.text($0)) }
    }
}
