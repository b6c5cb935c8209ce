import GranaryBase

/// Reads an XML property list event by event, with memory that does not grow with the file.
///
/// ``XMLPullParser`` reads the tags and texts. The document is in Apple's format: one value in a `plist` element
/// (PropertyList-1.0.dtd). Attributes, comments, and processing instructions in the prolog are ignored.
struct XMLPropertyListReader {
    private enum Level { case plist, array, dictionary, valueOfKey }

    private let source: String
    private let limits: PropertyListLimits
    private var parser: XMLPullParser
    private var levels: [Level] = []
    /// The number of open arrays and dictionaries.
    private var depth = 0
    /// The open element that has only text.
    private var scalar: XMLPropertyListElement?
    private var scalarPlace = PropertyListPlace(line: 1, column: 1)
    private var text: [UInt8] = []
    private var hasRoot = false

    /// - Parameter start: the bytes already read from `source`.
    init(_ source: ByteSource, start: [UInt8], limits: PropertyListLimits) {
        self.source = source.name
        self.limits = limits
        parser = XMLPullParser(XMLWindow(source, start: start), errors: XMLErrors(source: source.name))
    }

    /// The next event with the position of its tag; nil after the last. After an error the reader must not be used.
    ///
    /// - Throws: ``GranaryError`` with `plist.syntax`, `encoding.invalid` or `limit.exceeded` and the position, and the
    ///   errors of the source.
    mutating func next() throws(GranaryError) -> PropertyListStep? {
        while true {
            let token = try parser.next()
            switch token {
            case .startTag: if let step = try start(parser.place(of: token)) { return step }
            case .endTag: if let step = try end(parser.place(of: token)) { return step }
            case .text: try add()
            case .end: return nil
            }
        }
    }

    private func syntax(_ message: String, _ place: PropertyListPlace) -> GranaryError {
        PropertyListError.syntax(message, place, source)
    }

    private mutating func start(_ place: PropertyListPlace) throws(GranaryError) -> PropertyListStep? {
        let element = XMLPropertyListElement(parser.name)
        if scalar != nil { throw syntax("\(shownName) inside an element that has only text", place) }
        if levels.isEmpty {
            guard element == .plist else { throw syntax("the root element is not plist", place) }
            levels.append(.plist)
            return nil
        }
        switch element {
        case .key:
            guard levels.last == .dictionary else { throw syntax("a key where a value is expected", place) }
        case .array, .dict:
            try checkValue(place)
            guard depth < limits.depth else { throw PropertyListError.depth(limits, place, source) }
            depth += 1
            levels.append(element == .array ? .array : .dictionary)
            return PropertyListStep(element == .array ? .beginArray : .beginDictionary, place)
        case .plist, nil: throw syntax("\(shownName) is not an element of a property list", place)
        default: try checkValue(place)
        }
        scalar = element
        scalarPlace = place
        text.removeAll(keepingCapacity: text.capacity <= 1 << 20)
        return nil
    }

    private var shownName: String { "<\(Diagnostic.shortened(String(decoding: parser.name, as: UTF8.self)))>" }

    private mutating func checkValue(_ place: PropertyListPlace) throws(GranaryError) {
        switch levels.last {
        case .dictionary: throw syntax("a value without a key in a dictionary", place)
        case .plist where hasRoot: throw syntax("a second value in the plist element, which must have only one", place)
        case .plist: hasRoot = true
        default: break
        }
    }

    private mutating func end(_ place: PropertyListPlace) throws(GranaryError) -> PropertyListStep? {
        if let kind = scalar {
            scalar = nil
            let event = try event(kind)
            if kind == .key { levels.append(.valueOfKey) } else { finishValue() }
            return PropertyListStep(event, scalarPlace)
        }
        let event: PropertyListEvent
        switch levels.popLast() {
        case .array: event = .endArray
        case .dictionary: event = .endDictionary
        case .valueOfKey: throw syntax("the last key of a dictionary has no value", place)
        case .plist:
            guard hasRoot else { throw syntax("the plist element is empty", place) }
            return nil
        case nil: return nil
        }
        depth -= 1
        finishValue()
        return PropertyListStep(event, place)
    }

    private mutating func finishValue() {
        if levels.last == .valueOfKey { levels.removeLast() }
    }

    private func event(_ kind: XMLPropertyListElement) throws(GranaryError) -> PropertyListEvent {
        func value<Value>(_ value: Value?, _ what: String) throws(GranaryError) -> Value {
            if let value { return value }
            let found = Diagnostic.shortened(String(decoding: text.prefix(400), as: UTF8.self))
            throw syntax("\"\(found)\" is not \(what)", scalarPlace)
        }
        switch kind {
        case .key: return .key(String(decoding: text, as: UTF8.self))
        case .integer: return try value(XMLScalarText.integer(text), "an integer of at most 64 bits")
        case .real:
            let number = try value(XMLScalarText.real(text), "a real number in a double's range")
            return .real(number, digits: XMLScalarText.digits(text, besides: number))
        case .date: return .date(try value(XMLDateText.seconds(text), "a date such as 2001-01-01T00:00:00Z"))
        case .data: return .data(try value(XMLScalarText.data(text), "Base64 data"))
        case .yes, .no:
            _ = try value(
                text.allSatisfy(XMLScalarText.isSpace) ? true : nil, "empty, as a boolean element must be")
            return .boolean(kind == .yes)
        case .string, .array, .dict, .plist: return .string(String(decoding: text, as: UTF8.self))
        }
    }

    private mutating func add() throws(GranaryError) {
        if scalar == nil {
            guard parser.isTextSpace else { throw syntax("text outside a value", parser.place(of: .text)) }
            return
        }
        guard parser.textCount <= limits.valueBytes - text.count else {
            throw PropertyListError.limit(
                "a value of more than \(limits.valueBytes) bytes, the limit", parser.place(of: .text), source)
        }
        parser.appendText(to: &text)
    }
}
