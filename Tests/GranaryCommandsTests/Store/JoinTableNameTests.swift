import Foundation
import GranaryModel
import GranarySQLite
import TestSupport
import Testing

/// Core Data's rule for some names of join tables is not known: commands say so once, and `--like` gives the names.
struct JoinTableNameTests {
    private static let model = ManagedObjectModel(entities: [
        EntityDescription(
            "Client",
            [
                .attribute("name", .string), .toMany("trusted", "Client", inverse: "trustedBy"),
                .toMany("trustedBy", "Client", inverse: "trusted"),
            ])
    ])

    private func run() throws -> CommandRun {
        let run = try CommandRun()
        try run.writeModel(Self.model)
        _ = try run.folder.write("name\nAnn\n", to: "clients.csv")
        return run
    }

    private func joinTables(_ run: CommandRun, _ store: String) throws -> [String] {
        let connection = try Connection(path: run.path(store), mode: .readOnly)
        return try connection.schema().filter { $0.type == "table" && $0.name.hasPrefix("Z_1") }.map(\.name)
    }

    /// What Core Data might have made: the other side names the table.
    private func writeOther(_ run: CommandRun) throws {
        let connection = try Connection(path: run.path("Mac.sqlite"), mode: .readWrite)
        try connection.execute(
            """
            DROP TABLE Z_1TRUSTEDBY;
            CREATE TABLE Z_1TRUSTED ( Z_1TRUSTEDBY INTEGER, Z_1TRUSTED INTEGER, PRIMARY KEY (Z_1TRUSTEDBY, Z_1TRUSTED) );
            CREATE INDEX Z_1TRUSTED_Z_1TRUSTED_INDEX ON Z_1TRUSTED (Z_1TRUSTED, Z_1TRUSTEDBY)
            """)
    }

    private static let warning = "warning: Core Data may use other names for the join table Z_1TRUSTEDBY"

    func warnsOnce() async throws {
        let run = try run()
        for words in [
            ["model", "check", "@Model.json"], ["store", "create", "--model", "@Model.json", "--store", "@A.sqlite"],
            ["import", "@clients.csv", "--model", "@Model.json", "--store", "@B.sqlite", "--entity", "Client"],
        ] {
            let result = await run.run(words)
            #expect(result.code == 0)
            #expect(result.lines.count { $0.contains(Self.warning) } == 1, "\(words): \(result.messages)")
        }
        // A store that exists has names of its own.
        let again = await run.run(
            "import", "@clients.csv", "--model", "@Model.json", "--store", "@A.sqlite", "--entity", "Client")
        #expect(again.code == 0 && !again.messages.contains("join table"))
        let checked = await run.run("store", "check", "@B.sqlite")
        #expect(checked.code == 0 && checked.lines.count == 1, "\(checked.messages)")
        #expect(try joinTables(run, "B.sqlite") == ["Z_1TRUSTEDBY"])
    }

    @Test func likeTakesTheNames() async throws {
        let run = try run()
        #expect(await run.run("store", "create", "--model", "@Model.json", "--store", "@Mac.sqlite").code == 0)
        try writeOther(run)
        let made = await run.run(
            "store", "create", "--model", "@Model.json", "--store", "@New.sqlite", "--like", "@Mac.sqlite")
        #expect(made.code == 0 && made.messages.isEmpty, "\(made.messages)")
        #expect(try joinTables(run, "New.sqlite") == ["Z_1TRUSTED"])
        let indexes = try Connection(path: run.path("New.sqlite"), mode: .readOnly).schema().filter {
            $0.type == "index"
        }
        #expect(indexes.map(\.name).contains("Z_1TRUSTED_Z_1TRUSTED_INDEX"))
        let checked = await run.run("store", "check", "@New.sqlite")
        #expect(checked.code == 0 && checked.lines.count == 1, "\(checked.messages)")
        _ = try run.folder.write(
            """
            model: Model.json
            store: Seeded.sqlite
            like: Mac.sqlite
            imports:
              - {entity: Client, file: clients.csv}
            """, to: "seed.yaml")
        // The second run finds the store.
        for count in [1, 2] {
            let seeded = await run.run("seed", "@seed.yaml")
            #expect(seeded.code == 0 && !seeded.messages.contains("join table"), "\(count): \(seeded.messages)")
        }
        #expect(try joinTables(run, "Seeded.sqlite") == ["Z_1TRUSTED"])
    }

    @Test func likeIsOfTheModel() async throws {
        let run = try run()
        var other = Self.model
        other.entities[0].attributes[0].isOptional = false
        try run.writeModel(other, to: "Other.json")
        #expect(await run.run("store", "create", "--model", "@Other.json", "--store", "@Mac.sqlite").code == 0)
        let words = ["store", "create", "--model", "@Model.json", "--store", "@New.sqlite", "--like"]
        let refused = await run.run(words + ["@Mac.sqlite"])
        #expect(refused.code == 65 && refused.messages.contains("Mac.sqlite: the model does not fit"))
        #expect(await run.run(words + ["@nix.sqlite"]).code == 66)
        #expect(!run.exists("New.sqlite"))
    }

    /// Two tables with a column for the keys of Target: an existing store may have the digit in either.
    func digitOnTheOtherTable() async throws {
        let model = ManagedObjectModel(entities: [
            EntityDescription(
                "A", [.attribute("name", .string), .toMany("targets", "Target", inverse: "as")], unique: [["name"]]),
            EntityDescription(
                "B", [.attribute("name", .string), .toMany("targets", "Target", inverse: "bs")], unique: [["name"]]),
            EntityDescription(
                "Target",
                [
                    .attribute("name", .string), .toMany("as", "A", inverse: "targets"),
                    .toMany("bs", "B", inverse: "targets"),
                ], unique: [["name"]]),
        ])
        let run = try CommandRun()
        try run.writeModel(model)
        #expect(await run.run("store", "create", "--model", "@Model.json", "--store", "@Mac.sqlite").code == 0)
        func columns(_ store: String) throws -> [[String]] {
            let connection = try Connection(path: run.path(store), mode: .readOnly)
            return try ["Z_1TARGETS", "Z_2TARGETS"].map { table in
                try connection.schema().filter { $0.name == table }.flatMap { object in
                    ["Z_3TARGETS1", "Z_3TARGETS"].filter { (object.sql ?? "").contains($0 + " ") }
                }
            }
        }
        #expect(try columns("Mac.sqlite") == [["Z_3TARGETS"], ["Z_3TARGETS1"]])
        do {
            let connection = try Connection(path: run.path("Mac.sqlite"), mode: .readWrite)
            try connection.execute(
                """
                ALTER TABLE Z_1TARGETS RENAME COLUMN Z_3TARGETS TO Z_3TARGETS1;
                ALTER TABLE Z_2TARGETS RENAME COLUMN Z_3TARGETS1 TO Z_3TARGETS
                """)
        }
        let made = await run.run(
            "store", "create", "--model", "@Model.json", "--store", "@New.sqlite", "--like", "@Mac.sqlite")
        #expect(made.code == 0 && made.messages.isEmpty, "\(made.messages)")
        #expect(try columns("New.sqlite") == [["Z_3TARGETS1"], ["Z_3TARGETS"]])
        _ = try run.folder.write("name\nt\n", to: "targets.csv")
        _ = try run.folder.write("name,targets\na,t\n", to: "as.csv")
        _ = try run.folder.write("name\nb\n", to: "bs.csv")
        for (entity, file) in [("Target", "@targets.csv"), ("A", "@as.csv"), ("B", "@bs.csv")] {
            let result = await run.run(
                "import", file, "--model", "@Model.json", "--store", "@New.sqlite", "--entity", entity)
            #expect(result.code == 0, "\(result.messages)")
        }
        // Core Data gives the digit to the other table
        // (docs/core-data/sqlite-layout.md#digits-in-names-of-join-table-columns).
        let checked = await run.run("store", "check", "@New.sqlite")
        #expect(checked.code == 0 && checked.lines.count { $0.contains("Core Data would look for") } == 2)
        #expect(checked.lines.count == 3, "\(checked.messages)")
        // The pair is the same after a round trip.
        let exported = await run.run("export", "--store", "@New.sqlite", "--output", "@out.json")
        let text = try String(contentsOf: run.folder.url.appending(path: "out.json"), encoding: .utf8)
        #expect(exported.code == 0 && text.contains(#""name":"a","targets":["t"]"#), "\(text)")
        #expect(text.contains(#""name":"b","targets":[]"#), "\(text)")
    }

    @Test(
        "An import accepts a required to-many without objects, unless a minimum count asks for one", arguments: [0, 1])
    func emptyRequiredToMany(_ minimum: Int) async throws {
        var model = ManagedObjectModel(entities: [
            EntityDescription(
                "Ward", [.attribute("name", .string), .toMany("beds", "Bed", inverse: "ward", .required)]),
            EntityDescription("Bed", [.toOne("ward", "Ward", inverse: "beds")]),
        ])
        model.entities[0].relationships[0].minCount = minimum
        let run = try CommandRun()
        try run.writeModel(model)
        _ = try run.folder.write("name\nNorth\n", to: "wards.csv")
        let result = await run.run(
            "import", "@wards.csv", "--model", "@Model.json", "--store", "@S.sqlite", "--entity", "Ward")
        #expect((result.code == 0) == (minimum == 0), "\(result.messages)")
        #expect(result.messages.contains("Ward.beds") == (minimum == 1), "\(result.messages)")
    }
}
