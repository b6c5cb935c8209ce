import Dispatch

/// Draws the progress of an import on a timer until it is stopped.
final class ProgressDisplay {
    private let painter: ProgressPainter
    private let timer: any DispatchSourceTimer

    /// A line of a terminal is first drawn after 0.3 seconds, so that a short import shows none, and then ten times a
    /// second. Permanent lines are written once a second.
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

    /// Stops the display. Nothing is drawn afterwards.
    func stop() {
        timer.cancel()
        painter.finish()
    }
}
