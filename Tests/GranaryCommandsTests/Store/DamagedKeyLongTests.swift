import Testing

/// Each damage, with a given model and with the model in the store.
@Suite struct DamagedKeyLongTests {
    @Test(arguments: DamagedKeyTests.changes, [true, false])
    func `Each command names the table and the number of rows`(
        _ change: (sql: String, message: String), _ givesModel: Bool
    ) async throws {
        try await DamagedKeyTests().`Each command names the table and the number of rows`(change, givesModel)
    }
}
