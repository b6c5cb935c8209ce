import Foundation
import TestSupport
import Testing

#if PostgreSQL
    /// The binary with a PostgreSQL store, connected as libpq's environment and files say.
    @Suite(.enabled(if: PostgreSQLServer.shared != nil, "skipped: PostgreSQL is not installed"))
    struct PostgreSQLTests {
        private let server: PostgreSQLServer
        private let folder: TemporaryFolder
        private let plan = Samples.url("Triage/seed.yaml").path

        struct Missing: Error {}

        init() throws {
            guard let server = PostgreSQLServer.shared else { throw Missing() }
            self.server = server
            folder = try TemporaryFolder()
        }

        private func run(_ environment: String, _ arguments: [String]) throws -> Granary {
            try Granary.run(arguments, script: "export \(environment); exec \"$0\" \"$@\"")
        }

        @Test func theEnvironmentNamesTheServer() throws {
            let environment = "PGHOST='\(server.folder.path)' PGUSER=\(PostgreSQLServer.user) PGDATABASE=postgres"
            let schema = "e\(UUID().uuidString.prefix(8))"
            let url = "postgresql://?schema=\(schema)"
            let seed = try run(environment, ["seed", plan, "--set", "STORE=\(url)"])
            #expect(seed.status == 0, "\(seed.errors)")
            #expect(try server.sql("SELECT count(*) FROM \"\(schema)\".\"Patient\"") == "300")
            let export = try run(
                environment,
                ["export", "--store", "schema=\(schema)", "--entity", "Injury", "--format", "csv", "--output", "-"])
            #expect(export.status == 0 && export.output.contains("Burn"), "\(export.errors)")
        }

        @Test(.enabled(if: ServedStore.isBuilt)) func aStoreIsBrowsed() throws {
            let environment = "PGHOST='\(server.folder.path)' PGUSER=\(PostgreSQLServer.user) PGDATABASE=postgres"
            let store = "schema=b\(UUID().uuidString.prefix(8))"
            let seed = try run(environment, ["seed", plan, "--set", "STORE=postgresql://?\(store)"])
            try #require(seed.status == 0, "\(seed.errors)")
            let running = try Granary.start(
                ["browse", store], script: "export \(environment); exec \"$0\" \"$@\"")
            while !running.hasPrinted("\n"), running.isRunning { usleep(10_000) }
            let address = running.printed.split(separator: "\n").first.map(String.init) ?? ""
            let base = String(address.prefix { $0 != "?" })
            let jar = folder.url.appending(path: "jar").path
            func get(_ target: String) throws -> String {
                try ServedStore.run(["curl", "--silent", "--cookie", jar, base + target]).output
            }
            _ = try ServedStore.run(["curl", "--silent", "--cookie-jar", jar, address])
            #expect(try get("").contains("<td class=\"n\">300</td>"))
            let list = try get("entity?entity=Patient&sort=age:desc&sort=name:asc&after=1")
            #expect(list.contains("next page") && list.contains("P-0"))
            #expect(try get("object?entity=Injury&key=2").contains("<bdi>Patient.injury</bdi>"))
            running.send(SIGTERM)
            #expect(try running.finish().status == 130)
        }

        @Test func aServiceAndAPasswordFileNameTheServer() throws {
            let service = try folder.write(
                "[triage]\nhost=\(server.folder.path)\nuser=\(PostgreSQLServer.guardedUser)\ndbname=postgres\n",
                to: "services.conf")
            let password = PostgreSQLServer.password.replacing(":", with: "\\:")
            let passwords = try folder.write("*:*:*:\(PostgreSQLServer.guardedUser):\(password)\n", to: "passwords")
            try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: passwords.path)
            let files = "PGSERVICEFILE='\(service.path)' PGPASSFILE='\(passwords.path)'"
            let schema = "f\(UUID().uuidString.prefix(8))"
            _ = try server.sql("CREATE SCHEMA \"\(schema)\" AUTHORIZATION \(PostgreSQLServer.guardedUser)")
            let store = "service=triage schema=\(schema)"
            let seed = try run(files, ["seed", plan, "--set", "STORE=\(store)"])
            #expect(seed.status == 0, "\(seed.errors)")
            let count = try run(files, ["query", store, "Patient WHERE injury.name == \"Burn\"", "--count"])
            #expect(count.output == "36\n", "\(count.errors)")
            let refused = try run(
                "PGSERVICEFILE='\(service.path)' PGPASSFILE=/dev/null PGPASSWORD=Kw0tqTq7",
                [
                    "store", "info", store,
                ])
            #expect(refused.status == 66 && !refused.errors.contains("Kw0tqTq7"), "\(refused.errors)")
        }
    }
#endif
