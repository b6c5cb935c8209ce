import Testing

/// As ``GeneratedMigrationTests``, with more stores.
@Suite struct GeneratedMigrationLongTests {
    @Test(arguments: 0..<20) func `A migrated store has the objects of the twin`(_ part: Int) throws {
        for seed in 0..<20 { try GeneratedMigrationTests.compare(seed: UInt64(1_000 + part * 20 + seed)) }
    }
}
