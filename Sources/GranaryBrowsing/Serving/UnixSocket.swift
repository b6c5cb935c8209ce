import GranaryBase

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// A connection on a Unix socket, which is closed when nobody uses it any more.
final class UnixSocket {
    /// Seconds after which a read or a write that does not go on fails.
    private static let timeout = 60
    private let descriptor: Int32

    init(_ descriptor: Int32) {
        self.descriptor = descriptor
        var time = timeval()
        time.tv_sec = Self.timeout
        for option in [SO_RCVTIMEO, SO_SNDTIMEO] {
            setsockopt(descriptor, SOL_SOCKET, option, &time, socklen_t(MemoryLayout<timeval>.size))
        }
        #if canImport(Darwin)
            var on: Int32 = 1
            setsockopt(descriptor, SOL_SOCKET, SO_NOSIGPIPE, &on, socklen_t(MemoryLayout<Int32>.size))
        #endif
    }

    deinit { close(descriptor) }

    /// Creates a socket that listens at a path.
    static func listener(_ path: String) throws(GranaryError) -> Int32 {
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        let bytes = Array(path.utf8)
        let capacity = MemoryLayout.size(ofValue: address.sun_path)
        guard bytes.count < capacity else {
            throw GranaryError(
                .uncreatable, "\(path): the path is too long for a socket; set TMPDIR to a folder with a shorter path")
        }
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: bytes) }
        #if canImport(Glibc)
            let kind = Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue)
        #else
            let kind = SOCK_STREAM
        #endif
        let descriptor = socket(AF_UNIX, kind, 0)
        guard descriptor >= 0 else { throw failure(path) }
        let isBound = withUnsafePointer(to: &address) { pointer in
            // The system takes all kinds of addresses by a pointer to their common beginning.
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size)) == 0
            }
        }
        guard isBound, listen(descriptor, 64) == 0 else {
            let error = failure(path)
            close(descriptor)
            throw error
        }
        return descriptor
    }

    private static func failure(_ path: String) -> GranaryError {
        GranaryError(.uncreatable, "\(path): the socket cannot be created: \(String(cString: strerror(errno)))")
    }

    /// Reads to the first empty line; nil if there is none within `limit` bytes.
    func readHead(limit: Int) -> [UInt8]? {
        var head: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 4096)
        while head.count <= limit {
            let count = recv(descriptor, &buffer, buffer.count, 0)
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { return nil }
            head += buffer[..<count]
            if head.suffix(2).elementsEqual([10, 10]) { return head }
        }
        return nil
    }

    func write(_ bytes: [UInt8]) throws(GranaryError) {
        try bytes.withUnsafeBufferPointer { (bytes) throws(GranaryError) in
            try write(UnsafeRawBufferPointer(bytes))
        }
    }

    /// - Throws: ``GranaryError`` with code `inputOutput` if the other side is gone.
    func write(_ bytes: UnsafeRawBufferPointer) throws(GranaryError) {
        #if canImport(Darwin)
            let flags: Int32 = 0
        #else
            let flags = Int32(MSG_NOSIGNAL)
        #endif
        var rest = bytes[...]
        while !rest.isEmpty {
            let part = UnsafeRawBufferPointer(rebasing: rest)
            let count = send(descriptor, part.baseAddress, part.count, flags)
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { throw GranaryError(.inputOutput, "the reader of the answer has gone") }
            rest = rest.dropFirst(count)
        }
    }
}
