import Foundation
import GranarySQLite
import TestSupport
import Testing

/// Tables and queries of SQLite databases, from the command line and in plans.
struct ImportDatabaseTests {
    private let run: CommandRun

    init() throws {
        run = try CommandRun()
        try run.writeModel()
        let connection = try Connection(path: run.path("app.db"), mode: .create)
        try connection.execute(
            """
            CREATE TABLE injury (key INTEGER PRIMARY KEY, name TEXT);
            INSERT INTO injury VALUES (0, 'Burn'), (1, 'Cut');
            CREATE TABLE people (id INTEGER PRIMARY KEY, name TEXT, age, hurt INTEGER REFERENCES injury);
            INSERT INTO people VALUES (7, 'Ann', 44, 1), (8, '', NULL, NULL), (9, 'Bo', 300, 0), (10, 'Cy', 'x', 0);
            """)
        try connection.close()
    }

    private func importing(_ words: String...) async -> CommandRun.Result {
        await run.run(["import", "@app.db", "--model", "@Model.json", "--store", "@S.sqlite"] + words)
    }

    @Test func tablesAndQueries() async throws {
        let before = try Data(contentsOf: URL(filePath: run.path("app.db")))
        let injuries = await importing("--table", "INJURY")
        #expect(injuries.code == 0, "\(injuries.messages)")
        let refused = await importing(
            "--table", "people", "--entity", "Patient", "--ignore", "id", "--map", "hurt=injury", "--lookup",
            "injury=key")
        #expect(refused.code == 65)
        #expect(
            refused.messages.contains("app.db:3:3: error: Patient.age: ")
                && refused.messages.contains("app.db:4:3: error: Patient.age: "), "\(refused.messages)")
        let people = await importing(
            "--entity", "Patient", "--sql",
            "SELECT p.name, age, i.name AS injury FROM people p LEFT JOIN injury i ON i.key = hurt WHERE id < 9")
        #expect(people.code == 0, "\(people.messages)")
        #expect(try run.csv("S.sqlite", "Injury", "key,name") == "key,name\n0,Burn\n1,Cut\n")
        #expect(
            try run.csv("S.sqlite", "Patient", "name,age,injury") == "name,age,injury\nAnn,44,Cut\n\"\",,\n")
        #expect(try Data(contentsOf: URL(filePath: run.path("app.db"))) == before)
        #expect(try run.names == ["Model.json", "S.sqlite", "app.db"])
    }

    @Test func rejectsAreJSONLines() async throws {
        let options = ["--entity", "Patient", "--ignore", "id", "--ignore", "hurt"]
        let result = await run.run(
            ["import", "@app.db", "--table", "people", "--model", "@Model.json", "--store", "@S.sqlite"] + options
                + ["--mode", "keep-good", "--rejects", "@bad.ndjson"])
        #expect(result.code == 1, "\(result.messages)")
        #expect(
            try run.text("bad.ndjson") == """
                {"id":9,"name":"Bo","age":300,"hurt":0}
                {"id":10,"name":"Cy","age":"x","hurt":0}

                """)
        let mended = try run.text("bad.ndjson").replacing("300", with: "30").replacing("\"x\"", with: "31")
        _ = try run.folder.write(mended, to: "good.ndjson")
        let again = await run.run(["import", "@good.ndjson", "--store", "@S.sqlite"] + options)
        #expect(again.ledger == "read 2 = created 2 + updated 0 + unchanged 0 + skipped 0 + rejected 0")
    }

    @Test func aLogAndAnOpenTransactionAreLeftAlone() async throws {
        let writer = try Connection(path: run.path("app.db"), mode: .readWrite)
        try writer.execute("PRAGMA journal_mode = WAL; INSERT INTO injury VALUES (2, 'Fall')")
        try writer.execute("BEGIN IMMEDIATE; INSERT INTO injury VALUES (3, 'Bite')")
        let result = await importing("--table", "injury")
        #expect(result.ledger.hasPrefix("read 3 = created 3"), "\(result.messages)")
        try writer.execute("COMMIT")
        try writer.close()
        let later = await importing("--table", "injury", "--on-conflict", "update")
        #expect(later.ledger.hasPrefix("read 4 = created 1"), "\(later.messages)")
        #expect(try run.names.filter { $0.hasPrefix("app.db") } == ["app.db"])
    }

    @Test func plans() async throws {
        func seed(_ lines: String) async throws -> CommandRun.Result {
            _ = try run.folder.write("model: Model.json\nstore: P.sqlite\nimports:\n" + lines + "\n", to: "p.yaml")
            return await run.run("seed", "@p.yaml")
        }
        let good = try await seed(
            """
              - {file: app.db, sql: "SELECT name, hurt FROM people", entity: Patient, map: {hurt: injury}, lookup: {injury: key}}
              - {file: app.db, table: injury}
            """)
        #expect(good.code == 0, "\(good.messages)")
        #expect(good.ledger == "read 6 = created 6 + updated 0 + unchanged 0 + skipped 0 + rejected 0")
        let wrong = try await seed(
            """
              - {file: app.db, sql: SELECT 1}
              - {file: '-', table: injury}
              - {file: app.db}
              - {rows: [{name: x}], table: injury, entity: Injury}
              - {file: app.db, table: injury, sql: SELECT 1, entity: Injury}
              - {file: app.db, table: injury, skip-rows: 3}
            """)
        #expect(wrong.code == 65)
        for text in [
            "entity is missing", "an SQLite database cannot be read from standard input",
            "is an SQLite database; set the key table (injury, people) or sql", "table: applies only to files",
            "sql: cannot be combined with table", "skip-rows: is not for SQLite databases",
        ] {
            #expect(wrong.messages.contains(text), "\(text)\n\(wrong.messages)")
        }
        let unknown = try await seed("  - {file: app.db, table: people}")
        #expect(unknown.code == 65 && unknown.messages.contains("the model has no entity \"people\""))
    }

    @Test func wrongUse() async throws {
        for (words, message) in [
            ([], "app.db is an SQLite database; pass --table (injury, people) or --sql."),
            (["--sql", "SELECT 1"], "which entity are these rows? Add --entity NAME."),
            (["--table", "a", "--sql", "SELECT 1", "--entity", "Injury"], "--sql: cannot be combined with table."),
            (["--table", ""], "--table: is empty."), (["--table", "people"], "The model has no entity \"people\""),
            (["--table", "peopel", "--entity", "Patient"], "did you mean \"people\"?"),
            (["--table", "people", "--entity", "Patient", "--delimiter", ";"], "--delimiter: is not for SQLite"),
            (["--table", "people", "--entity", "Patient", "--format", "csv"], "--format: is not for SQLite"),
            (["--sql", "DROP TABLE people", "--entity", "Patient"], "only one query that reads is allowed"),
        ] {
            let result = await run.run(["import", "@app.db", "--model", "@Model.json", "--store", "@S.sqlite"] + words)
            #expect(result.code == 64 && result.messages.contains(message), "\(words) \(result.messages)")
        }
        #expect(!run.exists("S.sqlite"))
        let standardInput = await run.run(
            "import", "-", "--table", "a", "--model", "@Model.json", "--store", "@S.sqlite", "--entity", "Injury")
        #expect(standardInput.code == 64)
        let text = try await run.importing("name\n", as: "in.csv", entity: "Injury", ["--table", "a"])
        #expect(text.code == 65 && text.messages.contains("is not an SQLite database"), "\(text.messages)")
    }

    @Test func aStoreIsReadButNotIntoItself() async throws {
        #expect(await importing("--table", "injury").code == 0)
        let words = ["--sql", "SELECT ZKEY + 2 AS key, ZNAME || '2' AS name FROM ZINJURY", "--entity", "Injury"]
        let own = await run.run(["import", "@S.sqlite", "--store", "@S.sqlite"] + words)
        #expect(own.code == 64 && own.messages.contains("a run cannot read the store that it writes"))
        let other = await run.run(
            ["import", "@S.sqlite", "--store", "@T.sqlite", "--model", "@Model.json"] + words)
        #expect(other.code == 0, "\(other.messages)")
        #expect(try run.csv("T.sqlite", "Injury", "key,name") == "key,name\n2,Burn2\n3,Cut2\n")
    }
}
