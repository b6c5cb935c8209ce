import GranaryCoordination
import Synchronization

/// The listeners of a container's sequences. Only the container retains it, so that its end ends the sequences.
final class ContainerStreams: Sendable {
    private struct Listener {
        weak var mailbox: SaveMailbox?
    }

    private let listeners = Mutex<[Listener]>([])

    func add(_ mailbox: SaveMailbox) {
        listeners.withLock { listeners in
            listeners.removeAll { $0.mailbox == nil }
            listeners.append(Listener(mailbox: mailbox))
        }
    }

    deinit { for listener in listeners.withLock({ $0 }) { listener.mailbox?.close() } }
}
