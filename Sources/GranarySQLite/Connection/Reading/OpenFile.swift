internal import Synchronization

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Darwin)
    import Darwin
#endif

/// A file that a connection of this process has open, from before its first lock until it is closed for good.
///
/// Closing any descriptor of a file gives up all locks that the process has on it (POSIX, `close`; "How To Corrupt An
/// SQLite Database File", 2.2). So whoever opens a database file beside SQLite lets the descriptor go here: it stays
/// open as long as a connection has the file.
final class OpenFile: Sendable {
    private struct Entry {
        var connections = 0
        var waiting: [Int32] = []
    }

    private static let entries = Mutex<[FileIdentity: Entry]>([:])

    private let identity: FileIdentity

    init(_ identity: FileIdentity) {
        self.identity = identity
        Self.entries.withLock { $0[identity, default: Entry()].connections += 1 }
    }

    deinit {
        let identity = identity
        // Closed before another connection can take locks: that waits here first.
        Self.entries.withLock { entries in
            guard var entry = entries[identity] else { return }
            entry.connections -= 1
            if entry.connections > 0 {
                entries[identity] = entry
            } else {
                for descriptor in entry.waiting { close(descriptor) }
                entries[identity] = nil
            }
        }
    }

    static func isOpen(_ identity: FileIdentity) -> Bool {
        entries.withLock { $0[identity] != nil }
    }

    /// Closes a descriptor of the database file `identity`, or of a companion of it, as soon as that does no harm.
    static func letGo(_ descriptor: Int32, of identity: FileIdentity) {
        entries.withLock { entries in
            if entries[identity] != nil {
                entries[identity]?.waiting.append(descriptor)
            } else {
                close(descriptor)
            }
        }
    }
}
