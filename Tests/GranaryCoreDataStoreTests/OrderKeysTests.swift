import StoreTestSupport
import TestSupport
import Testing

@testable import GranaryContexts
@testable import GranaryCoordination
@testable import GranaryCoreDataStore
@testable import GranaryInspection

@Suite("Order keys of a list") struct OrderKeysTests {
    @Test(
        arguments: [
            ([], []), ([nil, nil, nil], [2048, 3072, 4096]),
            // After the last one, and before the first.
            ([2048, nil, nil], [2048, 3072, 4096]), ([nil, 2048], [1024, 2048]),
            // New keys divide a gap evenly (docs/core-data/sqlite-layout.md#order-keys).
            ([2048, nil, 3072], [2048, 2560, 3072]), ([2048, nil, nil, 3072], [2048, 2389, 2730, 3072]),
            // A moved member gets another key; the others keep theirs.
            ([4096, 2048, 3072], [1024, 2048, 3072]), ([2048, 5120], [2048, 5120]),
            ([3072, 2048, 4096], [1024, 2048, 4096]),
            // The gap is too narrow, so all get new keys.
            ([1, nil, 2], [2048, 3072, 4096]), ([nil, 1], [2048, 3072]), ([nil, -5], [2048, 3072]),
            ([Int64.max, nil], [2048, 3072]), ([Int64.min, nil, Int64.max], [2048, 3072, 4096]),
            // Two members with the same key.
            ([7, 7], [3, 7]),
        ] as [([Int64?], [Int64])])
    func keys(_ present: [Int64?], _ expected: [Int64]) {
        #expect(OrderKeys.keys(keeping: present) == expected)
    }

    @Test("Order keys always ascend")
    func goUp() {
        var random = SeededGenerator(seed: 5)
        for _ in 0..<500 {
            let present = (0..<Int.random(in: 0...12, using: &random)).map { _ -> Int64? in
                Bool.random(using: &random) ? Int64.random(in: -3...40, using: &random) : nil
            }
            let keys = OrderKeys.keys(keeping: present)
            #expect(keys.count == present.count)
            #expect(zip(keys, keys.dropFirst()).allSatisfy { $0 < $1 }, "\(present)")
        }
    }
}
