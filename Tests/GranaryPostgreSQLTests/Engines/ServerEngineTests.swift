#if PostgreSQL
    import Foundation
    import GranaryBase
    import GranaryModel
    import StoreTestSupport
    import TestSupport
    import Testing

    @testable import GranaryPostgreSQL

    @Suite struct ServerEngineTests {
        @Test(arguments: [
            (
                "PostgreSQL 15.8 (Debian 15.8-0+deb12u1) on x86_64-pc-linux-gnu, compiled by gcc", false,
                ServerEngine.postgresql
            ),
            ("PostgreSQL 16.2 on x86_64-pc-linux-gnu", true, .citus),
            ("CockroachDB CCL v23.1.11 (x86_64-pc-linux-gnu, built 2023/09/27 01:53:43, go1.19.10)", false, .cockroach),
            (
                "PostgreSQL 11.2-YB-2.19.0.0-b0 on x86_64-pc-linux-gnu, compiled by clang version 15.0.3", false,
                .yugabyte
            ),
        ])
        func theVersionTellsTheEngine(version: String, hasCitus: Bool, engine: ServerEngine) {
            #expect(ServerEngine(version: version, hasCitus: hasCitus) == engine)
        }

        /// A database whose `version()` is that of another engine.
        @Test(.enabled(if: PostgreSQLServer.usable != nil)) func anEngineThatCannotHoldAStoreIsRefused() throws {
            let server = try PostgreSQLServer.required()
            let name = "engine_\(UUID().uuidString.prefix(8).lowercased())"
            _ = try server.sql("CREATE DATABASE \(name)")
            let url = server.url(schema: "app").replacing("@/postgres?", with: "@/\(name)?")
            let connection = try PostgreSQLConnection(try ConnectionText(url), lockTimeout: .seconds(5))
            #expect(try connection.engine() == .postgresql)
            try connection.execute(
                """
                ALTER FUNCTION pg_catalog.version() RENAME TO version_of_postgresql;
                CREATE FUNCTION pg_catalog.version() RETURNS text LANGUAGE sql AS 'SELECT ''CockroachDB CCL v23.1.11'''
                """)
            let schema = try ManagedObjectModel(entities: [EntityDescription("A", [.attribute("a", .string)])])
                .resolved()
            let error = try #require(throws: GranaryError.self) { _ = try PostgreSQLStores.create(url, schema: schema) }
            #expect(error.code == .refused && error.message.contains("CockroachDB has no deferred constraints"))
        }
    }
#endif
