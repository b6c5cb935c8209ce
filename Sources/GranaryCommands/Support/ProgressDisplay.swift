import Dispatch

/// Draws the progress of an import beside it, until it is stopped.
final class ProgressDisplay {
    private let painter: ProgressPainter
    private let timer: any DispatchSourceTimer

    /// A terminal's line changes ten times a second and not in the first moment, so that a short import shows none;
    /// lines that stay come one a second.
    init(_ painter: ProgressPainter) {
        self.painter = painter
        timer = DispatchSource.makeTimerSource(queue: DispatchQueue(label: "granary.progress"))
        switch painter.form {
        case .overwritten: timer.schedule(deadline: .now() + .milliseconds(300), repeating: .milliseconds(100))
        case .lines: timer.schedule(deadline: .now() + .seconds(1), repeating: .seconds(1))
        }
        timer.setEventHandler { painter.draw() }
        timer.resume()
    }

    deinit { timer.cancel() }

    /// Nothing is drawn once this has returned.
    func stop() {
        timer.cancel()
        painter.finish()
    }
}
