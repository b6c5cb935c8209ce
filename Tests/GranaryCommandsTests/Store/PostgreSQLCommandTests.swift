import Foundation
import GranaryCoordination
import GranaryContexts
import GranaryPostgreSQL
import StoreTestSupport
import TestSupport
import Testing

/// Commands with PostgreSQL stores.
@Suite struct PostgreSQLCommandTests {
    /// With a server of the tests.
    @Suite(.enabled(if: PostgreSQLServer.usable != nil, "skipped: PostgreSQL is not installed"))
    struct WithServer {
        let server: PostgreSQLServer
        let run: CommandRun
        let url: String
        let model = Samples.url("Triage/Triage.xcdatamodeld").path

        init() throws {
            server = try PostgreSQLServer.required()
            run = try CommandRun()
            url = server.url()
        }

        func succeeds(_ words: String...) async -> CommandRun.Result {
            let result = await run.run(words)
            #expect(result.code == 0, "\(words.first ?? ""): \(result.messages)")
            return result
        }

        @Test func theSamplesPlanFillsAStore() async throws {
            let plan = Samples.url("Triage/seed.yaml").path
            let first = await succeeds("seed", plan, "--set", "STORE=\(url)")
            let file = await succeeds("seed", plan, "--set", "STORE=\(run.path("Seed.sqlite"))")
            #expect(first.ledger == file.ledger)
            // The export of the whole store has the same bytes, except that an SQLite store has its model in compiled form,
            // which lacks what only Xcode uses.
            _ = await succeeds("export", url, "--output", "@a.json")
            _ = await succeeds("export", "@Seed.sqlite", "--output", "@b.json")
            #expect(try lines("a.json") == lines("b.json"))
            let diff = await succeeds("store", "diff", url, "@Seed.sqlite")
            #expect(diff.output.contains("equal"), "\(diff.output)")
            // Run again, it changes nothing.
            let again = await succeeds("seed", plan, "--set", "STORE=\(url)")
            #expect(again.ledger.contains("created 0") && again.ledger.contains("unchanged 348"))
        }

        @Test func anExportRestoresTheStoreInBothDirections() async throws {
            let plan = Samples.url("Triage/seed.yaml").path
            _ = await succeeds("seed", plan, "--set", "STORE=\(run.path("A.sqlite"))")
            _ = await succeeds("export", "@A.sqlite", "--output", "@a.json")
            _ = await succeeds("import", "@a.json", "--store", url)
            _ = await succeeds("export", url, "--output", "@b.json")
            _ = await succeeds("import", "@b.json", "--store", "@B.sqlite")
            _ = await succeeds("store", "diff", "@A.sqlite", url)
            _ = await succeeds("store", "diff", url, "@B.sqlite")
            _ = await succeeds("store", "diff", "@A.sqlite", "@B.sqlite")
            #expect(try lines("a.json") == lines("b.json"))
        }

        private func lines(_ name: String) throws -> [Substring] {
            try run.text(name).split(separator: "\n").filter { !$0.hasPrefix("\"model\":") }
        }

        @Test func aStoreIsCreatedDescribedAndQueried() async throws {
            _ = await succeeds("store", "create", "--model", model, "--store", url)
            let again = await run.run("store", "create", "--model", model, "--store", url)
            #expect(again.code == 73)
            let csv = Samples.url("Triage/responders.csv").path
            let result = await succeeds("import", csv, "--store", url, "--entity", "Responder")
            #expect(result.ledger.contains("created"))
            let info = await succeeds("store", "info", url)
            #expect(info.output.contains("Responder") && info.output.contains("run-1"))
            let json = await succeeds("store", "info", url, "--format", "json")
            #expect(json.output.contains("\"Responder\""))
            let query = await succeeds("query", url, "Responder", "--sort", "badge", "--limit", "2")
            #expect(query.messages.contains("2 objects"))
            let count = await succeeds("query", url, "Responder WHERE name != nil", "--count")
            #expect((Int(count.output.trimmingCharacters(in: .newlines)) ?? 0) > 0)
        }

        @Test func aDerivedAttributeThatIsNotComputedIsAWarning() async throws {
            let attributes = """
                {title: string, key: {type: string, derived: "canonical:(title)"}, odd: {type: string, derived: "soundex:(title)"}}
                """
            _ = try run.folder.write("entities: {Book: {attributes: \(attributes)}}\n", to: "m.granary.yaml")
            _ = try run.folder.write("title\nEmma\n", to: "Book.csv")
            let warning = "Book.odd: Granary does not compute \"soundex:(title)\"; the column stays NULL"
            let file = await succeeds("store", "create", "--model", "@m.granary.yaml", "--store", "@a.sqlite")
            #expect(file.messages.contains("\(warning) until an app saves the object"), "\(file.messages)")
            let words = ["--model", "@m.granary.yaml", "--store"]
            for command in [["store", "create"], ["import", "@Book.csv", "--entity", "Book"]] {
                let result = await run.run(command + words + [server.url()])
                #expect(
                    result.code == 0 && result.messages.contains("warning: \(warning) [store.layout]"),
                    "\(result.messages)")
                #expect(!result.messages.contains("Book.key"))
            }
        }

        @Test func anEngineIsNamed() async throws {
            let create = ["store", "create", "--model", model, "--store"]
            for engine in ["cockroach", "yugabyte"] {
                let refused = await run.run(create + [url, "--engine", engine])
                #expect(refused.code == 65 && refused.messages.contains("LOCK TABLE"), "\(refused.messages)")
            }
            #expect(try !PostgreSQLStores.exists(url))
            let plan = await run.run(create + [url, "--engine", "citus"])
            #expect(plan.code == 0 && plan.output.contains("create_reference_table"), "\(plan.messages)")
            #expect(try PostgreSQLStores.exists(url))
            let file = await run.run(create + ["@x.sqlite", "--engine", "citus"])
            #expect(file.code == 64 && file.messages.contains("--engine is for PostgreSQL stores"))
        }

        /// Runs commands on a PostgreSQL store and on an SQLite store, and compares the exit codes, the ledgers and the
        /// stores after each. `STORE` is the store.
        ///
        /// - Returns: the stores.
        @discardableResult
        func compare(
            _ commands: [[String]], _ name: String, comparesKeys: Bool = true
        ) async throws -> [String] {
            let (database, file) = (server.url(), run.path("\(name).sqlite"))
            for command in commands {
                let results = [database, file].map { store in command.map { $0 == "STORE" ? store : $0 } }
                let (first, second) = (await run.run(results[0]), await run.run(results[1]))
                #expect(first.code == second.code, "\(command): \(first.messages)\n\(second.messages)")
                let ledgers = zip([first, second], [database, file]).map { result, store in
                    result.ledger.replacing(store, with: "STORE").replacing("the table granary$run", with: "STORE.runs")
                        .replacing(/[0-9,]+ bytes/, with: "bytes")
                }
                #expect(ledgers[0] == ledgers[1], "\(command)")
                let diff = await run.run("store", "diff", database, file)
                #expect(diff.code == 0, "\(command): \(diff.output)\(diff.messages)")
            }
            guard comparesKeys else { return [database, file] }
            _ = await succeeds("export", database, "--output", "@\(name)-a.json")
            _ = await succeeds("export", file, "--output", "@\(name)-b.json")
            #expect(try lines("\(name)-a.json") == lines("\(name)-b.json"))
            return [database, file]
        }

        /// In `PostgreSQLCommandLongTests`.
        func hierarchiesAreImportedUpdatedAndPrunedAsInSQLite() async throws {
            let folder = Samples.url("Company")
            let model = folder.appending(path: "Company.xcdatamodeld").path
            func file(_ name: String) -> String { folder.appending(path: name).path }
            let employees = try String(contentsOfFile: file("employees.csv"), encoding: .utf8)
                .split(separator: "\n").map(String.init)
            let changed = ([employees[0]] + employees[1...60].map { $0.replacing("00,", with: "50,") })
                .joined(separator: "\n")
            _ = try run.folder.write(changed + "\n", to: "changed.csv")
            let employee = [
                "--entity", "Employee", "--lookup", "department=name", "--lookup", "manager=employeeNumber", "--store",
                "STORE", "--key", "employeeNumber",
            ]
            try await compare(
                [
                    [
                        "import", file("departments.csv"), "--entity", "Department", "--model", model, "--store",
                        "STORE",
                    ],
                    ["import", file("employees.csv")] + employee,
                    ["import", file("customers.csv"), "--entity", "Customer", "--store", "STORE"],
                    ["import", run.path("changed.csv"), "--on-conflict", "update"] + employee,
                    ["import", run.path("changed.csv"), "--on-conflict", "update", "--prune"] + employee,
                    ["generate", "--store", "STORE", "--count", "Employee=50", "--random-seed", "3"],
                ], "Company")
        }

        @Test func goodRowsAreKeptAsInSQLite() async throws {
            _ = try run.folder.write(
                "badge,name\nA-1,Ann\nA-2,\nA-1,Bob\nA-3,Cid\nA-4444444444444444,Dora\nA-5,E\u{0}a\n", to: "bad.csv")
            _ = try run.folder.write("badge,name\nA-3,Ann\nA-9,Eve\n", to: "more.csv")
            let options = ["--entity", "Responder", "--store", "STORE", "--mode", "keep-good"]
            try await compare(
                [
                    ["import", run.path("bad.csv"), "--model", model, "--rejects", run.path("r.csv"), "--force"]
                        + options,
                    ["import", run.path("more.csv")] + options,
                    ["import", run.path("more.csv"), "--on-conflict", "update"] + options,
                ], "Good")
        }

        /// In `PostgreSQLCommandLongTests`.
        func manyToManyLinksAreImportedAsInSQLite() async throws {
            let model = Samples.url("Drawings/Drawings.xcdatamodeld").path
            func shape(_ name: String, _ tags: [String]) -> String {
                "{\"name\": \"\(name)\", \"tags\": [\(tags.map { "\"\($0)\"" }.joined(separator: ", "))]}"
            }
            let tags = (1...20).map { "{\"name\": \"t\($0)\"}" }.joined(separator: ", ")
            let shapes = (1...30).map { number in shape("s\(number)", (1...5).map { "t\(number * $0 % 20 + 1)" }) }
            _ = try run.folder.write("[\(tags)]", to: "Tag.json")
            _ = try run.folder.write("[\(shapes.joined(separator: ", "))]", to: "Shape.json")
            _ = try run.folder.write("[\(shape("s1", ["t9", "t1"])), \(shape("s2", []))]", to: "changed.json")
            let options = ["--entity", "Shape", "--store", "STORE", "--lookup", "tags=name", "--key", "name"]
            try await compare(
                [
                    ["import", run.path("Tag.json"), "--entity", "Tag", "--model", model, "--store", "STORE"],
                    ["import", run.path("Shape.json")] + options,
                    ["import", run.path("changed.json"), "--on-conflict", "update"] + options,
                ], "Drawings")
        }

        /// The queries of docs/postgresql.md.
        @Test func theQueriesOfTheDocumentRun() async throws {
            let name = "queries_\(UUID().uuidString.prefix(8))"
            _ = await succeeds(
                "seed", Samples.url("Triage/seed.yaml").path, "--set", "STORE=\(server.url(schema: name))")
            var description = PersistentStoreDescription(.postgresql(server.url(schema: name)))
            description.tracksHistory = true
            let model = try PostgreSQLStores.model(server.url(schema: name))
            try await PersistentContainer(name: "Triage", model: model, descriptions: [description])
                .loadPersistentStores()
            _ = try server.sql("UPDATE \"\(name)\".\"Patient\" SET \"$version\" = 1 + \"$version\" WHERE \"$id\" = 1")
            let document = Samples.url("../docs/postgresql.md")
            let parts = try String(contentsOf: document, encoding: .utf8).components(separatedBy: "```sql\n")
                .dropFirst()
            let queries = parts.compactMap { $0.components(separatedBy: "```").first }
            #expect(queries.count == 11)
            for query in queries {
                let rows = try server.sql("SET search_path = \"\(name)\"; \(query)")
                #expect(!rows.isEmpty || query.contains("NOT EXISTS"), "\(query)")
            }
        }

        @Test func aDryRunAndARefusedImportChangeNothing() async throws {
            let mistakes = Samples.url("Triage/patients-with-mistakes.csv").path
            let refused = await run.run("import", mistakes, "--entity", "Patient", "--model", model, "--store", url)
            #expect(refused.code == 65)
            #expect(refused.messages.contains("was not created"))
            #expect(try !PostgreSQLStores.exists(url))
            _ = await succeeds("store", "create", "--model", model, "--store", url)
            let again = await run.run("import", mistakes, "--entity", "Patient", "--store", url)
            #expect(again.code == 65 && again.messages.contains("is unchanged"))
            try PostgreSQLStores.destroy(url)
            let csv = Samples.url("Triage/responders.csv").path
            _ = await succeeds("import", csv, "--entity", "Responder", "--model", model, "--store", url, "--dry-run")
            #expect(try !PostgreSQLStores.exists(url))
        }

        @Test func subsetsAreTakenFromAndIntoDatabases() async throws {
            let plan = Samples.url("Triage/seed.yaml").path
            _ = await succeeds("seed", plan, "--set", "STORE=\(url)")
            _ = await succeeds("seed", plan, "--set", "STORE=\(run.path("All.sqlite"))")
            let options = ["--from", "Patient WHERE age > 60", "--anonymise", "Patient.name", "--random-seed", "7"]
            let (second, third) = (server.url(), server.url())
            for (source, output) in [
                (url, "@A.sqlite"), (run.path("All.sqlite"), "@B.sqlite"), (url, second),
                (run.path("All.sqlite"), third),
            ] {
                let result = await run.run(["subset", source, "--output", output] + options)
                #expect(result.code == 0, "\(result.messages)")
            }
            for other in ["@B.sqlite", second, third] { _ = await succeeds("store", "diff", "@A.sqlite", other) }
            let again = await run.run(["subset", url, "--output", second, "--force"] + options)
            #expect(again.code == 73 && again.messages.contains("already has a store"), "\(again.messages)")
            let shipped = await run.run(["subset", url, "--output", server.url(), "--ship"] + options)
            #expect(shipped.code == 64)
            // In a plan.
            let (fourth, file) = (server.url(), run.path("P.sqlite"))
            let from = "{store: \"\(url)\", from: Patient WHERE age > 60, anonymise: Patient.name, random-seed: 7}"
            func seed(_ store: String, _ words: String...) async throws -> CommandRun.Result {
                _ = try run.folder.write("store: \"\(store)\"\nsubsets: \(from)\n", to: "p.yaml")
                return await run.run(["seed", "@p.yaml"] + words)
            }
            for store in [fourth, file] { #expect(try await seed(store).code == 0) }
            _ = await succeeds("store", "diff", fourth, file)
            #expect(try await seed(fourth, "--check").code == 0)
            let same = try await seed(url)
            #expect(
                same.code == 64 && same.messages.contains("cannot read the store that it writes"), "\(same.messages)")
        }

        @Test func aPlanIsComparedWithADatabase() async throws {
            let plan = Samples.url("Triage/seed.yaml").path
            let name = "plan_\(UUID().uuidString.prefix(8))"
            let words = ["seed", plan, "--check", "--set", "STORE=\(server.url(schema: name))"]
            let missing = await run.run(words)
            #expect(missing.code == 1 && missing.output.contains("does not exist"))
            _ = await succeeds("seed", plan, "--set", "STORE=\(server.url(schema: name))")
            let equal = await run.run(words)
            #expect(equal.code == 0, "\(equal.output)\(equal.messages)")
            _ = try server.sql("UPDATE \"\(name)\".\"Patient\" SET age = 7 WHERE \"$id\" = 1")
            let changed = await run.run(words)
            #expect(changed.code == 1 && changed.output.contains("age"))
        }

        @Test func theVersionOfAStoreIsFound() async throws {
            _ = await succeeds("store", "create", "--model", model, "--store", url)
            let versions = await succeeds("model", "versions", model, "--store", url)
            #expect(versions.output.contains("Triage"))
            let current = await succeeds("store", "migrate", url, "--model", model)
            #expect(current.messages.contains("already"), "\(current.messages)")
        }

        @Test func noMessageHasThePassword() async throws {
            let secret = "Kw0tqTq7"
            let full = url.replacing("granary@", with: "granary:\(secret)@")
            let none = "postgresql://ann:\(secret)@/x?host=%2Fno%2Fsuch"
            let csv = Samples.url("Triage/responders.csv").path
            _ = try run.folder.write("store: New.sqlite\nsubsets: {store: '${STORE}', from: Nobody}\n", to: "p.yaml")
            _ = try run.folder.write("store: '${STORE}'\nsubsets: {store: '${STORE}', from: Nobody}\n", to: "q.yaml")
            let lines = [
                [
                    "import", csv, "--entity", "Responder", "--model", model, "--store", full, "--report",
                    "@report.json",
                ],
                ["import", csv, "--entity", "Responder", "--store", full], ["import", "@missing.csv", "--store", full],
                ["import", csv, "--entity", "Responder", "--store", none], ["export", none, "--output", "-"],
                ["store", "info", full], ["store", "info", none],
                ["store", "create", "--model", model, "--store", full],
                ["store", "diff", full, none], ["query", full, "Nobody"], ["query", none, "Nobody"],
                ["export", full, "--entity", "Nobody", "--output", "-"], ["model", "show", none],
                ["model", "check", full],
                ["import", full, "--store", "@x.sqlite"], ["export", full], ["store", "info", full, full],
                ["subset", full, "--from", "Patient", "--output", "@y.sqlite"],
                ["export", "@z.sqlite", "--output", full],
                ["generate", "--store", none, "--count", "Patient=1"], ["inspect", full],
                ["export", "--store=\(full)", "--nonsense"], ["seed", "--set", "STORE=\(full)", "--nonsense"],
                ["seed", Samples.url("Triage/seed.yaml").path, "--set", "STORE=\(none)"],
                ["seed", "@p.yaml", "--set", "STORE=\(full)"], ["seed", "@p.yaml", "--set", "STORE=\(none)"],
                ["seed", "@q.yaml", "--set", "STORE=\(full)"],
                ["seed", Samples.url("Triage/seed.yaml").path, "--check", "--set", "STORE=\(full)"],
            ]
            for line in lines {
                let result = await run.run(line)
                #expect(!result.messages.contains(secret), "\(line.prefix(2)): \(result.messages)")
                #expect(!result.output.contains(secret), "\(line.prefix(2))")
            }
            #expect(try !run.text("report.json").contains(secret))
            let ledger = await succeeds("store", "info", full, "--format", "json")
            #expect(!ledger.output.contains(secret))
        }
    }

    @Test func aBuildWithoutTheTraitSaysHowToBuild() async throws {
        guard !PostgreSQLSupport.isIncluded else { return }
        let result = try await CommandRun().run("store", "info", "postgresql://ann:Kw0tqTq7@h/d")
        #expect(result.code == 64)
        #expect(result.messages.contains("--traits PostgreSQL") && !result.messages.contains("Kw0tqTq7"))
    }
}

/// Sequences of commands that give a PostgreSQL store and an SQLite store the same content.
@Suite(.enabled(if: PostgreSQLServer.usable != nil, "skipped: PostgreSQL is not installed"))
struct PostgreSQLCommandLongTests {
    @Test func hierarchiesAreImportedUpdatedAndPrunedAsInSQLite() async throws {
        try await PostgreSQLCommandTests.WithServer().hierarchiesAreImportedUpdatedAndPrunedAsInSQLite()
    }

    @Test func manyToManyLinksAreImportedAsInSQLite() async throws {
        try await PostgreSQLCommandTests.WithServer().manyToManyLinksAreImportedAsInSQLite()
    }
}
