import GranaryBase
import GranaryCoordination
import GranaryModel
import GranaryPredicates

/// Reads the destinations that the rows of one table refer to, batch by batch.
struct TableLinks {
    private struct Column {
        let relationship: Schema.Relationship
        /// The only entity whose rows have the column; nil for all rows.
        let entity: Int?
        /// The index in ``keys`` for destinations named by key; nil for ids.
        let keys: Int?
    }

    private let store: any StoreBackend
    /// Checks whether an object exists, if references by id to missing objects are refused.
    private let contains: ((_ entity: Int, _ key: Int64) -> Bool)?
    /// One entry for each column; nil for columns that are not relationships.
    private var columns: [Column?] = []
    /// Whether a column must be loaded.
    private var isNeeded = false
    /// One entry for each destination that is named by key.
    private var keys: [DestinationKeys] = []

    init(
        _ table: RecordTable, store: any StoreBackend, contains: ((_ entity: Int, _ key: Int64) -> Bool)?
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
            if relationship.isToMany || index != nil { isNeeded = true }
            columns.append(Column(relationship: relationship, entity: column.entity, keys: index))
        }
    }

    mutating func load(_ batch: borrowing RowBatch) throws -> BatchLinks {
        guard isNeeded else { return BatchLinks(columns: [], contains: contains) }
        var loaded = [BatchLinks.Column](repeating: BatchLinks.Column(), count: columns.count)
        // The objects that each column names by key, in the order of their use.
        var named = [[Int64]](repeating: [], count: columns.count)
        var wanted = [[Int64]](repeating: [], count: keys.count)
        let owners = batch.rows.map(\.key)
        // A store reads links in the order of the owners' keys.
        let isInOrder = zip(owners, owners.dropFirst()).allSatisfy { $0 < $1 }
        for (index, column) in columns.enumerated() {
            guard let column else { continue }
            if column.relationship.isToMany {
                var links: [Link] = []
                let linked = column.entity == nil ? owners : Self.owners(owners, of: column.entity, in: batch)
                if !linked.isEmpty {
                    // A table that refuses references to missing objects has none.
                    if contains == nil {
                        try store.readStoredLinks(of: column.relationship, owners: linked) { links.append($0) }
                    } else {
                        try store.readLinks(of: column.relationship, owners: linked) { links.append($0) }
                    }
                }
                loaded[index].links = isInOrder ? links : Self.links(links, inOrderOf: linked)
                if column.keys != nil { named[index] = loaded[index].links.map(\.destination) }
            } else if column.keys != nil {
                for row in batch.rows.indices {
                    // The rows of another entity have something else in the slot, or no such slot.
                    if let entity = column.entity, Int(batch.rows[row].entity) != entity { continue }
                    if case .reference(let key, _) = batch[row, column.relationship.slot] { named[index].append(key) }
                }
            }
            if let keys = column.keys { wanted[keys].append(contentsOf: named[index]) }
        }
        for (index, objects) in wanted.enumerated() { try keys[index].load(objects) }
        for (index, column) in columns.enumerated() {
            guard let place = column?.keys else { continue }
            loaded[index].names = named[index].map { ($0, keys[place][$0]) }
        }
        return BatchLinks(columns: loaded, contains: contains)
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
}

extension String {
    /// Passes the text to `body` as a value.
    func withBorrowedText<Result>(_ body: (BorrowedValue) throws -> Result) rethrows -> Result {
        var text = self
        return try text.withUTF8 { try body(.text($0)) }
    }
}
