import Foundation
import TestSupport
import Testing

#if PostgreSQL
    /// The binary imports into a PostgreSQL store while something goes wrong.
    struct FaultyImport {
        let server: PostgreSQLServer
        let folder: TemporaryFolder
        let schema = "f\(UUID().uuidString.prefix(8).lowercased())"
        private let model = Samples.url("Triage/Triage.xcdatamodeld").path

        struct Missing: Error {}

        init(_ server: PostgreSQLServer?) throws {
            guard let server else { throw Missing() }
            self.server = server
            folder = try TemporaryFolder()
        }

        /// A store with three responders.
        func create(parameters: String = "") throws {
            let rows = "badge,name\nA-1,Ann\nA-2,Bob\nA-3,Cid\n"
            let created = try Granary.run(
                arguments(parameters) + ["--model", model], input: rows, in: folder.url)
            try #require(created.status == 0, "\(created.errors)")
        }

        func arguments(_ parameters: String = "") -> [String] {
            [
                "import", "-", "--format", "csv", "--entity", "Responder", "--store",
                server.url(schema: schema, parameters: parameters), "--key", "badge", "--on-conflict", "update",
            ]
        }

        var table: String { "\"\(schema)\".\"Responder\"" }

        /// The responders, in the order of their badges.
        func names() throws -> String {
            try server.sql("SELECT string_agg(name, ' ' ORDER BY badge) FROM \(table)")
        }
    }

    @Suite(.enabled(if: PostgreSQLServer.shared != nil, "skipped: PostgreSQL is not installed"))
    struct PostgreSQLFaultTests {
        private let job: FaultyImport

        init() throws { job = try FaultyImport(PostgreSQLServer.shared) }

        @Test func `An import runs again if another program has changed the same rows`() throws {
            try job.create()
            // The other program changes a row of the import. The import waits for it, and has an older state then.
            let result = try job.server.whileLocked(
                by: "UPDATE \(job.table) SET name = 'Other', \"$version\" = 2 WHERE badge = 'A-2'"
            ) {
                try Granary.run(
                    job.arguments("&application_name=again") + ["--report", "report.json"],
                    input: "badge,name\nA-2,Bea\nA-4,Dan\n", in: job.folder.url)
            }
            #expect(result.status == 0, "\(result.errors)")
            #expect(result.errors.contains("the import runs again (2 of 5)"), "\(result.errors)")
            #expect(result.ledger.contains("created 1") && result.ledger.contains("updated 1"), "\(result.ledger)")
            #expect(try job.names() == "Ann Bea Cid Dan")
            // The change of the other program is not lost: it was read.
            #expect(try job.server.sql("SELECT \"$version\" FROM \(job.table) WHERE badge = 'A-2'") == "3")
            let report = try String(contentsOf: job.folder.url.appending(path: "report.json"), encoding: .utf8)
            #expect(report.contains("\"created\" : 1"))
            #expect(try job.server.sql("SELECT generation FROM \"\(job.schema)\".granary_store") == "2")
        }

        @Test func `A store that stays locked is exit code 75`() throws {
            try job.create()
            let result = try job.server.whileLocked(
                by: "LOCK TABLE \"\(job.schema)\".granary_store IN EXCLUSIVE MODE", isHeldToTheEnd: true
            ) {
                try Granary.run(
                    job.arguments() + ["--busy-timeout", "0.2"], input: "badge,name\nA-2,Bea\n", in: job.folder.url)
            }
            #expect(result.status == 75 && result.errors.contains("--busy-timeout"), "\(result.errors)")
            #expect(!result.errors.contains("runs again"))
            #expect(try job.names() == "Ann Bob Cid")
        }
    }

    @Suite(.enabled(if: PostgreSQLServer.shared != nil, "skipped: PostgreSQL is not installed"))
    struct PostgreSQLFaultCrashTests {
        @Test func `A server that is killed in the middle is exit code 74, and the import can run again`() throws {
            let job = try FaultyImport(PostgreSQLServer.separate())
            try job.create()
            let rows = "badge,name\nA-2,Bea\n" + (10..<20_000).map { "B-\($0),New\n" }.joined()
            // The import has inserted rows when it waits for the row of the other session.
            let result = try job.server.whileLocked(
                by: "UPDATE \(job.table) SET name = 'Other' WHERE badge = 'A-2'", isHeldToTheEnd: true
            ) {
                let running = try Granary.start(job.arguments(), input: rows, in: job.folder.url)
                var isWaiting = false
                while running.isRunning && !isWaiting {
                    isWaiting = try job.server.sql("SELECT count(*) FROM pg_locks WHERE NOT granted") != "0"
                }
                #expect(isWaiting)
                try job.server.crash()
                return try running.finish()
            }
            #expect(result.status == 74, "\(result.errors)")
            #expect(result.errors.contains("run it again when the server can be reached"), "\(result.errors)")
            try job.server.restart()
            #expect(try job.names() == "Ann Bob Cid")
            let again = try Granary.run(job.arguments(), input: rows, in: job.folder.url)
            #expect(again.status == 0 && again.ledger.contains("updated 1"), "\(again.errors)")
        }

        @Test(arguments: [false, true])
        func `A full disk of the server is exit code 74, and nothing is changed`(isNew: Bool) throws {
            let job = try FaultyImport(PostgreSQLServer.shared)
            _ = try job.server.withSmallTablespace { space in
                let parameters = "&options=-cdefault_tablespace%3D\(space)"
                try job.create(parameters: parameters)
                defer { _ = try? job.server.sql("DROP SCHEMA \"\(job.schema)\" CASCADE") }
                if isNew { _ = try job.server.sql("DROP SCHEMA \"\(job.schema)\" CASCADE") }
                let rows = "badge,name\n" + (10_000..<90_000).map { "B-\($0),Somebody with a name\n" }.joined()
                let model = isNew ? ["--model", Samples.url("Triage/Triage.xcdatamodeld").path] : []
                let result = try Granary.run(job.arguments(parameters) + model, input: rows, in: job.folder.url)
                #expect(result.status == 74, "\(result.errors)")
                #expect(result.errors.contains("53100") && result.errors.contains("free space"), "\(result.errors)")
                if isNew {
                    let tables = "SELECT count(*) FROM pg_tables WHERE schemaname = '\(job.schema)'"
                    #expect(try job.server.sql(tables) == "0")
                } else {
                    #expect(try job.names() == "Ann Bob Cid")
                }
            }
        }
    }
#endif
