/// The head of a request, with the headers that `granary` needs.
///
/// Only GET and HEAD requests without a body, in HTTP/1.1 or 1.0, are understood; `granary` refuses other methods.
struct RequestHead: Equatable {
    /// The reason why a head is refused, as a status of HTTP.
    enum Refusal: Int, Error {
        case badRequest = 400
        case timeout = 408
        case bodyTooLarge = 413
        case targetTooLong = 414
        case headTooLarge = 431
        case busy = 503
    }

    /// The maximum number of bytes of a head.
    static let limit = 16 << 10
    /// The maximum number of bytes of the path and query.
    static let targetLimit = 8 << 10
    /// The maximum number of headers.
    static let headerLimit = 100
    /// The names of the headers that are passed on, in lower case.
    static let forwarded: Set = ["host", "cookie", "sec-fetch-site"]

    let method: String
    let target: String
    /// The forwarded headers, in the order of the request; names are in lower case.
    private(set) var headers: [Header] = []

    struct Header: Equatable {
        let name: String
        let value: String
    }

    /// The number of bytes of the head at the start of `bytes`, with the empty line at its end; nil if it is incomplete.
    static func length(in bytes: [UInt8]) -> Int? {
        let end: [UInt8] = [13, 10, 13, 10]
        guard bytes.count >= end.count else { return nil }
        for start in 0...(bytes.count - end.count) where bytes[start] == 13 {
            if bytes[start..<start + end.count].elementsEqual(end) { return start + end.count }
        }
        return nil
    }

    /// Parses a head.
    ///
    /// - Parameter bytes: a whole head, with the empty line.
    init(_ bytes: some Collection<UInt8>) throws(Refusal) {
        guard bytes.count <= Self.limit else { throw .headTooLarge }
        var lines = try Self.lines(bytes)
        guard !lines.isEmpty else { throw .badRequest }
        let words = lines.removeFirst().split(separator: 0x20, omittingEmptySubsequences: false)
        guard words.count == 3, Self.isToken(words[0]), words[0].count <= 20 else { throw .badRequest }
        guard words[1].count <= Self.targetLimit else { throw .targetTooLong }
        guard words[1].first == UInt8(ascii: "/"), words[1].allSatisfy({ (0x21...0x7E).contains($0) }),
            ["HTTP/1.1", "HTTP/1.0"].contains(Self.text(words[2]))
        else { throw .badRequest }
        (method, target) = (Self.text(words[0]), Self.text(words[1]))
        guard lines.count <= Self.headerLimit else { throw .headTooLarge }
        for line in lines { try add(line) }
    }

    private mutating func add(_ line: [UInt8]) throws(Refusal) {
        guard let colon = line.firstIndex(of: UInt8(ascii: ":")), Self.isToken(line[..<colon]) else {
            throw .badRequest
        }
        let name = Self.text(line[..<colon]).lowercased()
        let bytes = Self.trimmed(line[(colon + 1)...])
        let value = Self.text(bytes)
        switch name {
        case "content-length":
            guard value == "0" else { throw .bodyTooLarge }
        case "transfer-encoding": throw .bodyTooLarge
        case _ where Self.forwarded.contains(name):
            // A value with other bytes is none that a browser sends.
            guard bytes.allSatisfy({ (0x20...0x7E).contains($0) }) else { throw .badRequest }
            // Two hosts, or two sites, would let somebody choose which one is checked.
            if name != "cookie", headers.contains(where: { $0.name == name }) { throw .badRequest }
            headers.append(Header(name: name, value: value))
        default: break
        }
    }

    /// The lines, without the empty one at the end. A line feed without a carriage return is refused: programs disagree
    /// on what it means.
    private static func lines(_ bytes: some Collection<UInt8>) throws(Refusal) -> [[UInt8]] {
        var lines: [[UInt8]] = []
        var line: [UInt8] = []
        var wasReturn = false
        for byte in bytes {
            switch byte {
            case 10:
                guard wasReturn else { throw .badRequest }
                lines.append(line)
                line = []
                wasReturn = false
            case 13:
                if wasReturn { throw .badRequest }
                wasReturn = true
            default:
                guard !wasReturn, byte != 0 else { throw .badRequest }
                line.append(byte)
            }
        }
        guard line.isEmpty, !wasReturn, lines.last?.isEmpty == true else { throw .badRequest }
        lines.removeLast()
        return lines
    }

    private static func isToken(_ bytes: some Collection<UInt8>) -> Bool {
        !bytes.isEmpty
            && bytes.allSatisfy { byte in
                switch byte {
                case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                    UInt8(ascii: "0")...UInt8(ascii: "9"):
                    true
                default: "!#$%&'*+-.^_`|~".utf8.contains(byte)
                }
            }
    }

    private static func trimmed(_ bytes: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
        func isSpace(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 9 }
        var rest = bytes.drop(while: isSpace)
        while let last = rest.last, isSpace(last) { rest.removeLast() }
        return rest
    }

    private static func text(_ bytes: some Collection<UInt8>) -> String { String(decoding: bytes, as: UTF8.self) }

    /// The head in the form that `granary` reads: a line `METHOD TARGET`, a line for each header, and an empty line. No
    /// part contains a line feed.
    var forwardedText: String {
        "\(method) \(target)\n" + headers.map { "\($0.name): \($0.value)\n" }.joined() + "\n"
    }
}
