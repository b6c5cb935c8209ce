#if PostgreSQL
    import Foundation
    import GranaryBase
    import GranaryCoordination
    import GranaryModel
    import GranaryPredicates
    import StoreTestSupport
    import TestSupport
    import Testing

    @testable import GranaryPostgreSQL

    extension ServerTests {
        /// Names and values that look like SQL.
        @Suite struct HostileTextTests {
            private let server: PostgreSQLServer

            init() throws { server = try PostgreSQLServer.required() }

            private static let texts = [
                "'; DROP TABLE \"Node\"; --", "\\'; DROP TABLE \"Node\"; --", "\"", "$1", "$$; DROP", "%s\\", "\\N",
                "\\.",
                "\u{feff}a", "a\tb\r\nc", "\u{10ffff}", "E'\\\\x00'",
            ]

            private func bench(_ model: ManagedObjectModel, _ url: String) throws -> (any StoreBackend, Schema) {
                let schema = try model.resolved()
                let store = try PostgreSQLStores.create(url, schema: schema)
                try store.publish()
                return (store, schema)
            }

            @Test(arguments: [1, 20]) func valuesStayValues(rowsAtOnce: Int) throws {
                let bench = try StoreBench(.postgreSQLPublished)
                var batch = RowBatch()
                let entity = try bench.entity("Node")
                let slot = try #require(entity.attribute(named: "name")).slot
                for (index, text) in Self.texts.enumerated() {
                    let row = batch.appendRow(
                        entity: entity.index, key: Int64(index + 1), version: 1, slotCount: entity.slotCount)
                    AttributeValue.string(text).withBorrowed { batch.set($0, row: row, slot: slot) }
                }
                try bench.store.transaction { writer in
                    if rowsAtOnce > 1 { return try writer.insert(batch) }
                    for index in Self.texts.indices {
                        var one = RowBatch()
                        one.append(index, of: batch, slotCount: entity.slotCount)
                        try writer.insert(one)
                    }
                }
                for (index, text) in Self.texts.enumerated() {
                    #expect(try bench.value("Node", Int64(index + 1), "name") == .string(text))
                }
            }

            /// The schema is the only name that is not an identifier of a model.
            @Test(arguments: ["a\"b; DROP SCHEMA public; --", "it's", "Ä \\ $1", String(repeating: "s", count: 63)])
            func theSchemaStaysAName(name: String) throws {
                let name = "\(name.prefix(40)) \(UUID().uuidString.prefix(8))"
                let url = server.url(schema: name)
                let model = ManagedObjectModel(entities: [EntityDescription("Node", [.attribute("name", .string)])])
                let (store, _) = try bench(model, url)
                #expect(try store.count(entity: 0) == 0)
                #expect(try PostgreSQLStores.exists(url))
                let literal = "'" + name.replacing("'", with: "''") + "'"
                #expect(try server.sql("SELECT count(*) FROM pg_tables WHERE schemaname = \(literal)") != "0")
                try PostgreSQLStores.destroy(url)
                #expect(try !PostgreSQLStores.exists(url))
                #expect(try server.sql("SELECT count(*) FROM pg_tables WHERE schemaname = \(literal)") == "0")
            }

            @Test func longNamesAreStoredAndReadBack() throws {
                let long = String(repeating: "n", count: 70)
                let model = ManagedObjectModel(entities: [
                    EntityDescription(
                        long + "1",
                        [
                            .attribute(long + "a", .string), .attribute(long + "b", .date),
                            .toMany(long + "m", long + "2", inverse: long + "w"),
                        ]),
                    EntityDescription(long + "2", [.toMany(long + "w", long + "1", inverse: long + "m")]),
                ])
                let (store, schema) = try bench(model, server.url())
                let entity = try #require(schema.entity(named: long + "1"))
                var batch = RowBatch()
                batch.appendRow(entity: entity.index, key: 1, version: 1, slotCount: entity.slotCount)
                for attribute in entity.attributes {
                    let value: AttributeValue =
                        attribute.type == .date ? .date(Date(timeIntervalSinceReferenceDate: 0.1)) : "x"
                    value.withBorrowed { batch.set($0, row: 0, slot: attribute.slot) }
                }
                try store.transaction { try $0.insert(batch) }
                let found = try store.read(root: entity.root, keys: [1])
                #expect(try found.value(row: 0, of: try #require(entity.attribute(named: long + "a"))) == "x")
                #expect(
                    try found.value(row: 0, of: try #require(entity.attribute(named: long + "b")))
                        == .date(Date(timeIntervalSinceReferenceDate: 0.1)))
            }

            @Test(arguments: [1, 10]) func aNullCharacterIsRefusedBeforeTheRowIsWritten(rows: Int) throws {
                let bench = try StoreBench(.postgreSQLPublished)
                let entity = try bench.entity("Node")
                var batch = RowBatch()
                for key in 1...rows {
                    let row = batch.appendRow(
                        entity: entity.index, key: Int64(key), version: 1, slotCount: entity.slotCount)
                    let text: AttributeValue = key == rows ? "a\u{0}b" : "plain"
                    let slot = try #require(entity.attribute(named: "name")).slot
                    text.withBorrowed { batch.set($0, row: row, slot: slot) }
                }
                let error = try #require(throws: GranaryError.self) {
                    try bench.store.transaction { writer in
                        do { try writer.insert(batch) } catch {
                            #expect(writer.writtenRows == rows - 1)
                            throw error
                        }
                    }
                }
                #expect(error.diagnostics.first?.property == "name" && error.diagnostics.first?.entity == "Node")
                #expect(error.message.contains("U+0000"))
                #expect(try bench.keys("Node") == [])
            }
        }
    }
#endif
