#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Darwin)
    import Darwin
#endif

/// The files that a pattern stands for, for where no shell has looked: `data/*.csv`.
package enum FileGlob {
    /// The names that match, sorted by their bytes.
    ///
    /// The pattern is glob(3)'s: `*`, `?` and `[…]`, none of which matches a slash or a leading dot. A name without them
    /// is itself, whether there is such a file or not; so is the name of a file that is there and has them.
    ///
    /// - Throws: ``GranaryError`` with code `unreadable` where nothing matches.
    package static func expand(_ pattern: String) throws(GranaryError) -> [String] {
        let marks: [UInt8] = [UInt8(ascii: "*"), UInt8(ascii: "?"), UInt8(ascii: "[")]
        guard pattern.utf8.contains(where: { marks.contains($0) }), access(pattern, F_OK) != 0 else { return [pattern] }
        var found = glob_t()
        let status = glob(pattern, 0, nil, &found)
        defer { globfree(&found) }
        guard status != GLOB_NOSPACE else {
            throw GranaryError(.unreadable, "\(pattern): no memory for the names of the files")
        }
        var names: [String] = []
        if status == 0, let paths = found.gl_pathv {
            for index in 0..<Int(found.gl_pathc) {
                guard let path = paths[index] else { continue }
                guard let name = String(validatingCString: path) else {
                    let bytes = UnsafeBufferPointer(start: path, count: strlen(path)).map { UInt8(bitPattern: $0) }
                    throw GranaryError(
                        .unreadable,
                        "\(pattern): the name of \(VisibleText.escaped(bytes)) is not UTF-8; rename the file")
                }
                names.append(name)
            }
        }
        guard !names.isEmpty else { throw GranaryError(.unreadable, "\(pattern): no file matches the pattern") }
        return names.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
    }
}
