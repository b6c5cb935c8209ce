import GranaryBase
import GranaryFormats
import GranaryModel

/// Finds the option that would make a source's columns match an entity's properties, for ``Diagnostic/help``.
struct HeaderHelp {
    let entity: Schema.Entity
    let columns: [String]
    /// Nil for formats other than delimited text.
    let dialect: CSVReader.Options?

    init(_ entity: Schema.Entity, _ reader: any RecordReader) {
        self.entity = entity
        columns = reader.columns
        dialect = reader.abilities?.dialect
    }

    private var names: [String] { entity.attributes.map(\.name) + entity.relationships.map(\.name) }

    /// The option for a column that matches no property.
    ///
    /// - Parameter isFilled: whether another column or a constant sets a property.
    func unknown(_ column: Int, isFilled: (String) -> Bool) -> String? {
        if let help = wholeHeader() { return help }
        let name = columns[column]
        if let dialect, !dialect.hasHeader, dialect.columns == nil { return headerless() }
        if let nearest = NearestText.nearest(to: name, in: names), !isFilled(nearest) {
            return OptionHelp.option("map", "\(name)=\(nearest)")
        }
        return OptionHelp.option("ignore", name)
    }

    /// The option for a header of which no column matches.
    private func wholeHeader() -> String? {
        guard let dialect, dialect.hasHeader, let first = columns.first else { return nil }
        if let help = SeparatorLine.help(columns, delimiter: dialect.delimiter) { return help }
        if Self.isQuoted(first, "'"), columns.allSatisfy({ Self.isQuoted($0, "'") }) { return #"--quote "'""# }
        guard columns.count == 1 else { return nil }
        if first.hasPrefix("{") { return "--format ndjson" }
        if first.hasPrefix("[") { return "--format json" }
        let fits = [";", "\t", "|", ",", ":"].map { mark -> (mark: String, fitting: Int, count: Int) in
            let parts = first.split(separator: Character(mark), omittingEmptySubsequences: false).map {
                $0.trimmingBoth("\"")
            }
            let fitting = parts.count { part in
                names.contains { ColumnNames.folded($0) == ColumnNames.folded(part) }
            }
            return (mark, fitting, parts.count)
        }
        guard let best = fits.filter({ $0.count > 1 }).max(by: { ($0.fitting, $0.count) < ($1.fitting, $1.count) })
        else {
            return nil
        }
        return OptionHelp.option("delimiter", best.mark == "\t" ? "tab" : best.mark)
    }

    /// The `--columns` option for a file without a header: the entity's attributes in the model's order. Further
    /// columns are ignored.
    private func headerless() -> String? {
        let attributes = entity.attributes.filter { $0.isPersistent && $0.description.derivationExpression == nil }
        let known = attributes.prefix(columns.count).map(\.name)
        let others = columns.dropFirst(known.count)
        return OptionHelp.all(
            [OptionHelp.option("columns", (known + others).joined(separator: ","))]
                + others.map { OptionHelp.option("ignore", $0) })
    }

    private static func isQuoted(_ name: String, _ mark: Character) -> Bool {
        name.count > 1 && name.first == mark && name.last == mark
    }
}

extension Substring {
    fileprivate func trimmingBoth(_ mark: Character) -> String {
        var text = self
        while text.first == mark { text.removeFirst() }
        while text.last == mark { text.removeLast() }
        return String(text)
    }
}
