import ArgumentParser
import GranaryBase

/// Checks options that name a file to write.
enum OutputArgument {
    /// Refuses an output that is, contains or lies inside an input of the run, and two outputs that are the same file,
    /// even with `--force`.
    ///
    /// - Parameter outputs: each option with its path; `-` and nil are ignored.
    static func check(_ outputs: [(option: String, path: String?)], against files: ProtectedFiles) throws {
        var files = files
        for (option, path) in outputs {
            guard let path, path != "-" else { continue }
            // The reasons are written beside the rejects file.
            for path in option == "--rejects" ? [path, path + ".reasons.jsonl"] : [path] {
                if let conflict = files.conflict(of: path) {
                    throw ValidationError("\(option) \(path) \(conflict); nothing was read.")
                }
                files.add(path, as: "the file of \(option)")
            }
        }
    }
}
