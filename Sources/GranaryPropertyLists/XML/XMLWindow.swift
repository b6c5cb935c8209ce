import GranaryBase

/// The part of a document that is in memory while it is parsed, as valid UTF-8.
///
/// The window of a stream contains only the bytes from ``index`` on. The parser limits how far it looks ahead, so the
/// window stays small. The window of a document in memory keeps all bytes, so that an index is an offset in the
/// document.
///
/// An error of decoding or reading ends the text. It is thrown when the parser needs the bytes after it. Thus the
/// tokens before the error do not depend on the size of the pieces.
struct XMLWindow {
    private(set) var bytes: [UInt8] = []
    /// The index in ``bytes`` of the next byte to parse.
    var index = 0
    /// The number of bytes before ``bytes``.
    private(set) var droppedCount = 0
    /// The error that ended the text.
    private(set) var failure: GranaryError?

    private let source: ByteSource?
    private var decoder: XMLTextDecoder
    private var chunk: [UInt8] = []
    private var isAtEnd = false
    /// The line and column of `placeIndex`, from which ``place(at:)`` counts.
    private var knownPlace = LineColumn()
    private var placeIndex = 0

    /// Creates the window of a stream.
    ///
    /// - Parameters:
    ///   - start: the bytes already read from `source`.
    ///   - pieceBytes: how many bytes are read at once.
    init(_ source: ByteSource, start: [UInt8], pieceBytes: Int = 1 << 16) {
        self.source = source
        decoder = XMLTextDecoder(source: source.name)
        chunk = [UInt8](repeating: 0, count: max(1, pieceBytes))
        decode(start)
    }

    /// Creates the window of a document in memory.
    init(document: [UInt8], source: String) {
        self.source = nil
        decoder = XMLTextDecoder(source: source)
        isAtEnd = true
        decode(document)
    }

    /// Whether the document is UTF-16.
    var isUTF16: Bool { decoder.encoding != nil && decoder.encoding != .utf8 }

    /// Reads further bytes. For a stream, it first drops the bytes before ``index``, which then is 0.
    ///
    /// - Returns: whether there are further bytes.
    /// - Throws: ``GranaryError`` with `encoding.invalid`, and the errors of the source.
    mutating func refill() throws(GranaryError) -> Bool {
        if source != nil, index > 0 {
            advancePlace(to: index)
            droppedCount += index
            bytes.removeSubrange(..<index)
            index = 0
            placeIndex = 0
        }
        let count = bytes.count
        while bytes.count == count {
            if let failure { throw failure }
            guard !isAtEnd, let source else { return false }
            let read = try source.read(into: &chunk)
            isAtEnd = read == 0
            decode(read == chunk.count ? chunk : Array(chunk[..<read]))
        }
        return true
    }

    /// The byte at a distance from ``index``; nil after the end of the document.
    ///
    /// - Throws: as ``refill()``.
    mutating func peek(_ distance: Int) throws(GranaryError) -> UInt8? {
        while index + distance >= bytes.count {
            guard try refill() else { return nil }
        }
        return bytes[index + distance]
    }

    /// Whether a text begins at ``index``.
    ///
    /// - Throws: as ``refill()``.
    mutating func begins(with text: [UInt8]) throws(GranaryError) -> Bool {
        for (distance, byte) in text.enumerated() {
            guard try peek(distance) == byte else { return false }
        }
        return true
    }

    /// The line and column of an index.
    func place(at index: Int) -> LineColumn {
        var place = knownPlace
        place.advance(over: bytes[placeIndex..<max(placeIndex, min(index, bytes.count))])
        return place
    }

    /// Counts lines and columns up to an index, so that the next call of ``place(at:)`` does not repeat it.
    mutating func advancePlace(to index: Int) {
        guard index > placeIndex, index <= bytes.count else { return }
        knownPlace.advance(over: bytes[placeIndex..<index])
        placeIndex = index
    }

    private mutating func decode(_ raw: [UInt8]) {
        do throws(GranaryError) { try decoder.decode(raw, isLast: isAtEnd, into: &bytes) } catch { failure = error }
    }
}
