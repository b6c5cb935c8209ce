import GranaryBase
import GranaryPropertyLists

/// One key that a fetch request sorts by. (`NSSortDescriptor`)
///
/// As text, for a note of the model: `rating:asc`, `name:desc:caseInsensitiveCompare:`, and `:reverseNulls` behind the
/// direction where null comes last instead of first.
struct SortDescriptorNode: Sendable, Hashable {
    /// What Core Data's compiler writes.
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

    /// - Throws: ``GranaryError`` with `model.syntax` for what is none, with `plist.syntax` for a field of a wrong kind.
    init(_ item: KeyedArchive.Item, in archive: KeyedArchive) throws(GranaryError) {
        guard try archive.className(of: item) == "NSSortDescriptor",
            let key = try archive.string("NSKey", of: item), !key.isEmpty
        else { throw GranaryError(Diagnostic(.modelSyntax, "a sort descriptor without its key")) }
        self.key = key
        isAscending = try archive.boolean("NSAscending", of: item)
        selector = try archive.string("NSSelector", of: item) ?? Self.standardSelector
        reversesNullOrder = try archive.boolean("NSReverseNullOrder", of: item)
    }

    /// Adds it to an archive, as seen in a real model.
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

    /// Nil for text of another form.
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
