import GranaryBase

/// The file of `--html`: created under a temporary name, so that an unusable path is found before something is read.
final class PageOutput {
    private let output: ByteOutput

    /// - Parameters:
    ///   - path: `-` for standard output.
    ///   - replacing: whether a file of that name may be replaced.
    ///   - store: a store whose values the page has; the page gets its permissions.
    /// - Throws: ``GranaryError`` with code `uncreatable`.
    init(_ path: String, replacing: Bool, store: String) throws(GranaryError) {
        output =
            path == "-"
            ? .standardOutput()
            : try .file(path, replacing: replacing, permissions: StoreArgument.permissions(store))
    }

    /// Writes and syncs the page; it has its name after ``publish()``.
    ///
    /// - Throws: ``GranaryError`` with code `inputOutput`.
    func prepare(_ html: String) throws {
        output.append(html)
        try output.prepare()
    }

    func publish() throws(GranaryError) { try output.publish() }

    /// - Throws: ``GranaryError`` with code `inputOutput`.
    func write(_ html: String) throws {
        try prepare(html)
        try publish()
    }
}
