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
        /// Stores that other programs have changed in ways that the layout does not have.
        @Suite struct DamagedStoreTests {
            private let server: PostgreSQLServer
            private let name = "damaged \(UUID().uuidString.prefix(8))"

            init() throws {
                server = try PostgreSQLServer.required()
                let store = try PostgreSQLStores.create(
                    server.url(schema: name), schema: try ConformanceModel.model.resolved())
                try store.publish()
            }

            private func sql(_ text: String) throws { _ = try server.sql("SET search_path = \"\(name)\"; \(text)") }

            /// Reads the whole store.
            private func read() throws -> Int {
                let store = try PostgreSQLStores.openForReading(server.url(schema: name), model: nil)
                var values = 0
                for root in store.schema.entities where root.superentity == nil {
                    try store.read(entities: root.family, batchSize: 10) { batch in
                        for row in batch.rows.indices {
                            let entity = store.schema.entities[Int(batch.rows[row].entity)]
                            for attribute in entity.attributes {
                                if try batch.checkedValue(row: row, of: attribute, store.schema) != nil { values += 1 }
                            }
                        }
                        return true
                    }
                    for relationship in root.relationships where relationship.isToMany {
                        try store.readLinks(of: relationship, owners: nil) { _ in values += 1 }
                    }
                }
                return values
            }

            @Test(arguments: [
                "UPDATE granary_store SET layout = 2", "UPDATE granary_store SET model = '{'",
                "UPDATE granary_store SET model = ''", "UPDATE granary_store SET model = repeat('[', 100000)",
                "UPDATE granary_store SET model = '{\"entities\":[]}'", "UPDATE granary_store SET metadata = 'x'",
                "UPDATE granary_store SET metadata = ''", "DELETE FROM granary_store",
                "ALTER TABLE granary_store DROP COLUMN metadata", "ALTER TABLE granary_store ALTER layout TYPE text",
                "ALTER TABLE granary_store ALTER model DROP NOT NULL; UPDATE granary_store SET model = NULL",
                "DROP TABLE \"Node\" CASCADE", "ALTER TABLE \"Node\" DROP COLUMN name",
                "ALTER TABLE \"Node\" DROP CONSTRAINT \"Node_$entity_check\"; INSERT INTO \"Node\" (\"$entity\") VALUES ('X')",
                "INSERT INTO \"Node\" (\"$version\") VALUES (-1)",
                "INSERT INTO \"Node\" (\"$version\") VALUES (9223372036854775807)",
                "INSERT INTO \"Values\" (double) VALUES ('Infinity')", "INSERT INTO \"Values\" (double) VALUES ('NaN')",
                "INSERT INTO \"Values\" (float) VALUES ('-Infinity')",
                "INSERT INTO \"Values\" (decimal) VALUES ('NaN')",
                "INSERT INTO \"Values\" (decimal) VALUES (1e200)",
                "INSERT INTO \"Values\" (decimal) VALUES (0.1234567890123456789012345678901234567890123)",
                "INSERT INTO \"Values\" (\"date$seconds\") VALUES ('Infinity')",
                "ALTER TABLE \"Values\" ALTER string TYPE bytea USING '\\xff'::bytea; INSERT INTO \"Values\" (string) VALUES ('\\xff')",
                "ALTER TABLE \"Values\" ALTER i16 TYPE text; INSERT INTO \"Values\" (i16) VALUES ('abc')",
                "ALTER TABLE \"Values\" ALTER uuid TYPE text; INSERT INTO \"Values\" (uuid) VALUES ('abc')",
            ])
            func damageIsAnError(damage: String) throws {
                try sql(damage)
                #expect(throws: GranaryError.self) { try read() }
            }

            @Test(arguments: [
                "INSERT INTO \"Values\" (double) VALUES ('-0')", "INSERT INTO \"Values\" (decimal) VALUES (0.10)",
                "INSERT INTO \"Node\" (\"$id\") VALUES (-5), (9223372036854775806)",
                "CREATE TABLE other (x int); ALTER TABLE \"Node\" ADD COLUMN extra text",
                "INSERT INTO \"Values\" (\"date$seconds\") VALUES (1e300)",
            ])
            func otherChangesAreNone(change: String) throws {
                try sql(change)
                _ = try read()
            }

            @Test func twoProcessesCreateAStoreAtTheSameTime() throws {
                let url = server.url()
                let schema = try ConformanceModel.model.resolved()
                let first = try PostgreSQLStores.create(url, schema: schema)
                let error = #expect(throws: GranaryError.self) {
                    try PostgreSQLStores.create(url, schema: schema, timeout: .milliseconds(50))
                }
                #expect(error?.code == .busy || error?.code == .uncreatable)
                try first.publish()
                #expect(try PostgreSQLStores.exists(url))
            }

            @Test func keysNearTheEndAreRefused() throws {
                try sql("INSERT INTO \"Node\" (\"$id\") VALUES (9223372036854775806)")
                let schema = try ConformanceModel.model.resolved()
                let store = try PostgreSQLStores.openForWriting(server.url(schema: name), schema: schema)
                let node = try #require(schema.entity(named: "Node")).index
                #expect(throws: GranaryError.self) {
                    try store.transaction { try $0.reserveKeys(root: node, count: 2) }
                }
            }
        }
    }
#endif
