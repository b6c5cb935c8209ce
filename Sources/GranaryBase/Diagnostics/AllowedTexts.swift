/// Lists of allowed texts for messages.
package enum AllowedTexts {
    /// The maximum number of texts in a list.
    private static let limit = 6
    /// The maximum number of texts among which the nearest is searched, because each invalid field costs a search.
    private static let searched = 1000

    /// `"a", "b" and 3 more`, the nearest to `found` first, each shortened.
    package static func list(_ texts: [String], nearest found: String? = nil) -> String {
        var shown = texts
        if let found, texts.count <= searched, let nearest = NearestText.nearest(to: found, in: texts),
            let index = texts.firstIndex(of: nearest)
        {
            shown.remove(at: index)
            shown.insert(nearest, at: 0)
        }
        let list = shown.prefix(limit).map { "\"\(Diagnostic.shortened($0))\"" }.joined(separator: ", ")
        return texts.count > limit ? "\(list) and \(texts.count - limit) more" : list
    }
}
