#if PostgreSQL
    import Foundation
    import GranaryBase
    import GranaryCoordination
    import GranaryModel
    import GranaryPredicates
    import GranaryPropertyLists
    import StoreTestSupport
    import TestSupport
    import Testing

    @testable import GranaryPostgreSQL

    extension ServerTests {
        /// Creating, opening and removing stores, and what others see of a transaction.
        @Suite struct StoreLifeTests {
            private let server: PostgreSQLServer
            private let url: String
            private let schema: Schema

            init() throws {
                server = try PostgreSQLServer.required()
                url = server.url()
                schema = try ConformanceModel.model.resolved()
            }

            private func node(_ name: String?, _ key: Int64) throws -> RowBatch {
                let entity = try #require(schema.entity(named: "Node"))
                var batch = RowBatch()
                batch.appendRow(entity: entity.index, key: key, version: 1, slotCount: entity.slotCount)
                if let name {
                    let slot = try #require(entity.attribute(named: "name")).slot
                    AttributeValue.string(name).withBorrowed { batch.set($0, row: 0, slot: slot) }
                }
                return batch
            }

            @Test func aStoreAppearsWhenItIsPublished() throws {
                let store = try PostgreSQLStores.create(url, schema: schema)
                try store.transaction { try $0.insert(try node("a", 1)) }
                #expect(try !PostgreSQLStores.exists(url))
                try store.publish()
                #expect(try PostgreSQLStores.exists(url))
                let opened = try PostgreSQLStores.openForReading(url, model: nil)
                #expect(try opened.count(entity: try #require(schema.entity(named: "Node")).index) == 1)
                #expect(opened.identifier == store.identifier)
                #expect(opened.schema.versionHashes == schema.versionHashes)
                #expect(throws: GranaryError.self) { try opened.transaction { try $0.insert(try node("b", 2)) } }
            }

            @Test func aStoreThatIsNotPublishedIsGone() throws {
                do {
                    let store = try PostgreSQLStores.create(url, schema: schema)
                    try store.transaction { try $0.insert(try node("a", 1)) }
                }
                #expect(try !PostgreSQLStores.exists(url))
                let error = try #require(throws: GranaryError.self) {
                    try PostgreSQLStores.openForReading(url, model: nil)
                }
                #expect(error.code == .unreadable && error.message.contains("there is no store"))
            }

            @Test func aSecondStoreIsNotCreated() throws {
                try PostgreSQLStores.create(url, schema: schema).publish()
                let error = try #require(throws: GranaryError.self) {
                    try PostgreSQLStores.create(url, schema: schema)
                }
                #expect(error.code == .uncreatable)
            }

            @Test func aTableOfAnotherProgramIsLeftAlone() throws {
                let name = "taken \(UUID().uuidString.prefix(8))"
                _ = try server.sql(
                    "CREATE SCHEMA \"\(name)\"; CREATE TABLE \"\(name)\".\"Node\" (x int); "
                        + "INSERT INTO \"\(name)\".\"Node\" VALUES (7)")
                let error = try #require(throws: GranaryError.self) {
                    try PostgreSQLStores.create(server.url(schema: name), schema: schema)
                }
                #expect(error.code == .uncreatable && error.message.contains("another schema"))
                #expect(try server.sql("SELECT x FROM \"\(name)\".\"Node\"") == "7")
            }

            @Test func anotherModelIsRefused() throws {
                try PostgreSQLStores.create(url, schema: schema).publish()
                let other = ManagedObjectModel(entities: [EntityDescription("Node", [.attribute("x", .string)])])
                let error = try #require(throws: GranaryError.self) {
                    try PostgreSQLStores.openForReading(url, model: other)
                }
                #expect(error.code == .refused && !error.diagnostics.isEmpty)
            }

            @Test func metadataAreInTheStore() throws {
                let store = try PostgreSQLStores.create(url, schema: schema)
                try store.publish()
                try store.setUserMetadata([PropertyListEntry("note", .string("it's \"here\" \u{e4}"))])
                #expect(try PostgreSQLStores.metadata(url)["note"]?.string == "it's \"here\" \u{e4}")
                #expect(try PostgreSQLStores.metadata(url).versionHashes == schema.versionHashes)
                try PostgreSQLStores.setUserMetadata([PropertyListEntry("other", .integer(1))], url)
                #expect(try PostgreSQLStores.metadata(url)["other"]?.integer == 1)
            }

            @Test func aWriterWaitsForAnotherOne() throws {
                let first = try PostgreSQLStores.create(url, schema: schema)
                try first.publish()
                let second = try PostgreSQLStores.openForWriting(url, schema: schema, timeout: .milliseconds(50))
                try first.transaction { writer in
                    try writer.insert(try node("a", 1))
                    let error = try #require(throws: GranaryError.self) {
                        try second.transaction { try $0.insert(try node("b", 2)) }
                    }
                    #expect(error.code == .busy)
                    // Readers do not wait.
                    #expect(try second.count(entity: try #require(schema.entity(named: "Node")).index) == 0)
                }
                try second.transaction { try $0.insert(try node("b", 2)) }
                #expect(try first.count(entity: try #require(schema.entity(named: "Node")).index) == 2)
            }

            @Test func aReaderSeesOneState() throws {
                let first = try PostgreSQLStores.create(url, schema: schema)
                try first.publish()
                let reader = try PostgreSQLStores.openForReading(url, model: nil)
                let index = try #require(schema.entity(named: "Node")).index
                try reader.reading {
                    #expect(try reader.count(entity: index) == 0)
                    try first.transaction { try $0.insert(try node("a", 1)) }
                    #expect(try reader.count(entity: index) == 0)
                }
                #expect(try reader.count(entity: index) == 1)
            }

            @Test func aMissingObjectIsFoundBeforeTheCommit() throws {
                let store = try PostgreSQLStores.create(url, schema: schema)
                try store.publish()
                let entity = try #require(schema.entity(named: "Node"))
                let slot = try #require(entity.relationship(named: "parent")).slot
                var batch = try node("a", 1)
                batch[0, slot] = .reference(key: 99, entity: Int32(entity.index))
                let error = try #require(throws: GranaryError.self) { try store.transaction { try $0.insert(batch) } }
                #expect(error.code == .refused && error.diagnostics.first?.property == "parent")
                #expect(try store.count(entity: entity.index) == 0)
            }

            @Test(arguments: [1, 9]) func aRefusedRowIsNamedAndTheRowsBeforeItStay(count: Int) throws {
                let bench = try StoreBench(.postgreSQLPublished)
                let entity = try bench.entity("Account")
                var batch = RowBatch()
                for key in 1...count + 1 {
                    var row = try bench.row("Account", Int64(key), ["email": .string("\(key)@x")])
                    if key == count + 1 { row = try bench.row("Account", Int64(key), ["email": "1@x"]) }
                    batch.append(0, of: row, slotCount: entity.slotCount)
                }
                try bench.store.transaction { writer in
                    let error = try #require(throws: GranaryError.self) { try writer.insert(batch) }
                    #expect(error.diagnostics.first?.property == "email")
                    #expect(error.diagnostics.first?.code == .uniqueExists)
                    #expect(writer.writtenRows == count)
                }
                #expect(try bench.keys("Account", batchSize: 100).count == count)
            }

            @Test func otherProgramsInsertAndDeleteObjects() throws {
                let name = "psql \(UUID().uuidString.prefix(8))"
                let store = try PostgreSQLStores.create(server.url(schema: name), schema: schema)
                try store.publish()
                _ = try server.sql(
                    "INSERT INTO \"\(name)\".\"Node\" (name) VALUES ('from psql'), ('second'); "
                        + "INSERT INTO \"\(name)\".\"Node\" (\"$entity\", name, parent) VALUES ('Leaf', 'third', 1)")
                let entity = try #require(schema.entity(named: "Node"))
                #expect(try store.count(entity: entity.index) == 2)
                let first = try store.transaction { try $0.reserveKeys(root: entity.index, count: 2) }
                #expect(first == 4)
                #expect(throws: (any Error).self) {
                    try server.sql("INSERT INTO \"\(name)\".\"Node\" (\"$entity\") VALUES ('Stranger')")
                }
                #expect(throws: (any Error).self) {
                    try server.sql("DELETE FROM \"\(name)\".\"Node\" WHERE \"$id\" = 1")
                }
                _ = try server.sql("DELETE FROM \"\(name)\".\"Node\" WHERE \"$id\" IN (1, 3)")
                #expect(try store.read(root: entity.index, keys: [1, 2, 3]).rows.map(\.key) == [2])
            }

            @Test func datesKeepAllBits() throws {
                let dates: [Double] = [
                    0, 0.1, -1.25, 700_000_000.123456789, 1e15, -1e15, .leastNonzeroMagnitude, -63_114_076_800,
                ]
                let name = "dates \(UUID().uuidString.prefix(8))"
                let store = try PostgreSQLStores.create(server.url(schema: name), schema: schema)
                try store.publish()
                let entity = try #require(schema.entity(named: "Values"))
                let attribute = try #require(entity.attribute(named: "date"))
                var batch = RowBatch()
                for (row, seconds) in dates.enumerated() {
                    batch.appendRow(
                        entity: entity.index, key: Int64(row + 1), version: 1, slotCount: entity.slotCount)
                    AttributeValue.date(Date(timeIntervalSinceReferenceDate: seconds)).withBorrowed {
                        batch.set($0, row: row, slot: attribute.slot)
                    }
                }
                try store.transaction { try $0.insert(batch) }
                let found = try store.read(root: entity.index, keys: dates.indices.map { Int64($0 + 1) })
                for (row, seconds) in dates.enumerated() {
                    #expect(
                        try found.value(row: row, of: attribute)
                            == .date(Date(timeIntervalSinceReferenceDate: seconds)))
                }
                let shown = try server.sql(
                    "SET TIME ZONE 'UTC'; SELECT date_trunc('second', \"date\") FROM \"\(name)\".\"Values\" ORDER BY \"$id\""
                ).split(separator: "\n", omittingEmptySubsequences: false)
                #expect(shown.count == dates.count && shown.first == "2001-01-01 00:00:00+00")
                // timestamptz cannot hold these times.
                #expect(shown.dropFirst(4).prefix(2) == ["", ""])
            }
        }
    }
#endif
