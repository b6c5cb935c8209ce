import Foundation

/// The sizes that are measured, each in a new folder, which is removed afterwards.
struct EachSize {
    let binary: String
    /// The numbers of employees.
    let sizes: [Int]

    func run(_ body: (Employees) throws -> Void) throws {
        for rows in sizes {
            let folder = FileManager.default.temporaryDirectory.appending(path: "granary-bench-\(UUID().uuidString)")
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
            defer { try? FileManager.default.removeItem(at: folder) }
            let employees = Employees(binary: binary, folder: folder, rows: rows)
            try employees.writeModel()
            try body(employees)
        }
    }
}
