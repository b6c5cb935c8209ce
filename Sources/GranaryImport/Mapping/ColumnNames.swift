import GranaryModel

/// Compares the names of columns with those of properties.
package enum ColumnNames {
    /// The name of the property of a column: the column's own, or one that differs in case, `_`, `-` and blanks only. For
    /// a column whose name no property can have, such as `self`, the property with `Value` behind it. Nil for none, and
    /// if there are several.
    package static func property(_ column: String, among names: [String]) -> String? {
        let folded = folded(column)
        let fitting = names.filter { self.folded($0) == folded }
        if !fitting.isEmpty || EntityDescription.mayHaveProperty(named: folded) {
            return fitting.count == 1 ? fitting[0] : nil
        }
        let renamed = names.filter { self.folded($0) == folded + "value" }
        return renamed.count == 1 ? renamed[0] : nil
    }

    /// A name in lower case without `_`, `-` and blanks.
    package static func folded(_ name: String) -> String {
        String(name.lowercased().unicodeScalars.filter { $0 != "_" && $0 != "-" && $0 != " " })
    }
}
