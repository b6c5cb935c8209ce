#if PostgreSQL
    import Foundation
    import GranaryBase
    import GranaryContexts
    import GranaryCoordination
    import GranaryModel
    import GranaryPredicates
    import StoreTestSupport
    import TestSupport
    import Testing

    @testable import GranaryPostgreSQL

    extension ServerTests {
        /// The history of a PostgreSQL store, as far as it differs from that of an SQLite store. What they have in common is
        /// tested with both kinds: `HistoryProgramTests`, `HistoryTests` and `RemoteChangesTests`.
        @Suite struct RecordingTests {
            private let server: PostgreSQLServer
            private let name = "h\(UUID().uuidString.prefix(8).lowercased())"
            private var url: String { server.url(schema: name) }

            private static var book: EntityDescription {
                EntityDescription("Book", [.attribute("title", .string), .attribute("pages", .integer16)])
            }

            init() throws { server = try PostgreSQLServer.required() }

            private func container(tracksHistory: Bool = true) throws -> PersistentContainer {
                var description = PersistentStoreDescription(.postgresql(url))
                description.tracksHistory = tracksHistory
                return try PersistentContainer(ManagedObjectModel(entities: [Self.book]), [description])
            }

            private func sql(_ text: String) throws -> String {
                try server.sql("SET search_path = \"\(name)\"; \(text)")
            }

            private func changes(_ container: PersistentContainer) throws -> [[String]] {
                try container.persistentStoreCoordinator.fetchHistory().map { transaction in
                    transaction.changes.map { change in
                        "\(change.changeType) p\(change.changedObjectID.key ?? 0)"
                            + (change.updatedProperties.map { " \($0.joined(separator: ","))" } ?? "")
                    }
                }
            }

            @Test func whatOtherProgramsWriteIsRecorded() throws {
                let container = try container()
                _ = try sql("INSERT INTO \"Book\" (title) VALUES ('A'), ('B'), ('C')")
                _ = try sql("UPDATE \"Book\" SET title = title, pages = CASE WHEN title = 'A' THEN 7 END")
                _ = try sql("UPDATE \"Book\" SET title = title")
                _ = try sql("BEGIN; DELETE FROM \"Book\" WHERE title = 'B'; ROLLBACK")
                _ = try sql(
                    "BEGIN; UPDATE \"Book\" SET title = 'D' WHERE title = 'C'; UPDATE \"Book\" SET \"$version\" = 2, pages = 3 "
                        + "WHERE title = 'D'; DELETE FROM \"Book\" WHERE title = 'B'; COMMIT")
                #expect(
                    try changes(container) == [
                        ["insert p1", "insert p2", "insert p3"], ["update p1 pages"],
                        ["update p3 pages,title", "delete p2"],
                    ])
                let found = try container.persistentStoreCoordinator.fetchHistory()
                #expect(found.map(\.transactionNumber) == [1, 2, 3] && found.map(\.author) == [nil, nil, nil])
                #expect(found.map(\.processID) == ["psql", "psql", "psql"])
            }

            @Test func theSummaryCountsWithoutReadingChanges() throws {
                let schema = try ManagedObjectModel(entities: [Self.book]).resolved()
                let bare = try StorePlace(url, timeout: .seconds(5)).create(schema: schema, identifier: nil)
                try bare.publish()
                #expect(try bare.historySummary() == nil)
                let context = try container().makeContext()
                for author in ["Zoe", "Ann", nil] {
                    context.transactionAuthor = author
                    try context.insert(into: "Book")
                    try context.insert(into: "Book")
                    try context.save()
                }
                _ = try sql("DELETE FROM \"Book\" WHERE \"$id\" = 1")
                // An object that was inserted and deleted is no change.
                _ = try sql(
                    "BEGIN; INSERT INTO \"Book\" (\"$id\") VALUES (9); DELETE FROM \"Book\" WHERE \"$id\" = 9; COMMIT")
                let store = try StorePlace(url, timeout: .seconds(5)).open(schema: nil, readOnly: true)
                let summary = try #require(try store.historySummary())
                #expect(summary.transactions == 5 && summary.changes == 7 && summary.authors == ["Ann", "Zoe"])
                let (first, last) = (try #require(summary.first), try #require(summary.last))
                #expect(first <= last && abs(last.timeIntervalSinceNow) < 600)
            }

            @Test func whoMayWriteToATableNeedsNoRightsOnTheHistory() throws {
                let container = try container()
                let user = PostgreSQLServer.guardedUser
                _ = try sql(
                    "GRANT USAGE ON SCHEMA \"\(name)\" TO \(user); GRANT INSERT ON \"Book\" TO \(user); "
                        + "GRANT USAGE ON SEQUENCE \"Book$id\" TO \(user)")
                _ = try sql("SET ROLE \(user); INSERT INTO \"Book\" (title) VALUES ('A')")
                #expect(try changes(container) == [["insert p1"]])
                #expect(throws: (any Error).self) {
                    try sql("SET ROLE \(user); SELECT \"granary$$transaction\"()")
                }
            }

            @Test func aHistoryBeginsInAnExistingStore() throws {
                let first = try container(tracksHistory: false)
                let context = first.makeContext()
                let book = try context.insert(into: "Book")
                try context.save()
                #expect(try first.persistentStoreCoordinator.currentPersistentHistoryToken() == nil)
                let second = try container()
                // The container that opened the store before does not know of the history, but the server does.
                try book.setValue("A", forKey: "title")
                try context.save()
                #expect(try changes(second) == [["update p1 title"]])
                #expect(try changes(try container(tracksHistory: false)) == [["update p1 title"]])
            }

            @Test func aRemovedStoreLeavesNothing() throws {
                _ = try container()
                try PostgreSQLStores.destroy(url)
                let left = try server.sql(
                    "SELECT count(*) FROM pg_proc p JOIN pg_namespace n ON n.oid = p.pronamespace WHERE nspname = '\(name)'"
                )
                #expect(left == "0")
                #expect(try sql("SELECT count(*) FROM pg_class c WHERE relnamespace = '\(name)'::regnamespace") == "0")
                _ = try container()
            }

            @Test func aDeletionKeepsValuesOfAllTypes() throws {
                var entity = EntityDescription(
                    "Values", ConformanceModel.types.map { .attribute($0.name, $0.type) })
                for place in entity.attributes.indices {
                    entity.attributes[place].preservesValueInHistoryOnDeletion = true
                }
                let schema = try ManagedObjectModel(entities: [entity]).resolved()
                let store = try PostgreSQLStores.create(url, schema: schema, tracksHistory: true)
                try store.publish()
                let count = ConformanceModel.values.map(\.values.count).max() ?? 0
                var expected: [[String: AttributeValue]] = []
                for place in 0..<count {
                    var batch = RowBatch()
                    batch.appendRow(
                        entity: 0, key: Int64(place + 1), version: 1, slotCount: schema.entities[0].slotCount)
                    var values: [String: AttributeValue] = [:]
                    for (name, all) in ConformanceModel.values where all.indices.contains(place) {
                        // PostgreSQL has no U+0000 in texts.
                        if all[place] == "a\u{0}b" { continue }
                        let attribute = try #require(schema.entities[0].attribute(named: name))
                        all[place].withBorrowed { batch.set($0, row: 0, slot: attribute.slot) }
                        values[name] = try batch.value(row: 0, of: attribute)
                    }
                    let row = batch
                    try store.transaction { try $0.insert(row) }
                    expected.append(values)
                }
                try store.transaction { try $0.delete(entity: 0, keys: Array(1...Int64(count))) }
                let identity = StoreIdentity(identifier: store.identifier, schema: schema)
                let last = try #require(
                    try store.historyTransactions(after: Int64(count), limit: 1, of: identity).first)
                for (change, values) in zip(last.changes, expected) { #expect(change.tombstone == values) }
                #expect(last.changes.count == count)
            }

            @Test func namesWithQuotesAndDollarsAreNames() throws {
                let schema = "it's \"$granary$\" %"
                let url = server.url(schema: schema)
                var description = PersistentStoreDescription(.postgresql(url))
                description.tracksHistory = true
                let container = try PersistentContainer(ConformanceModel.model, [description])
                let context = container.makeContext()
                try context.insert(into: "Node").setObject(try context.insert(into: "Leaf"), forKey: "parent")
                try context.save()
                #expect(try container.persistentStoreCoordinator.fetchHistory().flatMap(\.changes).count == 2)
                try PostgreSQLStores.destroy(url)
                _ = try server.sql("DROP SCHEMA \"it's \"\"$granary$\"\" %\"")
            }
        }
    }
#endif
