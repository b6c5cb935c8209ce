#if PostgreSQL
    import Foundation
    import GranaryBase
    import GranaryComparison
    import GranaryCoordination
    import GranaryCoreDataStore
    import GranaryModel
    import StoreTestSupport
    import TestSupport
    import Testing

    @testable import GranaryPostgreSQL

    extension ServerTests {
        /// Stores that Core Data wrote move to PostgreSQL and back to SQLite, and have the same objects.
        @Suite(.enabled(if: SharedFiles.arePresent, "\(SharedFiles.absence)"))
        struct RealStoreTests {
            /// The rest is in ``RealStoreLongTests``.
            private static let few = RealStore.all.filter {
                ["Moody_5.moody", "SampleModel2_V2.sqlite"].contains(URL(filePath: $0.path).lastPathComponent)
            }

            @Test(arguments: few)
            func aRealStoreMovesToPostgreSQLAndBack(real: RealStore) throws {
                #expect(try RealStoreMove(real).differences() == [])
            }
        }

        @Suite(.enabled(if: SharedFiles.arePresent, "\(SharedFiles.absence)"))
        struct RealStoreLongTests {
            @Test(arguments: RealStore.all)
            func aRealStoreMovesToPostgreSQLAndBack(real: RealStore) throws {
                #expect(try RealStoreMove(real).differences() == [])
            }
        }
    }

    /// A copy of a real store that is moved.
    private struct RealStoreMove {
        private let folder: TemporaryFolder
        private let original: any StoreBackend

        init(_ real: RealStore) throws {
            folder = try TemporaryFolder()
            var warnings: [Diagnostic] = []
            original = try SQLiteStore.openForReading(
                path: try real.copy(to: folder), model: try real.schema()?.model, busyTimeout: .seconds(1),
                warnings: &warnings)
        }

        /// Compares the PostgreSQL store and the store that is moved back with the original.
        func differences() throws -> [String] {
            let schema = original.schema
            let url = try PostgreSQLServer.required().url()
            let database = try PostgreSQLStores.create(url, schema: schema)
            try StoreCopy(source: original, destination: database).run()
            try database.publish()
            let opened = try PostgreSQLStores.openForReading(url, model: nil)
            let back = try SQLiteStore.create(path: folder.url.appending(path: "Back.sqlite").path, schema: schema)
            try StoreCopy(source: opened, destination: back).run()
            try back.publish()
            var found: [String] = []
            for (name, store) in [("PostgreSQL", opened), ("SQLite", back as any StoreBackend)] {
                let summary = try StoreDiff().run(stores: original, store) { found.append("\(name): \($0)") }
                if !summary.isEqual, found.isEmpty { found.append("\(name): \(summary)") }
            }
            return found
        }
    }
#endif
