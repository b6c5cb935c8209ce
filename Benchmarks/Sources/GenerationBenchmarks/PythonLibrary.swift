import Foundation
import Measuring

/// A Python library that makes up the columns of employees, and writes them to a CSV file.
struct PythonLibrary {
    let title: String
    let kind: String
    let distribution: String

    /// The most rows that it makes; the time for more is scaled.
    static let mostRows = 100_000

    static let all = [
        PythonLibrary(title: "mimesis", kind: "mimesis", distribution: "mimesis"),
        PythonLibrary(title: "Faker", kind: "faker", distribution: "Faker"),
    ]

    /// - Returns: nil if it is not installed. The times are those for all rows.
    func run(_ employees: Employees) throws -> Measured? {
        guard let python = Measured.find("python3") else { return nil }
        let script = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "generators.py").path
        let count = min(employees.rows, Self.mostRows)
        let command = [python, script, kind, "\(count)", "\(employees.groups)", employees.path("\(kind).csv")]
        guard var measured = try Measured.run(command, output: employees.log) else { return nil }
        let factor = Double(employees.rows) / Double(count)
        measured.seconds *= factor
        measured.cpuSeconds = measured.cpuSeconds.map { $0 * factor }
        return measured
    }

    /// The title, which says what was measured.
    func title(_ employees: Employees) -> String {
        let scale = employees.rows > Self.mostRows ? ", measured with \(Self.mostRows) rows and scaled" : ""
        return "\(title), rows to CSV\(scale)"
    }
}
