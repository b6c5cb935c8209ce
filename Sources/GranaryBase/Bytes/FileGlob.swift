import Foundation

/// Expands file name patterns such as `data/*.csv` that no shell has expanded.
package enum FileGlob {
    /// Returns the names that match a pattern, sorted by their bytes.
    ///
    /// The pattern has the syntax of glob(3): `*`, `?` and `[…]`, none of which matches a slash or a leading dot. A
    /// name without these characters, and the name of an existing file, is returned unchanged.
    ///
    /// - Throws: ``GranaryError`` with code `unreadable` if nothing matches.
    package static func expand(_ pattern: String) throws(GranaryError) -> [String] {
        let marks: [UInt8] = [UInt8(ascii: "*"), UInt8(ascii: "?"), UInt8(ascii: "[")]
        guard pattern.utf8.contains(where: { marks.contains($0) }), access(pattern, F_OK) != 0 else { return [pattern] }
        var found = glob_t()
        let status = glob(pattern, 0, nil, &found)
        defer { globfree(&found) }
        guard status != GLOB_NOSPACE else {
            throw GranaryError(.unreadable, "\(pattern): not enough memory for the file names")
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
