import GranaryBase
import GranaryModel

/// Columns inside objects and lists: those that the options name by their paths, such as `contact.email` or
/// `images.0.url`, and the elements of Composite attributes.
extension ColumnPlan {
    /// The paths inside an object or a list that the options name or that are elements of a Composite attribute.
    func paths(inside prefix: String) -> [String] {
        let start = prefix + "."
        let named = Set(options.columnMap.keys).union(options.columnOptions.keys).union(options.ignoredColumns)
            .union(entity.attributes.lazy.filter(\.isElement).map(\.name))
        return named.filter { $0.utf8.starts(with: start.utf8) }.sorted()
    }

    /// Whether members of the object, or elements of the list, in a column have columns of their own.
    ///
    /// A path that is only ignored does not turn related objects into columns.
    func hasColumns(inside column: String) -> Bool {
        let paths = paths(inside: column)
        guard !paths.isEmpty else { return false }
        if paths.contains(where: { options.columnMap[$0] != nil || options.columnOptions[$0] != nil }) { return true }
        return ((try? property(of: column)) ?? nil) == nil
    }

    /// The role of a column that is ignored with all others. If options name members of its object, another value than an
    /// object would be lost, so records with one are rejected.
    func otherRole(of column: String) -> Role {
        guard nests else { return .ignored }
        let start = column + "."
        let inner = options.columnMap.keys.filter { path in
            path.utf8.starts(with: start.utf8)
                && Int(path.dropFirst(start.count).prefix { $0 != "." }) == nil
        }
        guard let path = inner.min() else { return .ignored }
        return .otherEntity(
            Diagnostic(
                .valueSyntax,
                "expected an object at \"\(Diagnostic.shortened(column))\", inside of which \"\(Diagnostic.shortened(path))\" is",
                entity: entity.name, help: OptionHelp.option("ignore", column)))
    }

    /// Whether an object or a list around the column's path is ignored.
    func isInsideIgnored(_ column: String) -> Bool {
        guard nests, options.hasPaths else { return false }
        var path = column[...]
        while let dot = path.lastIndex(of: ".") {
            path = path[..<dot]
            if options.ignores(String(path)), hasColumns(inside: String(path)) { return true }
        }
        return false
    }
}

extension ImportOptions {
    /// Whether options on columns name a path.
    var hasPaths: Bool {
        columnMap.keys.contains { $0.contains(".") } || columnOptions.keys.contains { $0.contains(".") }
            || ignoredColumns.contains { $0.contains(".") }
    }

    /// Whether a column is ignored by its name, compared byte for byte: a name that differs only by Unicode
    /// normalisation is another column.
    func ignores(_ column: String) -> Bool {
        guard let index = ignoredColumns.firstIndex(of: column) else { return false }
        return ignoredColumns[index].utf8.elementsEqual(column.utf8)
    }

    /// Why options on paths contradict each other, in sources whose members can be objects; nil if they do not.
    var pathProblem: GranaryError? {
        for path in columnMap.keys.sorted() where path.contains(".") {
            var outer = path[...]
            while let dot = outer.lastIndex(of: ".") {
                outer = outer[..<dot]
                guard let property = columnMap[String(outer)] else { continue }
                return GranaryError(
                    .usage,
                    "the column \"\(outer)\" has the property \"\(property)\", so \"\(path)\" inside it cannot be a "
                        + "column of its own")
            }
        }
        return nil
    }
}
