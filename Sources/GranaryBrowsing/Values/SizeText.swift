import GranaryBase

/// Numbers of bytes for people.
enum SizeText {
    /// `345 bytes`, `12.3 kB`, `16.0 MB`.
    static func text(_ bytes: Int) -> String {
        guard bytes >= 1000 else { return CountText.count(bytes, "byte") }
        var size = Double(bytes) / 1000
        for unit in ["kB", "MB", "GB"] {
            if size < 999.95 || unit == "GB" {
                let tenths = Int((min(size, 1e12) * 10).rounded())
                return "\(tenths / 10).\(tenths % 10) \(unit)"
            }
            size /= 1000
        }
        return CountText.count(bytes, "byte")
    }
}
