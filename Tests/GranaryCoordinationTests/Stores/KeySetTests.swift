import GranaryCoordination
import GranaryRecords
import TestSupport
import Testing

/// The set of keys, compared with a `Set`.
@Suite struct KeySetTests {
    @Test("Generated keys, dense and sparse", arguments: [1, 7, 70_000, 1 << 40] as [Int64])
    func generated(_ spread: Int64) {
        var random = SeededGenerator(seed: UInt64(spread))
        var (set, twin) = (KeySet(), Set<Int64>())
        var differences = 0
        for number in 0..<20_000 {
            let key = Int64(number / 2) + Int64(random.next() % UInt64(spread)) - spread / 2
            let isNew = set.insert(key)
            if isNew != twin.insert(key).inserted { differences += 1 }
        }
        #expect(differences == 0)
        #expect(set.count == twin.count)
        #expect(Array(set) == twin.sorted())
        #expect(set.largest == twin.max())
        let probes = (0..<1000).map { _ in Int64(random.next() % UInt64(spread + 20_000)) - spread }
        #expect(probes.allSatisfy { set.contains($0) == twin.contains($0) })
    }

    @Test("Keys come in batches, in ascending order")
    func batches() {
        var set = KeySet()
        for key in [5, -70_000, 1 << 33, 6, 7] as [Int64] { set.insert(key) }
        var found: [[Int64]] = []
        set.forEachBatch(of: 2) { found.append($0) }
        #expect(found == [[-70_000, 5], [6, 7], [1 << 33]])
        #expect(KeySet().isEmpty && KeySet().largest == nil && Array(KeySet()).isEmpty)
    }
}
