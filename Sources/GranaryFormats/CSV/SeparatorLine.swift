import GranaryBase

/// A first line such as `sep=;`, which tells Excel the delimiter of a file.
package enum SeparatorLine {
    /// The options that skip the line and use its delimiter; nil if the first record is not such a line.
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
