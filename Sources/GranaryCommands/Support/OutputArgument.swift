import ArgumentParser
import GranaryBase

/// An option that names a file to write.
enum OutputArgument {
    /// Refuses an output that is a file of the run, lies inside one or contains one, and two outputs that are the same file.
    /// `--force` does not allow it.
    ///
    /// - Parameter outputs: each option with its path; `-` and nil are left out.
    static func check(_ outputs: [(option: String, path: String?)], against files: ProtectedFiles) throws {
        var files = files
        for (option, path) in outputs {
            guard let path, path != "-" else { continue }
            // The reasons lie beside the rejects file.
            for path in option == "--rejects" ? [path, path + ".reasons.jsonl"] : [path] {
                if let conflict = files.conflict(of: path) {
                    throw ValidationError("\(option) \(path) \(conflict); nothing was read.")
                }
                files.add(path, as: "the file of \(option)")
            }
        }
    }
}
