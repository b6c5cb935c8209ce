import Foundation
import GranaryBase
internal import Synchronization

/// A registration of a file that a connection of this process has open, from before its first lock until it is closed.
///
/// Closing any descriptor of a file releases all locks of the process on it (POSIX, `close`; "How To Corrupt An SQLite
/// Database File", 2.2). Code that opens a database file beside SQLite therefore closes its descriptor with
/// ``letGo(_:of:)``, which delays the closing as long as a connection has the file open.
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
        // The descriptors are closed before another connection can take locks, because it must wait for the mutex.
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

    /// Closes a descriptor of the database file `identity` or of its companion as soon as no connection has the file
    /// open.
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
