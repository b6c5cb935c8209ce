import Foundation
import GranaryBase
import GranaryCoreDataStore
import GranaryModel
import GranarySQLite
import TestSupport
import Testing

/// Tables that were made by hand, whose `Z_PK` is not the rowid.
@Suite struct DamagedKeyTests {
    private let run: CommandRun

    init() throws { run = try CommandRun() }

    /// `Seed.sqlite` with a table of patients made by hand, whose rows are as the query changes them.
    private func writeStore(_ change: String) throws {
        try run.writeStore()
        try run.execute(
            "CREATE TABLE t AS SELECT * FROM ZPATIENT; DROP TABLE ZPATIENT; ALTER TABLE t RENAME TO ZPATIENT; \(change)"
        )
    }

    static let changes = [
        ("UPDATE ZPATIENT SET Z_PK = NULL", "ZPATIENT: 2 rows have no primary key: Z_PK is NULL"),
        ("UPDATE ZPATIENT SET Z_PK = NULL WHERE Z_PK = 2", "ZPATIENT: 1 row has no primary key: Z_PK is NULL"),
        ("UPDATE ZPATIENT SET Z_PK = 7", "ZPATIENT: 2 rows have the primary key (Z_PK) 7"),
        ("UPDATE ZPATIENT SET Z_PK = x'31' WHERE Z_PK = 1", "a primary key (Z_PK) that is not an integer"),
    ]

    static let commands = [
        ["export", "--store", "@Seed.sqlite", "--output", "@o.json"], ["query", "@Seed.sqlite", "Patient"],
        ["query", "@Seed.sqlite", "Patient", "--count"], ["store", "info", "@Seed.sqlite"],
        ["store", "check", "@Seed.sqlite"],
        ["subset", "--store", "@Seed.sqlite", "--from", "Patient", "--output", "@P"],
        ["store", "diff", "@Seed.sqlite", "@Copy.sqlite"],
    ]

    @Test(arguments: changes.prefix(1), [false])
    func `Each command names the table and the number of rows`(
        _ change: (sql: String, message: String), _ givesModel: Bool
    ) async throws {
        try writeStore(change.sql)
        try FileManager.default.copyItem(atPath: run.path("Seed.sqlite"), toPath: run.path("Copy.sqlite"))
        for words in Self.commands {
            let result = await run.run(words + (givesModel ? ["--model", "@Model.json"] : []))
            let text = result.output + result.messages
            #expect(text.contains(change.message), "\(words): \(text)")
            #expect(result.code == (words[1] == "info" ? 0 : words[1] == "check" ? 1 : 65), "\(words): \(text)")
            #expect(!text.contains("p0"), "\(words): \(text)")
        }
        #expect(!run.exists("o.json") && !run.exists("P"))
    }

    @Test func `A container does not open such a store`() throws {
        try writeStore(Self.changes[0].0)
        let error = #expect(throws: GranaryError.self) {
            try SQLiteStore.open(
                path: run.path("Seed.sqlite"), schema: try CommandRun.model.resolved(), readOnly: true)
        }
        #expect(error?.diagnostics.map(\.code) == [.storeCorrupt])
    }

    /// A table with columns without types that holds texts.
    @Test func `Messages name what is in the table`() async throws {
        try run.writeModel(
            ManagedObjectModel(entities: [EntityDescription("L", [.attribute("a", .string), .attribute("b", .string)])])
        )
        #expect(await run.run("store", "create", "--model", "@Model.json", "--store", "@Seed.sqlite").code == 0)
        try run.execute(
            """
            DROP TABLE ZL; CREATE TABLE ZL (ZA, Z_PK, Z_ENT, Z_OPT);
            INSERT INTO ZL VALUES ('x', '9', '1', '1'), ('y', '57', '1', '1')
            """)
        let info = await run.run("store", "info", "@Seed.sqlite")
        #expect(info.output.contains(#"ZL has 2 rows whose Z_ENT is text "1" instead of an integer"#), "\(info.output)")
        #expect(info.output.contains("the largest key 57"), "\(info.output)")
        #expect(!info.output.contains("which is not an entity of this table"), "\(info.output)")
        let check = await run.run("store", "check", "@Seed.sqlite")
        let text = check.output + check.messages
        #expect(text.contains("ZL.ZA is declared without a type, not VARCHAR"), "\(text)")
        #expect(text.contains("ZL: 2 rows have a primary key (Z_PK) that is not an integer but text"), "\(text)")
        #expect(!text.contains("export the store"), "\(text)")
        #expect(await run.run("export", "--store", "@Seed.sqlite", "--output", "@o.json").code == 65)
    }
}
