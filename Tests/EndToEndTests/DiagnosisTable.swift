import Foundation
import TestSupport

/// Generated rows of the Triage sample's Diagnosis, which refer to each other.
enum DiagnosisTable {
    /// How many rows each of the two tables has: an import takes about a tenth of a second.
    static let rowCount = 3_000
    static let model = Samples.url("Triage/Triage.xcdatamodeld").path

    /// The even codes, or the odd ones, which come between them in every index.
    ///
    /// Most rows have the row below as their parent, which the importer sets at the end. Every tenth of the odd ones
    /// has an even one.
    static func csv(isOdd: Bool) -> String {
        var text = "code,parent\n"
        for index in 0..<rowCount {
            let number = 2 * index + (isOdd ? 1 : 0)
            var parent = ""
            if index % 10 < 9 {
                parent = index + 1 < rowCount ? code(number + 2) : ""
            } else if isOdd {
                parent = code(number - 1)
            }
            text += "\(code(number)),\(parent)\n"
        }
        return text
    }

    private static func code(_ number: Int) -> String { "D\(100_000 + number)" }

    static func importArguments(_ file: String, into store: String) -> [String] {
        // A constant makes the pages many without making the file long.
        let title = String(repeating: "t", count: 500)
        return [
            "import", file, "--model", model, "--store", store, "--entity", "Diagnosis", "--lookup", "parent=code",
            "--constant", "title=\(title)",
        ]
    }

    static func exportArguments(_ store: String) -> [String] {
        ["export", "--store", store, "--model", model, "--format", "json", "--output", "-"]
    }
}
