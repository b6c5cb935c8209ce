import GranaryBase
import GranaryModel
import GranaryPredicates
import GranaryPropertyLists

/// A sort key of a fetch request. (`NSSortDescriptor`)
///
/// Its text, for a note of the model, is `rating:asc` or `name:desc:caseInsensitiveCompare:`, with `:reverseNulls`
/// after the direction if null comes last instead of first.
struct SortDescriptorNode: Sendable, Hashable {
    /// The selector that Core Data's compiler writes.
    static let standardSelector = "compare:"

    /// A key path.
    var key: String
    var isAscending = true
    var selector = SortDescriptorNode.standardSelector
    var reversesNullOrder = false

    init(key: String, isAscending: Bool = true) {
        self.key = key
        self.isAscending = isAscending
    }

    init(_ descriptor: ObjectSortDescriptor) {
        key = descriptor.keyPath
        isAscending = descriptor.isAscending
        selector = descriptor.comparison.rawValue
    }

    /// The key as a template has it; nil for another selector than those, and for NULL in last place.
    var descriptor: ObjectSortDescriptor? {
        guard !reversesNullOrder, let comparison = ObjectSortDescriptor.Comparison(rawValue: selector) else {
            return nil
        }
        return ObjectSortDescriptor(key, ascending: isAscending, comparison: comparison)
    }

    /// - Throws: ``GranaryError`` with `model.syntax` if it is not a sort descriptor, with `plist.syntax` for a field
    ///   of a wrong type.
    init(_ item: KeyedArchive.Item, in archive: KeyedArchive) throws(GranaryError) {
        guard try archive.className(of: item) == "NSSortDescriptor",
            let key = try archive.string("NSKey", of: item), !key.isEmpty
        else { throw GranaryError(Diagnostic(.modelSyntax, "a sort descriptor without its key")) }
        self.key = key
        isAscending = try archive.boolean("NSAscending", of: item)
        selector = try archive.string("NSSelector", of: item) ?? Self.standardSelector
        reversesNullOrder = try archive.boolean("NSReverseNullOrder", of: item)
    }

    /// Adds the sort descriptor to an archive, with the fields of a real model.
    func add(to builder: inout KeyedArchiveBuilder) -> PropertyListValue {
        let keyReference = builder.addText(key)
        let selectorReference = builder.addText(selector)
        return builder.add(
            classNames: ["NSSortDescriptor", "NSObject"],
            fields: [
                PropertyListEntry("NSSelector", selectorReference),
                PropertyListEntry("NSReverseNullOrder", .boolean(reversesNullOrder)),
                PropertyListEntry("NSAscending", .boolean(isAscending)),
                PropertyListEntry("NSKey", keyReference),
            ])
    }

    /// Parses ``text``; nil for any other text.
    init?(_ text: String) {
        var parts = text.split(separator: ":", maxSplits: 2, omittingEmptySubsequences: false).map(String.init)
        guard parts.count >= 2, !parts[0].isEmpty, parts[1] == "asc" || parts[1] == "desc" else { return nil }
        key = parts[0]
        isAscending = parts[1] == "asc"
        guard parts.count == 3 else { return }
        let mark = "reverseNulls"
        if parts[2] == mark || parts[2].hasPrefix(mark + ":") {
            reversesNullOrder = true
            parts[2] = String(parts[2].dropFirst(mark.count + 1))
            if parts[2].isEmpty { return }
        }
        guard !parts[2].isEmpty else { return nil }
        selector = parts[2]
    }

    var text: String {
        var text = key + (isAscending ? ":asc" : ":desc")
        if reversesNullOrder { text += ":reverseNulls" }
        if selector != Self.standardSelector { text += ":" + selector }
        return text
    }
}
