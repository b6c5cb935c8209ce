#if PostgreSQL
    /// A row of a result.
    struct ResultRow: SQLRow {
        let result: PostgreSQLResult
        let row: Int

        init(_ result: PostgreSQLResult, _ row: Int) {
            self.result = result
            self.row = row
        }

        func value(_ column: Int) -> UnsafeBufferPointer<UInt8>? { result.value(row, column) }
    }
#endif
