import GranaryBase
import GranaryCoordination

/// The digests of the records of one job, to find records that are equal in all columns that are read
/// (``ImportOptions/mergesEqualRows``).
///
/// A record takes 28 bytes, and 11 to 16 for the hash table. Equal digests are taken as equal records: with 128 bits of
/// a seeded hash, the probability that any two of a thousand million different records have one is below 1 in 10^20.
struct DistinctRows {
    /// The digest of a record.
    struct Digest: Equatable, BitwiseCopyable {
        fileprivate let first: UInt64
        fileprivate let second: UInt64
    }

    private static let segmentBits = 12
    // In segments that are not copied when the list grows.
    private var digests: [[Digest]] = []
    private var places: [[KeyEntries.Place]] = []
    private var count = 0
    private var slots = HashSlots()

    /// Adds a record unless an earlier one has the same digest.
    ///
    /// - Returns: the place of the earlier record; nil if the record was added, now or before.
    mutating func insert(_ digest: Digest, at place: RecordLocation) -> RecordLocation? {
        let hash = UInt32(truncatingIfNeeded: digest.first)
        if let known = slots.find(hash, isSame: { self.digest($0) == digest }) {
            let earlier = places[known >> Self.segmentBits][known & (1 << Self.segmentBits - 1)]
            guard Int(earlier.record) != place.record || earlier.file != place.file else { return nil }
            return RecordLocation(file: earlier.file, line: Int(earlier.line), record: Int(earlier.record))
        }
        if count >> Self.segmentBits == digests.count {
            digests.append([])
            places.append([])
        }
        digests[digests.count - 1].append(digest)
        places[places.count - 1].append(
            KeyEntries.Place(record: place.record, line: place.line, file: place.file))
        slots.insert(count, hash: hash)
        count += 1
        return nil
    }

    private func digest(_ index: Int) -> Digest {
        digests[index >> Self.segmentBits][index & (1 << Self.segmentBits - 1)]
    }

    /// The parts of a record that its digest depends on, in the order in which they are added.
    struct Content {
        // Two hashes of the same bytes: Swift's seeded hash has 64 bits.
        private var first = Hasher()
        private var second = Hasher()

        /// - Parameters:
        ///   - entity: the index of the record's entity.
        ///   - identifier: the bytes of its `$id`; empty for none.
        init(entity: Int, identifier: [UInt8] = []) {
            first.combine(0)
            second.combine(1)
            add(entity)
            identifier.withUnsafeBufferPointer { add($0) }
        }

        private mutating func add(_ number: Int) {
            first.combine(number)
            second.combine(number)
        }

        private mutating func add(_ bytes: UnsafeBufferPointer<UInt8>) {
            add(bytes.count)
            first.combine(bytes: UnsafeRawBufferPointer(bytes))
            second.combine(bytes: UnsafeRawBufferPointer(bytes))
        }

        /// Adds the value of an attribute.
        mutating func add(slot: Int, row: Int, of batch: borrowing RowBatch) {
            add(slot)
            let cell = batch[row, slot]
            switch cell {
            case .text(let start, let count), .blob(let start, let count), .decimal(let start, let count),
                .file(let start, let count):
                add(1)
                batch.lend(start, count) { add($0) }
            case .null, .integer, .real, .reference:
                first.combine(cell)
                second.combine(cell)
            }
        }

        /// Adds the keys of a relationship.
        mutating func add(slot: Int, keys: [UInt8]) {
            add(slot)
            keys.withUnsafeBufferPointer { add($0) }
        }

        var digest: Digest {
            Digest(
                first: UInt64(bitPattern: Int64(first.finalize())), second: UInt64(bitPattern: Int64(second.finalize()))
            )
        }
    }
}
