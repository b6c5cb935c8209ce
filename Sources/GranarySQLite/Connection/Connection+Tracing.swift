internal import CSQLite

extension Connection {
    /// Receives the SQL of a statement with `?` in place of values, the time from its first step to its end, and the
    /// number of its rows.
    package typealias StatementReport = (_ sql: String, _ duration: Duration, _ rowCount: Int) -> Void

    /// Reports each statement at its end, without those that run inside triggers; nil to stop
    /// (https://www.sqlite.org/c3ref/trace_v2.html).
    ///
    /// - Parameter threshold: statements that take less time are not reported.
    package func traceStatements(from threshold: Duration = .zero, _ report: StatementReport?) throws(SQLiteError) {
        let database = try open
        trace = report.map { StatementTrace(from: threshold, $0) }
        Self.install(trace, on: database)
    }

    static func install(_ trace: StatementTrace?, on database: OpaquePointer) {
        guard let trace else {
            _ = sqlite3_trace_v2(database, 0, nil, nil)
            return
        }
        let context = Unmanaged.passUnretained(trace).toOpaque()
        _ = sqlite3_trace_v2(
            database, UInt32(SQLITE_TRACE_PROFILE | SQLITE_TRACE_ROW),
            { event, context, statement, value in
                guard let context, let statement else { return 0 }
                let trace = Unmanaged<StatementTrace>.fromOpaque(context).takeUnretainedValue()
                if event == UInt32(SQLITE_TRACE_ROW) {
                    trace.addRow(of: statement)
                } else if let nanoseconds = value?.load(as: Int64.self) {
                    let sql = sqlite3_sql(OpaquePointer(statement)).map { String(cString: $0) } ?? ""
                    trace.end(statement, sql, .nanoseconds(nanoseconds))
                }
                return 0
            }, context)
    }

    /// Runs `body`, which reads without a statement, and reports it like one.
    ///
    /// - Parameter rowCount: the number of rows that were read, after `body`.
    package func tracing<Result>(
        _ sql: @autoclosure () -> String, rowCount: () -> Int, _ body: () throws -> Result
    ) rethrows -> Result {
        guard let trace else { return try body() }
        let start = ContinuousClock.now
        defer { trace.report(sql(), ContinuousClock.now - start, rowCount()) }
        return try body()
    }
}

/// Counts the rows of the running statements of one connection.
final class StatementTrace {
    private let threshold: Duration
    private let body: Connection.StatementReport
    /// By the address of the statement.
    private var rows: [UnsafeMutableRawPointer: Int] = [:]

    init(from threshold: Duration, _ body: @escaping Connection.StatementReport) {
        self.threshold = threshold
        self.body = body
    }

    func addRow(of statement: UnsafeMutableRawPointer) { rows[statement, default: 0] += 1 }

    func end(_ statement: UnsafeMutableRawPointer, _ sql: String, _ duration: Duration) {
        report(sql, duration, rows.removeValue(forKey: statement) ?? 0)
    }

    func report(_ sql: String, _ duration: Duration, _ rowCount: Int) {
        if duration >= threshold { body(sql, duration, rowCount) }
    }
}
