import GranarySeeding
import Synchronization

/// Shows how far an import is, each time it is told to.
final class ProgressPainter: Sendable {
    /// How it is shown.
    enum Form: Sendable {
        /// One line of a terminal, written over and at the end taken away.
        case overwritten
        /// Lines that stay, for pipes and logs.
        case lines
    }

    private struct State {
        var isDone = false
        var last: String?
    }

    let form: Form
    private let progress: ImportProgress
    private let messages: MessageStream
    private let terminal: Terminal
    private let state = Mutex(State())

    init(_ progress: ImportProgress, form: Form, to messages: MessageStream, on terminal: Terminal) {
        self.progress = progress
        self.form = form
        self.messages = messages
        self.terminal = terminal
    }

    /// Shows where the import is now; nothing before its first source, and nothing after ``finish()``.
    func draw() {
        let snapshot = progress.snapshot
        guard snapshot.file != nil else { return }
        state.withLock { state in
            guard !state.isDone else { return }
            switch form {
            case .overwritten: messages.show(ProgressLine.text(snapshot, width: terminal.width))
            case .lines: write(snapshot, &state)
            }
        }
    }

    /// Takes the line away, or writes the last one of those that stay.
    func finish() {
        progress.finish()
        let snapshot = progress.snapshot
        state.withLock { state in
            guard !state.isDone else { return }
            state.isDone = true
            switch form {
            case .overwritten: messages.erase()
            case .lines: if snapshot.file != nil { write(snapshot, &state) }
            }
        }
    }

    private func write(_ snapshot: ImportProgress.Snapshot, _ state: inout State) {
        let text = ProgressLine.text(snapshot)
        guard text != state.last else { return }
        messages.line(text)
        state.last = text
    }
}
