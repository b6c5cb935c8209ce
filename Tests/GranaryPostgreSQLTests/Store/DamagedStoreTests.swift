#if PostgreSQL
    import Foundation
    import GranaryBase
    import GranaryCoordination
    import GranaryModel
    import StoreTestSupport
    import TestSupport
    import Testing

    @testable import GranaryPostgreSQL

    extension ServerTests {
        /// Stores that other programs have changed in ways that the layout does not have. ``DamagedStoreLongTests`` has more
        /// of such changes.
        @Suite struct DamagedStoreTests {
            @Test(arguments: [
                "UPDATE granary_store SET layout = 2", "UPDATE granary_store SET model = '{'",
                "DELETE FROM granary_store",
                "ALTER TABLE \"Node\" DROP COLUMN name", "INSERT INTO \"Values\" (double) VALUES ('NaN')",
                "ALTER TABLE \"Node\" DROP CONSTRAINT \"Node_$entity_check\"; INSERT INTO \"Node\" (\"$entity\") VALUES ('X')",
                "ALTER TABLE \"Values\" ALTER string TYPE bytea USING '\\xff'::bytea; INSERT INTO \"Values\" (string) VALUES ('\\xff')",
            ])
            func damageIsAnError(damage: String) throws {
                let store = try DamagedStore()
                try store.sql(damage)
                #expect(throws: GranaryError.self) { try store.read() }
            }

            @Test func otherChangesAreNone() throws {
                let store = try DamagedStore()
                try store.sql(
                    """
                    CREATE TABLE other (x int);
                    ALTER TABLE "Node" ADD COLUMN extra text;
                    INSERT INTO "Node" ("$id") VALUES (-5), (9223372036854775806);
                    INSERT INTO "Values" (double) VALUES ('-0');
                    INSERT INTO "Values" (decimal) VALUES (0.10);
                    INSERT INTO "Values" ("date$seconds") VALUES (1e300)
                    """)
                #expect(try store.read() == 3)
            }

            @Test func twoProcessesCreateAStoreAtTheSameTime() throws {
                let url = try PostgreSQLServer.required().url()
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
                let damaged = try DamagedStore()
                try damaged.sql("INSERT INTO \"Node\" (\"$id\") VALUES (9223372036854775806)")
                let schema = try ConformanceModel.model.resolved()
                let store = try PostgreSQLStores.openForWriting(damaged.url, schema: schema)
                let node = try #require(schema.entity(named: "Node")).index
                #expect(throws: GranaryError.self) {
                    try store.transaction { try $0.reserveKeys(root: node, count: 2) }
                }
            }
        }

        /// More changes than ``DamagedStoreTests`` has.
        @Suite struct DamagedStoreLongTests {
            @Test(arguments: [
                "UPDATE granary_store SET model = ''", "UPDATE granary_store SET model = repeat('[', 100000)",
                "UPDATE granary_store SET model = '{\"entities\":[]}'", "UPDATE granary_store SET metadata = 'x'",
                "UPDATE granary_store SET metadata = ''", "ALTER TABLE granary_store DROP COLUMN metadata",
                "ALTER TABLE granary_store ALTER layout TYPE text",
                "ALTER TABLE granary_store ALTER model DROP NOT NULL; UPDATE granary_store SET model = NULL",
                "DROP TABLE \"Node\" CASCADE", "INSERT INTO \"Node\" (\"$version\") VALUES (-1)",
                "INSERT INTO \"Node\" (\"$version\") VALUES (9223372036854775807)",
                "INSERT INTO \"Values\" (double) VALUES ('Infinity')",
                "INSERT INTO \"Values\" (float) VALUES ('-Infinity')",
                "INSERT INTO \"Values\" (decimal) VALUES ('NaN')",
                "INSERT INTO \"Values\" (decimal) VALUES (1e200)",
                "INSERT INTO \"Values\" (decimal) VALUES (0.1234567890123456789012345678901234567890123)",
                "INSERT INTO \"Values\" (\"date$seconds\") VALUES ('Infinity')",
                "ALTER TABLE \"Values\" ALTER i16 TYPE text; INSERT INTO \"Values\" (i16) VALUES ('abc')",
                "ALTER TABLE \"Values\" ALTER uuid TYPE text; INSERT INTO \"Values\" (uuid) VALUES ('abc')",
            ])
            func damageIsAnError(damage: String) throws {
                let store = try DamagedStore()
                try store.sql(damage)
                #expect(throws: GranaryError.self) { try store.read() }
            }
        }
    }
#endif
