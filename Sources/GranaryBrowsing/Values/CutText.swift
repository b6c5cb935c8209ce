/// The start of a text, as much as a page shows.
struct CutText {
    let text: String
    /// Whether there is more.
    let isCut: Bool

    /// - Parameters:
    ///   - bytes: valid UTF-8.
    ///   - limit: the maximum number of scalars. Characters are no measure: one can have thousands of combining marks.
    init(_ bytes: some Collection<UInt8>, limit: Int) {
        // A scalar has at most four bytes; the last one can be incomplete.
        let start = String(decoding: bytes.prefix(limit * 4 + 4), as: UTF8.self)
        var scalars = String.UnicodeScalarView()
        scalars.append(contentsOf: start.unicodeScalars.prefix(limit))
        text = String(scalars)
        isCut = text.utf8.count < bytes.count
    }
}
