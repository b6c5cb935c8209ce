import ArgumentParser
import GranaryBase

/// What a user names where a command writes.
enum OutputArgument {
    /// Refuses outputs that are, lie in, or lie around what the run reads or writes otherwise, and two outputs that are one
    /// file. No option makes such an output right.
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
