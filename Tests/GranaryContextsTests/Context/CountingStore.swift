import GranaryContexts
import GranaryCoordination
import GranaryCoreDataStore
import GranaryInspection
import GranaryModel
import StoreTestSupport
import Synchronization

/// How often a store was read.
final class ReadCounter: Sendable {
    struct Reads: Sendable, Equatable {
        /// All rows of entities, or a page of them.
        var scans = 0
        /// Rows by their keys.
        var keyed = 0
        /// Links of to-many relationships.
        var links = 0

        var all: Int { scans + keyed + links }
    }

    private let reads = Mutex(Reads())

    func noteScan() { reads.withLock { $0.scans += 1 } }
    func noteKeyed() { reads.withLock { $0.keyed += 1 } }
    func noteLinks() { reads.withLock { $0.links += 1 } }

    /// What was read since the last call.
    func takeAll() -> Reads {
        reads.withLock { reads in
            defer { reads = Reads() }
            return reads
        }
    }
}

/// A store that counts how often it is read.
final class CountingStore: ForwardingStore {
    let base: any StoreBackend
    private let counter: ReadCounter

    init(_ base: any StoreBackend, _ counter: ReadCounter) {
        self.base = base
        self.counter = counter
    }

    func read(entities: Range<Int>, batchSize: Int, _ body: (inout RowBatch) throws -> Bool) throws {
        counter.noteScan()
        try base.read(entities: entities, batchSize: batchSize, body)
    }

    func read(entities: Range<Int>, after key: Int64, limit: Int) throws -> RowBatch {
        counter.noteScan()
        return try base.read(entities: entities, after: key, limit: limit)
    }

    func read(root: Int, keys: [Int64]) throws -> RowBatch {
        counter.noteKeyed()
        return try base.read(root: root, keys: keys)
    }

    func readLinks(
        of relationship: Schema.Relationship, owners: [Int64]?, _ body: (Link) throws -> Void
    ) throws {
        counter.noteLinks()
        try base.readLinks(of: relationship, owners: owners, body)
    }
}
