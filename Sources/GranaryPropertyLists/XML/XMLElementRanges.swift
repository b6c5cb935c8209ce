/// The byte ranges of the elements of a document.
///
/// libxml2 reports only the position after a start tag, but messages need the position of an attribute. The limits are
/// checked before libxml2 parses the document.
struct XMLElementRanges {
    /// The offset of each start tag's `<`, in document order.
    private(set) var starts: [Int] = []
    /// The end offset of each element.
    private(set) var ends: [Int] = []
    /// The number of attributes of each start tag.
    private(set) var attributeCounts: [Int] = []

    private let limits: XMLElementLimits
    private var open: [Int] = []

    init(limits: XMLElementLimits) { self.limits = limits }

    /// Adds the next tag, from its `<` to its `>`.
    ///
    /// - Returns: the message about an exceeded limit; nil if there is none.
    mutating func add(tag: ArraySlice<UInt8>, attributes: Int) -> String? {
        if tag[tag.startIndex + 1] == UInt8(ascii: "/") {
            if let element = open.popLast() { ends[element] = tag.endIndex }
            return nil
        }
        if starts.count == limits.elements { return "there are more than \(limits.elements) elements, the limit" }
        if attributes > limits.attributes { return "a tag has more than \(limits.attributes) attributes, the limit" }
        if tag[tag.endIndex - 2] != UInt8(ascii: "/") {
            if open.count == limits.depth { return "elements are nested deeper than \(limits.depth) levels, the limit" }
            open.append(starts.count)
        }
        starts.append(tag.startIndex)
        ends.append(tag.endIndex)
        attributeCounts.append(attributes)
        return nil
    }
}
