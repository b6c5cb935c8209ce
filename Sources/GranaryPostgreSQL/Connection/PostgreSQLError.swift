#if PostgreSQL
    import GranaryBase
    import GranaryCLibPQ

    /// An error that the server or libpq reported.
    struct PostgreSQLError: Error {
        /// The five characters of the SQLSTATE; nil for an error of libpq itself, such as a lost connection.
        let state: String?
        let message: String
        /// The server's explanation, such as `Key (email)=(a@b) already exists.`
        let detail: String?
        /// The constraint or unique index that a row violates.
        let constraint: String?
        let table: String?
        let column: String?
        /// The store, without passwords.
        let source: String
        /// Whether the statement is the COMMIT, which the server may have executed before the connection was lost.
        var isOfCommit = false

        init(
            source: String, message: String, state: String? = nil, detail: String? = nil, constraint: String? = nil,
            table: String? = nil, column: String? = nil
        ) {
            self.source = source
            self.message = message
            self.state = state
            self.detail = detail
            self.constraint = constraint
            self.table = table
            self.column = column
        }

        /// - Parameter result: a failed result.
        init(_ result: OpaquePointer, source: String) {
            func field(_ code: UInt8) -> String? {
                PQresultErrorField(result, Int32(code)).map { String(cString: $0) }
            }
            // The codes are macros with characters, which Swift does not import (libpq, postgres_ext.h).
            self.init(
                source: source,
                message: field(UInt8(ascii: "M")) ?? PQresultErrorMessage(result).map { String(cString: $0) } ?? "",
                state: field(UInt8(ascii: "C")), detail: field(UInt8(ascii: "D")), constraint: field(UInt8(ascii: "n")),
                table: field(UInt8(ascii: "t")), column: field(UInt8(ascii: "c")))
        }

        var isUniqueViolation: Bool { state == "23505" }
        /// Whether a row violates a constraint, or a value does not fit its column (classes 22 and 23), or an index entry is
        /// too large.
        var isRefusal: Bool { state.map { $0.hasPrefix("22") || $0.hasPrefix("23") || $0 == "54000" } ?? false }
        /// Whether another transaction was in the way: a lock that was not released, a deadlock, a serialization failure.
        var isBusy: Bool { state.map { ["55P03", "40001", "40P01"].contains($0) } ?? false }
        /// A serialization failure or a deadlock.
        var isConflict: Bool { state.map { ["40001", "40P01"].contains($0) } ?? false }
        /// Whether there is no connection any more: libpq itself reports it, or the server ends the session (57P01 to 57P03).
        var isLost: Bool { state.map { $0.hasPrefix("57P0") } ?? true }
        var isUndefinedTable: Bool { state == "42P01" || state == "3F000" }
        var isDuplicateObject: Bool { state.map { ["42P07", "42710", "42P06"].contains($0) } ?? false }
    }

    extension PostgreSQLError: GranaryErrorConvertible {
        var granaryError: GranaryError {
            let code: GranaryError.Code
            switch state {
            case nil: code = .inputOutput
            case _ where isBusy: code = .busy
            case "57014": code = .interrupted
            case let state? where isRefusal || state.hasPrefix("42"): code = .refused
            case let state? where state.hasPrefix("28") || state.hasPrefix("3D") || state.hasPrefix("08"):
                code = .unreadable
            case "25006": code = .usage
            default: code = .inputOutput
            }
            let number = state.map { " (SQLSTATE \($0))" } ?? ""
            let more = detail.map { ": \($0)" } ?? ""
            let advice = advice.map { "; \($0)" } ?? ""
            let text = message.replacing("\n", with: " ")
            return GranaryError(code, "\(source): \(text)\(more)\(number)\(advice)", underlying: self)
        }

        /// What happened to the store, and what to do. All changes are in one transaction, which the server has rolled back.
        private var advice: String? {
            switch state {
            case _ where isLost && isOfCommit:
                "the connection was lost while the transaction was committed: either all of it is in the store or nothing; look "
                    + "with `granary store info` before it is run again"
            case _ where isLost:
                "the connection was lost, and nothing was changed: run it again when the server can be reached"
            case "53100": "the server has no room, and nothing was changed: free space on its disk and run it again"
            case "55P03":
                "another program has locked the store, and nothing was changed: run it again, or wait longer with --busy-timeout"
            case "40001", "40P01":
                "another program changed the same rows at the same time, and nothing was changed: run it again"
            default: nil
            }
        }
    }
#endif
