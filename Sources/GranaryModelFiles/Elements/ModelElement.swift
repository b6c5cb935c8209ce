import GranaryModel

/// A description that one element of the model XML tells, attribute by attribute.
///
/// Reading and writing are each other's test. What an attribute of the file says that the description's own
/// spelling would not say again (an unknown name, `NO` for an absent flag, `0` for `0.0`, a default that its type has no
/// use for) becomes a note; a note is written again as long as it means what the description says.
protocol ModelElement: Equatable {
    static var elementName: String { get }
    /// The attributes that Granary knows, in the order in which Xcode writes them.
    static var attributeNames: [String] { get }

    /// Reads the attributes; what is wrong with them is noted in `attributes`, and something stands in for it.
    init(_ attributes: inout ElementAttributes)
    /// The attributes as Granary spells them.
    var attributeTexts: [String: String] { get }
    var notes: [String: String] { get set }
    /// The description as its attributes alone tell it: without notes and without what child elements tell.
    var attributesOnly: Self { get }
    /// ``attributeNames``, where the order differs from file to file.
    var attributeOrder: [String] { get }
}

extension ModelElement {
    var attributeOrder: [String] { Self.attributeNames }

    /// The attributes in the order to write them, notes among them.
    ///
    /// - Returns: nil where the attributes cannot tell the description.
    func writtenAttributes() -> [(name: String, text: String)]? {
        let texts = attributeTexts
        let plain = attributesOnly
        guard Self.reads(texts, as: plain) else { return nil }
        var result = texts
        for (name, text) in notes where !NoteExtras.isPath(name) && texts[name] != text {
            guard Self.attributeNames.contains(name) else {
                result[name] = text
                continue
            }
            // A note on a known attribute is a spelling of what the description says, or else out of date.
            var candidate = texts
            candidate[name] = text
            if Self.reads(candidate, as: plain) { result[name] = text }
        }
        let known = attributeOrder.compactMap { name in result[name].map { (name, $0) } }
        let unknown = result.filter { !Self.attributeNames.contains($0.key) }.sorted { $0.key < $1.key }
        return known + unknown.map { ($0.key, $0.value) }
    }

    private static func reads(_ texts: [String: String], as expected: Self) -> Bool {
        var attributes = ElementAttributes(texts)
        let read = Self(&attributes)
        return attributes.problems.allSatisfy(\.isWarning) && read.attributesOnly == expected
    }
}
