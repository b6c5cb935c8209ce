import Foundation
import Granary

/// Makes the store: the same people on every machine, in a file that Granary imports.
enum PeopleStore {
    /// How many lines are written at once.
    private static let chunk = 10_000

    static func make(at path: String, count: Int) async throws {
        let csv = URL(filePath: path + ".csv")
        try write(count, to: csv)
        defer { try? FileManager.default.removeItem(at: csv) }
        var options = ImportOptions()
        options.dateFormats = [.seconds]
        var run = ImportRunOptions()
        run.keepsLedger = false
        let report = try await Importer(entity: "Person", from: .file(csv), options: options, run: run)
            .run(into: URL(filePath: path), model: PeopleModel.model)
        guard report.created == count else {
            throw BenchmarkError(message: "\(report.created) people were imported, not \(count)")
        }
    }

    private static func write(_ count: Int, to url: URL) throws {
        try Data((PeopleModel.attributes.joined(separator: ",") + "\n").utf8).write(to: url)
        let file = try FileHandle(forWritingTo: url)
        defer { try? file.close() }
        try file.seekToEnd()
        var state: UInt64 = 42
        var text = ""
        for index in 0..<count {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            text += line(index, Int(truncatingIfNeeded: state >> 33))
            if (index + 1).isMultiple(of: chunk) || index + 1 == count {
                try file.write(contentsOf: Data(text.utf8))
                text = ""
            }
        }
    }

    /// - Parameter value: a pseudo-random number from 0 to 2^31 - 1.
    private static func line(_ index: Int, _ value: Int) -> String {
        let salary = Double(20_000 + value % 7_000_000) / 100
        let hired = Double(value % 600_000_000) + 0.25
        let name = "Name of person \(value % 99_991)"
        let email = "person.\(index)@mail\(value % 97).example"
        return "\(name),\(value % 100),\(salary),\(email),City of \(value % 977),\(hired),\(value % 3 != 0),"
            + "\(value / 100 % 100)\n"
    }
}
