/// The header that makes a browser save an answer.
enum FileNameHeader {
    /// - Parameter name: the name of the file, which may contain anything.
    static func attachment(_ name: String) -> String {
        let short = String(name.unicodeScalars.prefix(100).map { isPlain($0) ? Character($0) : "-" })
        return "attachment; filename=\"\(short)\"; filename*=UTF-8''\(PercentText.encoded(short))"
    }

    /// Letters of all scripts may be in names, but not what a file system or a header could understand otherwise.
    private static func isPlain(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar {
        case "a"..."z", "A"..."Z", "0"..."9", "-", "_", ".": true
        default: false
        }
    }
}
