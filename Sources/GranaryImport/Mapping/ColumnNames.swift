/// Compares the names of columns with those of properties.
package enum ColumnNames {
    /// A name in lower case without `_`, `-` and blanks.
    package static func folded(_ name: String) -> String {
        String(name.lowercased().unicodeScalars.filter { $0 != "_" && $0 != "-" && $0 != " " })
    }
}
