internal import GranaryCSQLite

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
            database, UInt32(SQLITE_TRACE_STMT | SQLITE_TRACE_ROW | SQLITE_TRACE_PROFILE),
            { event, context, statement, _ in
                guard let context, let statement else { return 0 }
                let trace = Unmanaged<StatementTrace>.fromOpaque(context).takeUnretainedValue()
                switch event {
                case UInt32(SQLITE_TRACE_STMT): trace.begin(statement)
                case UInt32(SQLITE_TRACE_ROW): trace.addRow(of: statement)
                default: trace.end(statement, sqlite3_sql(OpaquePointer(statement)).map { String(cString: $0) } ?? "")
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
