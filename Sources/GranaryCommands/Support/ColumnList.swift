import ArgumentParser

/// The value of `--columns`: names separated by commas.
enum ColumnList {
    /// - Throws: `ValidationError` for an empty name.
    static func check(_ text: String?) throws {
        guard let text, text.split(separator: ",", omittingEmptySubsequences: false).contains("") else { return }
        throw ValidationError("--columns contains an empty name.")
    }

    static func names(_ text: String?) -> [String] { text?.split(separator: ",").map(String.init) ?? [] }
}
