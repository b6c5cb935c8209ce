import StoreTestSupport
import Testing

/// Each kind of store with each other.
@Suite("Moving a store, all kinds") struct MigrationLongTests {
    @Test(
        "NOT-13: objects, keys, versions, links and their order move between all kinds of stores, and old IDs have new",
        arguments: StoreType.allCases, StoreType.allCases)
    func everything(_ from: StoreType, _ to: StoreType) throws { try MigrationTests().everything(from, to) }
}
