import GranarySeeding
import Synchronization

/// Draws the progress of an import.
final class ProgressPainter: Sendable {
    /// The form of the display.
    enum Form: Sendable {
        /// One line of a terminal, which is overwritten, and erased at the end.
        case overwritten
        /// Permanent lines, for pipes and logs.
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

    /// Draws the current progress. Does nothing before the first source, and after ``finish()``.
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

    /// Erases the line, or writes the last permanent line.
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
