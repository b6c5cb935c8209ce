import GranaryModel

/// A description that is written as one element of the model XML.
///
/// Reading and writing verify each other. If writing the description would not reproduce an attribute of the file (an
/// unknown name, `NO` for an absent flag, `0` for `0.0`, a default that the type cannot use), the attribute becomes a
/// note. A note is written again as long as it agrees with the description.
protocol ModelElement: Equatable {
    static var elementName: String { get }
    /// The attributes that Granary knows, in the order in which Xcode writes them.
    static var fields: [ElementField<Self>] { get }

    /// Creates a description from the attributes that every element has; ``fields`` read the others.
    init(required attributes: inout ElementAttributes)
    var notes: [String: String] { get set }
    /// Removes everything that child elements hold.
    mutating func removeChildren()
    /// The names of ``fields`` in the order to write them, which depends on the file's Xcode.
    var attributeOrder: [String] { get }
}

extension ModelElement {
    static var attributeNames: [String] { fields.map(\.name) }

    /// Reads the attributes. An invalid one is replaced by a default value, and `attributes` collects the problem.
    init(_ attributes: inout ElementAttributes) {
        self.init(required: &attributes)
        for field in Self.fields { field.read(&attributes, &self) }
    }

    /// The attributes in Granary's spelling.
    var attributeTexts: [String: String] {
        var texts: [String: String] = [:]
        for field in Self.fields { texts[field.name] = field.text(self) }
        return texts
    }

    var attributeOrder: [String] { Self.attributeNames }

    mutating func removeChildren() {}

    /// The attributes in the order to write them, including those that are kept as notes.
    ///
    /// - Returns: nil if the attributes cannot represent the description.
    func writtenAttributes() -> [(name: String, text: String)]? {
        let texts = attributeTexts
        var plain = self
        plain.notes = [:]
        plain.removeChildren()
        guard Self.reads(texts, as: plain) else { return nil }
        let order = attributeOrder
        var result = texts
        for (name, text) in notes where !NoteExtras.isPath(name) && texts[name] != text {
            guard order.contains(name) else {
                result[name] = text
                continue
            }
            // A note on a known attribute is another spelling of the same value, or it is out of date.
            var candidate = texts
            candidate[name] = text
            if Self.reads(candidate, as: plain) { result[name] = text }
        }
        let known = order.compactMap { name in result[name].map { (name, $0) } }
        let unknown = result.filter { !order.contains($0.key) }.sorted { $0.key < $1.key }
        return known + unknown.map { ($0.key, $0.value) }
    }

    private static func reads(_ texts: [String: String], as expected: Self) -> Bool {
        var attributes = ElementAttributes(texts)
        let read = Self(&attributes)
        return attributes.problems.allSatisfy(\.isWarning) && read == expected
    }
}
