import GranaryBase

/// An error in one line.
enum ErrorText {
    static func line(_ error: any Error) -> String {
        var text = "\(error)"
        if let error = error as? GranaryError {
            text = error.message
            if let first = error.diagnostics.first, first.message != error.message { text += " (\(first))" }
        }
        let line = text.split(whereSeparator: \.isNewline).joined(separator: " ")
        return line.count > 400 ? "\(line.prefix(400))…" : line
    }
}
