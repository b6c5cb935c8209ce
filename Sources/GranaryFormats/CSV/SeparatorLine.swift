import GranaryBase

/// A first line such as `sep=;`, which tells Excel the delimiter of a file.
package enum SeparatorLine {
    /// The bytes of a byte order mark, the line and its end.
    static let maximumBytes = 10

    /// The delimiter that a file's first line names; nil if it is not such a line.
    package static func delimiter(_ start: UnsafeBufferPointer<UInt8>) -> UInt8? {
        let name = "sep=".utf8
        guard start.count > name.count, zip(start, name).allSatisfy({ ASCII.lowercased($0) == $1 }) else { return nil }
        guard start.count == name.count + 1 || start[name.count + 1] == 0x0A || start[name.count + 1] == 0x0D else {
            return nil
        }
        return start[name.count]
    }

    /// The options that read a file whose first record is such a line, which contradicts the given delimiter; nil if it
    /// is not such a line.
    ///
    /// - Parameter delimiter: the delimiter by which the line was split.
    package static func help(_ names: [String], delimiter: UInt8) -> String? {
        guard let first = names.first, first.lowercased().hasPrefix("sep="), names.dropFirst().allSatisfy(\.isEmpty),
            names.count <= 2
        else { return nil }
        // A line that ends with the delimiter of the file was split there.
        guard let named = first.dropFirst(4).first, named.utf8.elementsEqual([delimiter]) == false else {
            return "--skip-rows 1"
        }
        return OptionHelp.option("delimiter", named == "\t" ? "tab" : String(named)).map { "--skip-rows 1 \($0)" }
    }
}
