import Foundation
import Measuring

/// A program that does a task.
struct Contestant {
    let title: String
    /// How to install it.
    var remedy = ""
    /// The file that it writes; nil if it writes none.
    let output: String?
    /// Nil if it is not installed.
    let run: () throws -> Measured?
}

extension Contestant {
    /// Granary's own command.
    static func granary(_ task: ExportTask, binary: String, in folder: Workplace) -> Contestant {
        let output = folder.path("granary.\(task.format)")
        let command =
            [
                binary, "export", "--store", folder.path(task.store), "--entity", task.entity, "--columns",
                task.columns.map(\.property).joined(separator: ","), "--format", task.format, "--output", output,
            ] + task.options
        return Contestant(title: "granary", output: output) { try Measured.run(command, output: folder.log) }
    }

    /// The shell of SQLite; it writes an array for JSON Lines.
    static func shell(_ title: String, _ sql: String, _ task: ExportTask, in folder: Workplace) -> Contestant {
        let isText = task.format == "csv"
        let output = folder.path("shell.\(task.format)")
        return Contestant(title: title, remedy: "install sqlite3", output: output) {
            guard let shell = Measured.find("sqlite3") else { return nil }
            let mode = isText ? ["-csv", "-header"] : ["-json"]
            return try Measured.run([shell] + mode + [folder.path(task.store), sql], output: output)
        }
    }

    /// A program in Python: a library, and what it reads.
    static func python(
        _ title: String, _ kind: String, package: String, from database: String, _ sql: String, _ task: ExportTask,
        in folder: Workplace
    ) -> Contestant {
        let output = folder.path("\(kind).\(task.format)")
        return Contestant(title: title, remedy: "pip install \(package)", output: output) {
            guard let python = Measured.find("python3") else { return nil }
            let script = Workplace.script("rivals.py")
            return try Measured.run(
                [python, script, kind, task.format, folder.path(database), output, sql], output: folder.log)
        }
    }
}

/// The folder of a run.
struct Workplace {
    let folder: URL

    func path(_ name: String) -> String { folder.appending(path: name).path }

    /// What commands print.
    var log: String { path("log.txt") }

    func remove(_ path: String) throws {
        if FileManager.default.fileExists(atPath: path) { try FileManager.default.removeItem(atPath: path) }
    }

    /// A script beside the sources.
    static func script(_ name: String) -> String {
        URL(filePath: #filePath).deletingLastPathComponent().appending(path: name).path
    }
}
