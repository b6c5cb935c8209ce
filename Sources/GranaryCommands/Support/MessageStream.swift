import Synchronization

/// Lines of messages, and below them one that is written over: they never share a line of the terminal.
final class MessageStream: Sendable {
    private let write: @Sendable (String) -> Void
    /// What stands in the line that is written over; nil for nothing.
    private let status = Mutex<String?>(nil)

    /// The start of the line, and nothing behind it (ECMA-48: EL).
    private static let erasure = "\r\u{1B}[K"

    init(_ write: @escaping @Sendable (String) -> Void) { self.write = write }

    /// Writes a line that stays, in the place of the one that is written over.
    func line(_ text: String) {
        status.withLock { status in
            write((status == nil ? "" : Self.erasure) + text + "\n")
            status = nil
        }
    }

    /// Writes the line that the next one is written over.
    func show(_ text: String) {
        status.withLock { status in
            guard status != text else { return }
            // Erasing behind the text, not before it: the line does not flicker.
            write("\r\(text)\u{1B}[K")
            status = text
        }
    }

    /// Takes away the line that is written over.
    func erase() {
        status.withLock { status in
            guard status != nil else { return }
            write(Self.erasure)
            status = nil
        }
    }
}
