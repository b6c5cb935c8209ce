import Foundation

/// The raw bytes of a source, shared by all readers of that source.
///
/// A regular file is read with `pread` from one open descriptor. Readers therefore have independent positions, and a
/// file that is replaced during the run is still the opened file. A pipe or terminal can be read only once, unless a
/// ``ByteSpool`` keeps a copy of its bytes.
final class ByteOrigin {
    private enum Kind {
        case memory([UInt8])
        /// A regular file. The source's first byte is at the offset `start`.
        case file(start: Int)
        case stream
        case spooled
    }

    private let kind: Kind
    private let name: String
    private var descriptor: Int32
    private let ownsDescriptor: Bool
    /// The number of bytes; nil if it is unknown, as for a pipe.
    let byteCount: Int?

    /// The bytes of an asynchronous sequence; nil for other sources.
    private let feed: ByteFeed?

    // The lock guards the spool's state: the thread of a property list reader may still read when the source is
    // reopened.
    private let lock = NSLock()
    private let spool: ByteSpool?
    /// The ranges of the spool that hold the bytes read so far, in order.
    private var pieces: [Piece] = []
    private var isAtEnd = false

    private struct Piece {
        let start: Int
        let place: Int
        var count: Int
    }

    init(_ bytes: [UInt8], name: String) {
        kind = .memory(bytes)
        spool = nil
        feed = nil
        self.name = name
        byteCount = bytes.count
        descriptor = -1
        ownsDescriptor = false
    }

    /// Standard input.
    init(standardInput name: String, spool: ByteSpool?) {
        self.name = name
        self.spool = spool
        feed = nil
        descriptor = 0
        ownsDescriptor = false
        let found = Self.look(at: 0, spool)
        kind = found.kind
        byteCount = found.count
    }

    /// The bytes of an asynchronous sequence.
    init(_ feed: ByteFeed, name: String, spool: ByteSpool?) {
        self.name = name
        self.spool = spool
        self.feed = feed
        kind = spool == nil ? .stream : .spooled
        byteCount = nil
        descriptor = -1
        ownsDescriptor = false
    }

    /// - Throws: ``GranaryError`` with code `unreadable` when the file is missing, a folder, or may not be read.
    init(path: String, spool: ByteSpool?) throws(GranaryError) {
        let file = open(path, O_RDONLY | O_CLOEXEC)
        guard file >= 0 else {
            throw GranaryError(.unreadable, "\(path): cannot be opened: \(errnoText())")
        }
        name = path
        self.spool = spool
        feed = nil
        descriptor = file
        ownsDescriptor = true
        let found = Self.look(at: file, spool)
        kind = found.kind
        byteCount = found.count
        var status = stat()
        if fstat(file, &status) == 0, status.st_mode & S_IFMT == S_IFDIR {
            throw GranaryError(.unreadable, "\(path): is a folder, not a file")
        }
    }

    deinit { closeDescriptor() }

    /// The bytes of a source in memory; nil for other sources.
    var memory: [UInt8]? {
        if case .memory(let bytes) = kind { bytes } else { nil }
    }

    /// Whether the source copies the bytes it reads to a spool.
    var isSpooled: Bool {
        if case .spooled = kind { true } else { false }
    }

    /// Whether the source can be read again from its start.
    var isRepeatable: Bool {
        if case .stream = kind { false } else { true }
    }

    /// Reads up to `buffer.count` bytes from `offset` on. A stream without a spool ignores the offset and returns the
    /// next bytes.
    ///
    /// - Returns: the number of bytes read; 0 at the end.
    func read(at offset: Int, into buffer: UnsafeMutableRawBufferPointer) throws(GranaryError) -> Int {
        switch kind {
        case .memory(let bytes):
            let count = max(0, min(buffer.count, bytes.count - offset))
            bytes.withUnsafeBytes { bytes in
                guard count > 0 else { return }
                buffer.copyMemory(from: UnsafeRawBufferPointer(rebasing: bytes[offset..<offset + count]))
            }
            return count
        case .file(let start): return try readFile(descriptor, at: start + offset, into: buffer)
        case .stream: return try readStream(into: buffer)
        case .spooled:
            lock.lock()
            defer { lock.unlock() }
            return try readSpooled(at: offset, into: buffer)
        }
    }

    private static func look(at descriptor: Int32, _ spool: ByteSpool?) -> (kind: Kind, count: Int?) {
        var status = stat()
        guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
            return (spool == nil ? .stream : .spooled, nil)
        }
        // Standard input may be a file whose beginning another program has already read.
        let start = max(0, Int(lseek(descriptor, 0, SEEK_CUR)))
        return (
            spool?.keepsFiles == true ? .spooled : .file(start: start),
            max(0, Int(status.st_size) - start)
        )
    }

    private func readFile(
        _ file: Int32, at offset: Int, into buffer: UnsafeMutableRawBufferPointer
    ) throws(GranaryError) -> Int {
        while true {
            let count = pread(file, buffer.baseAddress, buffer.count, off_t(offset))
            if count >= 0 { return count }
            try checkInterruption()
        }
    }

    private func readStream(into buffer: UnsafeMutableRawBufferPointer) throws(GranaryError) -> Int {
        if let feed { return try feed.read(into: buffer, of: name) }
        while true {
            let count = readDescriptor(descriptor, buffer.baseAddress, buffer.count)
            if count >= 0 { return count }
            try checkInterruption()
        }
    }

    private func checkInterruption() throws(GranaryError) {
        if errno != EINTR { throw GranaryError(.inputOutput, "\(name): cannot be read: \(errnoText())") }
    }

    private func readSpooled(at offset: Int, into buffer: UnsafeMutableRawBufferPointer) throws(GranaryError) -> Int {
        guard let spool else { return 0 }
        if let piece = pieces.last(where: { $0.start <= offset }), offset < piece.start + piece.count {
            let count = min(buffer.count, piece.start + piece.count - offset)
            return try spool.read(
                at: piece.place + offset - piece.start,
                into: UnsafeMutableRawBufferPointer(rebasing: buffer[..<count]), of: name)
        }
        guard !isAtEnd else { return 0 }
        let count = try readStream(into: buffer)
        guard count > 0 else {
            isAtEnd = true
            // An import can have many sources; without this each would keep a descriptor open.
            closeDescriptor()
            return 0
        }
        let place = try spool.append(UnsafeRawBufferPointer(rebasing: buffer[..<count]), of: name)
        if let last = pieces.last, last.place + last.count == place {
            pieces[pieces.count - 1].count += count
        } else {
            pieces.append(Piece(start: offset, place: place, count: count))
        }
        return count
    }

    private func closeDescriptor() {
        if ownsDescriptor, descriptor >= 0 { close(descriptor) }
        descriptor = -1
    }
}

/// Calls `read(2)`, whose name ``ByteOrigin/read(at:into:)`` hides inside the class.
private func readDescriptor(_ descriptor: Int32, _ start: UnsafeMutableRawPointer?, _ count: Int) -> Int {
    read(descriptor, start, count)
}
