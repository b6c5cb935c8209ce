/// The running statements of one connection. SQLite's own times are whole milliseconds.
final class StatementTrace {
    private let threshold: Duration
    private let body: Connection.StatementReport
    /// By the address of the statement.
    private var running: [UnsafeMutableRawPointer: (start: ContinuousClock.Instant, rows: Int)] = [:]

    init(from threshold: Duration, _ body: @escaping Connection.StatementReport) {
        self.threshold = threshold
        self.body = body
    }

    /// The statement of a trigger has the address of the statement that fires it, which has begun before.
    func begin(_ statement: UnsafeMutableRawPointer) {
        if running[statement] == nil { running[statement] = (.now, 0) }
    }

    func addRow(of statement: UnsafeMutableRawPointer) { running[statement]?.rows += 1 }

    func end(_ statement: UnsafeMutableRawPointer, _ sql: @autoclosure () -> String) {
        guard let (start, rows) = running.removeValue(forKey: statement) else { return }
        let duration = ContinuousClock.now - start
        if duration >= threshold { body(sql(), duration, rows) }
    }

    func report(_ sql: String, _ duration: Duration, _ rowCount: Int) {
        if duration >= threshold { body(sql, duration, rowCount) }
    }
}
