import CFloor
import Foundation
import Measuring

/// `granary store migrate` to a model with one attribute more, beside SQL that copies the tables into an empty store of that
/// model: `INSERT INTO new SELECT`.
struct MigrationSuite {
    let employees: Employees

    static var isSelected: Bool { Selection.includes("granary store migrate") }

    /// What a migration may take, compared with SQL.
    private static let aim = 1.5

    static func makeTable() -> MarkdownTable {
        print("\nAim of the migrations: \(aim) times the time of SQL")
        return MarkdownTable([
            "granary store migrate", "objects", "seconds", "user+sys", "peak MB", "SQL, seconds", "ratio",
        ])
    }

    func run(_ table: MarkdownTable) throws {
        let store = try employees.newStore("whole")
        _ = try employees.generate(store)
        let newer = employees.path("Newer.xcdatamodel")
        try employees.writeModel(
            newer, added: "<attribute name=\"nickname\" optional=\"YES\" attributeType=\"String\"/>")
        var (found, rival): ([Measured], [Measured]) = ([], [])
        for _ in 0..<Selection.runs {
            let output = try employees.newStore("migrated")
            found.append(
                try employees.granary(["store", "migrate", store, "--model", newer, "--output", output, "--quiet"]))
            rival.append(try copy(store, newer))
        }
        let (granary, sql) = (Measured.median(found), Measured.median(rival))
        table.add(
            ["one attribute more", "\(employees.objects)"] + granary.cells + [
                String(format: "%.3f", sql.seconds), granary.ratio(to: sql),
            ])
    }

    private func copy(_ store: String, _ model: String) throws -> Measured {
        let output = try employees.newStore("copied")
        _ = try employees.granary(["store", "create", "--model", model, "--store", output])
        let group = "Z_PK, Z_ENT, Z_OPT, ZCODE"
        let own =
            "Z_PK, Z_ENT, Z_OPT, ZCODE, ZNAME, ZEMAIL, ZPHONE, ZCITY, ZLEVEL, ZSALARY, ZBIRTHDAY, ZDEPARTMENT, ZOFFICE"
        let sql = """
            PRAGMA synchronous = OFF; PRAGMA journal_mode = MEMORY; ATTACH '\(store)' AS old; BEGIN;
            INSERT INTO ZDEPARTMENT (\(group), ZTITLE) SELECT \(group), ZTITLE FROM old.ZDEPARTMENT;
            INSERT INTO ZOFFICE (\(group), ZCITY) SELECT \(group), ZCITY FROM old.ZOFFICE;
            INSERT INTO ZEMPLOYEE (\(own)) SELECT \(own) FROM old.ZEMPLOYEE;
            COMMIT
            """
        var changes = 0
        let measured = Measured.time { changes = floor_execute(output, sql) }
        guard changes == employees.rows else { throw BenchmarkFailure("SQL copied \(changes) employees") }
        return measured
    }
}
