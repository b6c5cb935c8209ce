import GranaryBase

/// Texts that would be right, for messages.
enum AllowedTexts {
    /// How many are shown.
    private static let limit = 6
    /// Among more than these the nearest is not looked for: every refused field would pay for it.
    private static let searched = 1000

    /// `"a", "b" and 3 more`, the nearest to `found` first, each shortened.
    static func list(_ texts: [String], nearest found: String? = nil) -> String {
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
