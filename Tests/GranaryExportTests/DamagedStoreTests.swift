import TestSupport
import Testing

@Suite("Damaged stores") struct DamagedStoreTests {
    @Test("A damaged store gives SQLite's rows or an error") func randomDamage() throws {
        let store = try DamagedStore()
        var random = SeededGenerator(seed: 34)
        for _ in 0..<2 { try store.check(&random) }
    }

    @Test("Each way to read finds a wrong record header and keys out of order") func certainDamage() throws {
        let store = try DamagedStore()
        try store.checkLongHeader()
        try store.checkKeyOrder()
    }
}

@Suite("Damaged stores") struct DamagedStoreLongTests {
    @Test("Many damaged stores give SQLite's rows or an error", arguments: UInt64(0)..<4)
    func randomDamage(seed: UInt64) throws {
        let store = try DamagedStore()
        var random = SeededGenerator(seed: seed)
        for _ in 0..<20 { try store.check(&random) }
    }
}
