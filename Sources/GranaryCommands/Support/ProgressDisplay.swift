import Dispatch
import GranaryImport
import Synchronization

/// Draws the progress of an import, on a timer after ``start()``, until it is stopped.
final class ProgressDisplay: Sendable {
    /// The form of the display.
    enum Form: Sendable {
        /// One line of a terminal, which is overwritten, and erased at the end.
        case overwritten
        /// Permanent lines, for pipes and logs.
        case lines
    }

    private struct State {
        var timer: (any DispatchSourceTimer)?
        var isDone = false
        var last: String?
    }

    private let form: Form
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

    /// A line of a terminal is first drawn after 0.3 seconds, so that a short import shows none, and then ten times a
    /// second. Permanent lines are written once a second.
    func start() {
        state.withLock { state in
            let timer = DispatchSource.makeTimerSource(queue: DispatchQueue(label: "granary.progress"))
            switch form {
            case .overwritten: timer.schedule(deadline: .now() + .milliseconds(300), repeating: .milliseconds(100))
            case .lines: timer.schedule(deadline: .now() + .seconds(1), repeating: .seconds(1))
            }
            timer.setEventHandler { self.draw() }
            timer.resume()
            state.timer = timer
        }
    }

    /// Draws the current progress. Does nothing before the first source, and after ``stop()``.
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

    /// Erases the line, or writes the last permanent line. Nothing is drawn afterwards.
    func stop() {
        progress.finish()
        let snapshot = progress.snapshot
        state.withLock { state in
            guard !state.isDone else { return }
            state.isDone = true
            state.timer?.cancel()
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
