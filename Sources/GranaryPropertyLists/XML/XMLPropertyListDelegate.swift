import Foundation
import GranaryBase

#if canImport(FoundationXML)
    import FoundationXML
#endif

/// Converts the calls of the XML parser to events, and checks that they form a property list.
final class XMLPropertyListDelegate: NSObject, XMLParserDelegate {
    private enum Level { case plist, array, dictionary, valueOfKey }

    private enum Scalar { case key, string, integer, real, date, data, yes, no }

    private let stream: ScreenedXMLStream
    private let source: String
    private let limits: PropertyListLimits
    private let handle: PropertyListHandler
    private var levels: [Level] = []
    private var scalar: Scalar?
    private var scalarPlace = PropertyListPlace(line: 1, column: 1)
    private var text: [UInt8] = []
    private var hasPlist = false
    private var hasRoot = false
    private var failure: GranaryError?

    init(
        _ stream: ScreenedXMLStream, source: String, limits: PropertyListLimits, _ handle: @escaping PropertyListHandler
    ) {
        self.stream = stream
        self.source = source
        self.limits = limits
        self.handle = handle
    }

    /// Returns the error after the parser has finished; nil if there is none.
    func finish(_ parser: XMLParser) -> GranaryError? {
        if let failure { return failure }
        let place = parser.place
        if let error = parser.parserError { return syntax(XMLErrorText.sentence(for: error), place) }
        guard hasPlist else { return syntax("there is no plist element", place) }
        // libxml2 reports truncated documents; this check is only a precaution.
        guard levels.isEmpty, hasRoot else { return syntax("the document is truncated", place) }
        return nil
    }

    func parser(
        _ parser: XMLParser, didStartElement name: String, namespaceURI: String?, qualifiedName: String?,
        attributes: [String: String]
    ) {
        run(parser) { (place) throws(GranaryError) in try start(name, place) }
    }

    func parser(_ parser: XMLParser, didEndElement name: String, namespaceURI: String?, qualifiedName: String?) {
        run(parser) { (place) throws(GranaryError) in try end(place) }
    }

    func parser(_ parser: XMLParser, foundCharacters characters: String) {
        run(parser) { (place) throws(GranaryError) in try add(characters.utf8, place) }
    }

    func parser(_ parser: XMLParser, foundIgnorableWhitespace characters: String) {
        run(parser) { (place) throws(GranaryError) in try add(characters.utf8, place) }
    }

    func parser(_ parser: XMLParser, foundCDATA block: Data) {
        run(parser) { (place) throws(GranaryError) in try add(block, place) }
    }

    /// Stops at the first error. libxml2 would recover, but a repaired document can differ from the original.
    func parser(_ parser: XMLParser, parseErrorOccurred error: any Error) {
        run(parser) { (place) throws(GranaryError) in throw syntax(XMLErrorText.sentence(for: error), place) }
    }

    private func run(_ parser: XMLParser, _ body: (PropertyListPlace) throws(GranaryError) -> Void) {
        guard failure == nil else { return }
        do throws(GranaryError) { try body(parser.place) } catch {
            failure = error
            stream.stop()
            parser.abortParsing()
        }
    }

    private func syntax(_ message: String, _ place: PropertyListPlace) -> GranaryError {
        PropertyListError.syntax(message, place, source)
    }

    private func start(_ name: String, _ place: PropertyListPlace) throws(GranaryError) {
        if scalar != nil { throw syntax("<\(Diagnostic.shortened(name))> inside an element that has only text", place) }
        guard hasPlist else {
            guard name == "plist" else { throw syntax("the root element is not plist", place) }
            hasPlist = true
            levels.append(.plist)
            return
        }
        if name == "key" {
            guard levels.last == .dictionary else { throw syntax("a key where a value is expected", place) }
            return begin(.key, place)
        }
        let kind: Scalar
        switch name {
        case "array", "dict":
            try checkValue(place)
            // The plist element is a level too, but not a container.
            let depth = levels.count - levels.count { $0 == .valueOfKey }
            guard depth <= limits.depth else { throw PropertyListError.depth(limits, place, source) }
            levels.append(name == "array" ? .array : .dictionary)
            return try handle(name == "array" ? .beginArray : .beginDictionary, place)
        case "string": kind = .string
        case "integer": kind = .integer
        case "real": kind = .real
        case "date": kind = .date
        case "data": kind = .data
        case "true": kind = .yes
        case "false": kind = .no
        default: throw syntax("<\(Diagnostic.shortened(name))> is not an element of a property list", place)
        }
        try checkValue(place)
        begin(kind, place)
    }

    private func begin(_ kind: Scalar, _ place: PropertyListPlace) {
        scalar = kind
        scalarPlace = place
        text.removeAll(keepingCapacity: text.capacity <= 1 << 20)
    }

    private func checkValue(_ place: PropertyListPlace) throws(GranaryError) {
        switch levels.last {
        case .dictionary: throw syntax("a value without a key in a dictionary", place)
        case .plist where hasRoot: throw syntax("a second value in the plist element, which must have only one", place)
        case .plist: hasRoot = true
        default: break
        }
    }

    private func end(_ place: PropertyListPlace) throws(GranaryError) {
        if let kind = scalar {
            scalar = nil
            try handle(try event(kind), scalarPlace)
            if kind == .key { levels.append(.valueOfKey) } else { finishValue() }
            return
        }
        switch levels.popLast() {
        case .array:
            try handle(.endArray, place)
            finishValue()
        case .dictionary:
            try handle(.endDictionary, place)
            finishValue()
        case .valueOfKey: throw syntax("the last key of a dictionary has no value", place)
        case .plist:
            guard hasRoot else { throw syntax("the plist element is empty", place) }
        case nil: break
        }
    }

    private func finishValue() {
        if levels.last == .valueOfKey { levels.removeLast() }
    }

    private func event(_ kind: Scalar) throws(GranaryError) -> PropertyListEvent {
        func value<Value>(_ value: Value?, _ what: String) throws(GranaryError) -> Value {
            if let value { return value }
            let found = Diagnostic.shortened(String(decoding: text.prefix(400), as: UTF8.self))
            throw syntax("\"\(found)\" is not \(what)", scalarPlace)
        }
        switch kind {
        case .key: return .key(String(decoding: text, as: UTF8.self))
        case .string: return .string(String(decoding: text, as: UTF8.self))
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
        }
    }

    private func add(_ bytes: some Collection<UInt8>, _ place: PropertyListPlace) throws(GranaryError) {
        if scalar == nil {
            guard bytes.allSatisfy(XMLScalarText.isSpace) else { throw syntax("text outside a value", place) }
            return
        }
        guard bytes.count <= limits.valueBytes - text.count else {
            throw PropertyListError.limit("a value of more than \(limits.valueBytes) bytes, the limit", place, source)
        }
        text.append(contentsOf: bytes)
    }
}
