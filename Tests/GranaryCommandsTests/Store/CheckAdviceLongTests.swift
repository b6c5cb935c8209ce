import Foundation
import GranaryBase
import GranaryInspection
import GranaryModel
import StoreTestSupport
import TestSupport
import Testing

/// The advice of `store check` works for the store that it is given for.
@Suite struct CheckAdviceLongTests {
    /// A store without an index, which an export mends, and with a value.
    private static func without(_ assignment: String) -> LibraryDamage {
        LibraryDamage(
            "DROP INDEX ZBOOK_ZAUTHOR_INDEX; UPDATE ZBOOK SET \(assignment) WHERE Z_PK = 1", .storeLayout, "ZBOOK", nil)
    }

    /// Damages that the table of the checks does not have: each makes an export refuse the store, or only seems to.
    static let more: [LibraryDamage] = [
        without("ZPAGES = 'x'"),
        without("ZPAGES = 0"),
        without("ZTITLE = x'41'"),
        without("ZTITLE = NULL"),
        LibraryDamage("UPDATE ZTAG SET Z_OPT = -5 WHERE Z_PK = 2", .storeCorrupt, "ZTAG", 2),
        LibraryDamage("UPDATE ZTAG SET Z_OPT = 9223372036854775807 WHERE Z_PK = 2", .storeCorrupt, "ZTAG", 2),
        LibraryDamage(
            "DROP INDEX Z_Book_UNIQUE_isbn; UPDATE ZBOOK SET ZISBN = 'a'", .storeLayout, "ZBOOK", nil),
        LibraryDamage(
            "DROP INDEX ZBOOK_ZAUTHOR_INDEX; UPDATE ZBOOK SET ZCOVER = CAST(char(2) || "
                + "'619F5BBC-799D-44E4-8B9F-49AC950CD416' || char(0) AS BLOB) WHERE Z_PK = 1", .storeLayout, "ZBOOK",
            nil),
        LibraryDamage(
            "CREATE TABLE t AS SELECT * FROM ZTAG; DROP TABLE ZTAG; ALTER TABLE t RENAME TO ZTAG", .storeLayout, "ZTAG",
            nil),
        LibraryDamage(
            "CREATE TABLE t AS SELECT * FROM ZTAG; DROP TABLE ZTAG; ALTER TABLE t RENAME TO ZTAG; "
                + "UPDATE ZTAG SET Z_PK = NULL", .storeLayout, "ZTAG", nil),
        LibraryDamage("DELETE FROM ZBOOK WHERE Z_PK = 1", .relationshipNotFound, "Z_3TAGS", 1),
        LibraryDamage("DELETE FROM ZAUTHOR", .relationshipNotFound, "ZBOOK", 1),
    ]

    /// Follows the advice to export the store and import the export, and checks that the finding is gone.
    @Test(arguments: LibraryDamage.all + more)
    func `Who follows the advice gets a store without the finding`(_ damage: LibraryDamage) async throws {
        let library = try CheckedLibrary()
        try library.execute(damage.sql)
        let run = try CommandRun()
        try run.writeModel(CheckedLibrary.model)
        let findings = try library.check().findings
        let advised = findings.filter { $0.advice?.contains("export") == true }
        guard !advised.isEmpty else { return }
        #expect(Set(advised.map(\.advice)).count == 1, "\(advised)")
        #expect(advised.allSatisfy { $0.advice?.contains("--as-is") == true })
        let out = await run.run(
            "export", "--store", library.folder.storePath, "--model", "@Model.json", "--output", "@e.json",
            "--reference",
            "id")
        #expect(out.code == 0, "\(out.messages)")
        let made = await run.run("import", "@e.json", "--model", "@Model.json", "--store", "@New.sqlite", "--as-is")
        #expect(made.code == 0, "\(made.messages)")
        let again = await run.run("store", "check", "@New.sqlite", "--model", "@Model.json", "--format", "json")
        for finding in advised {
            #expect(!again.output.contains(finding.diagnostic.message), "\(finding): \(again.output)")
        }
    }

    @Test func `An export is advised only if it works`() throws {
        var advised = 0
        for damage in LibraryDamage.all + Self.more {
            let library = try CheckedLibrary()
            try library.execute(damage.sql)
            if try library.check().findings.contains(where: { $0.advice?.contains("export") == true }) { advised += 1 }
        }
        // The advice is not dropped altogether.
        #expect(advised > 15)
    }
}
