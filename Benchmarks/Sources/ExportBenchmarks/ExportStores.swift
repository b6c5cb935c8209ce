import Fixtures
import Foundation
import Measuring

/// The stores that are exported: the rows of the import benchmarks, without faults.
enum ExportStores {
    static let rowStore = "rows.sqlite"
    static let itemStore = "items.sqlite"
    static let rowFile = "rows.csv"

    /// Makes the stores in another process of this program. Linux counts the peak of this one as that of the commands that it
    /// starts, so it must stay small.
    static func makeInAnotherProcess(folder: URL, rows: Int) throws {
        guard let program = Bundle.main.executablePath else {
            throw BenchmarkFailure("the program does not know where it is")
        }
        _ = try Measured.run(
            [program, "make", folder.path, "\(rows)"], output: folder.appending(path: "make.txt").path)
    }

    /// Does what ``makeInAnotherProcess(folder:rows:)`` asks for.
    ///
    /// - Returns: false if the arguments ask for something else.
    static func serve(_ arguments: [String], binary: String) throws -> Bool {
        guard arguments.count == 3, arguments[0] == "make", let rows = Int(arguments[2]) else { return false }
        let fixture = Fixture(folder: URL(filePath: arguments[1]), rows: rows)
        try fixture.writeModel()
        try fixture.writeTables()
        let plain = try fixture.write(.plain, to: rowFile, isFaulty: false)
        let keyed = try fixture.write(.keyed, to: "Item.csv", isFaulty: false)
        let imports: [[String]] = [
            [plain.path, "--entity", "Row", "--store", fixture.path(rowStore)],
            [
                fixture.path("Category.csv"), fixture.path("Supplier.csv"), keyed.path, "--store",
                fixture.path(itemStore),
            ],
        ]
        for options in imports {
            _ = try Measured.run(
                [binary, "import"] + options + ["--model", fixture.model, "--quiet"], output: fixture.path("import.txt")
            )
        }
        return true
    }
}
