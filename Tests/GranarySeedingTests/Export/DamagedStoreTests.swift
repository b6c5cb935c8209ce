import TestSupport
import Testing

@Suite("Damaged stores") struct DamagedStoreTests {
    @Test("A damaged store gives SQLite's rows or an error") func randomDamage() throws {
        let store = try DamagedStore()
        var random = SeededGenerator(seed: 34)
        for _ in 0..<40 { try store.check(&random) }
    }
}

@Suite("Damaged stores") struct DamagedStoreLongTests {
    @Test("Thousands of damaged stores give SQLite's rows or an error", arguments: UInt64(0)..<8)
    func randomDamage(seed: UInt64) throws {
        let store = try DamagedStore()
        var random = SeededGenerator(seed: seed)
        for _ in 0..<500 { try store.check(&random) }
    }
}
