import Foundation
import Measuring

/// The imports that are measured, each the best of three, and sqlite3's own.
struct Course {
    let binary: String
    let items: Items
    private let base: String
    /// Only one at a time lies on the disk.
    private let store: String

    /// Makes the model, the files, and a store that has what the items refer to.
    init(binary: String, items: Items) throws {
        self.binary = binary
        self.items = items
        base = items.path("base.sqlite")
        store = items.path("items.sqlite")
        try items.writeModel()
        try items.writeTables()
        let bytes = try items.writeItems(to: "good.csv")
        _ = try items.writeItems(to: "bad.csv", badEvery: 10)
        print("\(items.count) rows, 10 columns, 2 of them relationships, \(bytes / 1_000_000) MB")
        _ = try Measured.run([
            binary, "import", items.path("Category.csv"), items.path("Supplier.csv"), "--model", items.model, "--store",
            base, "--quiet",
        ])
    }

    func run() throws -> [String] {
        let good = try Measured.best(of: 3) { _ in
            try reset()
            return try measure("good.csv")
        }
        // The store has them all now.
        let again = try Measured.best(of: 3) { _ in try measure("good.csv", ["--on-conflict", "update"]) }
        let bad = try Measured.best(of: 3) { _ in
            try reset()
            return try measure(
                "bad.csv", ["--mode", "keep-good", "--rejects", items.path("rejects.csv")],
                expecting: items.count < 10 ? 0 : 1)
        }
        try FileManager.default.removeItem(atPath: store)
        let rival = try load([])
        let keyed = try load(["CREATE TABLE items (code TEXT UNIQUE, a, b, c, d, e, f, g, h, i)"])
        var lines = [
            line("granary import", good, rival), line("10 % bad rows, rejects", bad, rival),
            line("the same rows again, update", again, rival),
        ]
        if let rival, let keyed {
            lines += [line("sqlite3 .import", rival, nil), line("sqlite3 .import, unique key", keyed, rival)]
        } else {
            lines.append("sqlite3 .import  not measured: there is no sqlite3 shell")
        }
        return lines
    }

    private func reset() throws {
        if FileManager.default.fileExists(atPath: store) { try FileManager.default.removeItem(atPath: store) }
        try FileManager.default.copyItem(atPath: base, toPath: store)
    }

    private func measure(_ file: String, _ options: [String] = [], expecting status: Int32 = 0) throws -> Measured {
        let arguments = [
            binary, "import", items.path(file), "--model", items.model, "--store", store, "--entity", "Item", "--quiet",
            "--max-diagnostics", "0",
        ]
        return try Measured.run(arguments + options, expecting: status)
    }

    /// sqlite3's import of the good file into a new file; nil without a shell.
    ///
    /// - Parameter commands: what is done first. A table that is there takes the header for a row, which does no harm.
    private func load(_ commands: [String]) throws -> Measured? {
        guard let shell = Measured.find("sqlite3") else { return nil }
        let database = items.path("rival.sqlite")
        let script = (commands + [".mode csv"]).flatMap { ["-cmd", $0] }
        return try Measured.best(of: 3) { _ in
            if FileManager.default.fileExists(atPath: database) {
                try FileManager.default.removeItem(atPath: database)
            }
            return try Measured.run([shell, database] + script + [".import \(items.path("good.csv")) items"])
        }
    }

    private func line(_ title: String, _ measured: Measured, _ rival: Measured?) -> String {
        let rate = Int(Double(items.count) / measured.seconds)
        let ratio = rival.map { "   ratio \(measured.ratio(to: $0))" } ?? ""
        return title.padding(toLength: 28, withPad: " ", startingAt: 0) + "\(measured), \(rate) rows/s" + ratio
    }
}
