import GranaryBase

/// Collects the elements of a document in memory, with their places.
///
/// Namespace prefixes stay part of the names.
struct XMLElementTreeBuilder {
    private(set) var elements: [XMLElementTree.Element] = []
    /// The offsets of each element, from its `<` to the end of its end tag.
    private(set) var ranges: [Range<Int>] = []
    private let limits: XMLElementLimits
    private var open: [Int] = []

    init(limits: XMLElementLimits) { self.limits = limits }

    /// Reads a document to its end.
    ///
    /// - Throws: as ``XMLPullParser/next()``, and ``GranaryError`` with `limit.exceeded` for too many elements or
    ///   levels.
    mutating func build(_ parser: inout XMLPullParser) throws(GranaryError) {
        while true {
            switch try parser.next() {
            case .startTag: try start(parser)
            case .endTag:
                guard let element = open.popLast() else { continue }
                ranges[element] = ranges[element].lowerBound..<parser.tag.upperBound
            case .text:
                if let element = open.last, !parser.isTextSpace { elements[element].hasText = true }
            case .end: return
            }
        }
    }

    private mutating func start(_ parser: XMLPullParser) throws(GranaryError) {
        let tag = parser.tag
        guard elements.count < limits.elements else {
            throw parser.limit("there are more than \(limits.elements) elements, the limit", at: tag.lowerBound)
        }
        guard parser.isEmptyTag || open.count < limits.depth else {
            throw parser.limit("elements are nested deeper than \(limits.depth) levels, the limit", at: tag.lowerBound)
        }
        var attributes: [String: String] = [:]
        for attribute in parser.attributes {
            // Names that differ only in Unicode composition (é as one character, or e and an accent) are one key.
            let name = parser.name(of: attribute)
            guard attributes.updateValue(parser.value(of: attribute), forKey: name) == nil else {
                throw parser.refused("two attributes of one element have the same name", at: tag.lowerBound)
            }
        }
        if let parent = open.last { elements[parent].children.append(elements.count) }
        open.append(elements.count)
        elements.append(
            XMLElementTree.Element(name: String(decoding: parser.name, as: UTF8.self), attributes: attributes))
        ranges.append(tag)
    }
}
