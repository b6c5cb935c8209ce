import Synchronization

/// Prints lines of messages, and a status line below them that each message erases first.
final class MessageStream: Sendable {
    private let write: @Sendable (String) -> Void
    /// The status line that is shown; nil if there is none.
    private let status = Mutex<String?>(nil)

    /// Returns to the start of the line and erases it (ECMA-48: EL).
    private static let erasure = "\r\u{1B}[K"

    init(_ write: @escaping @Sendable (String) -> Void) { self.write = write }

    /// Writes a line in place of the status line.
    func line(_ text: String) {
        status.withLock { status in
            write((status == nil ? "" : Self.erasure) + HiddenPasswords.hide(in: text) + "\n")
            status = nil
        }
    }

    /// Replaces the status line.
    func show(_ text: String) {
        status.withLock { status in
            guard status != text else { return }
            // Erasing after the text instead of before it avoids flicker.
            write("\r\(text)\u{1B}[K")
            status = text
        }
    }

    /// Erases the status line.
    func erase() {
        status.withLock { status in
            guard status != nil else { return }
            write(Self.erasure)
            status = nil
        }
    }
}
