#if PostgreSQL
    import GranaryBase
    import GranaryCoordination

    /// Collects rows in batches and passes full ones on.
    struct BatchedRows {
        private let reader: RowReader
        private let batchSize: Int
        private var batch = RowBatch()
        /// Whether the receiver wants no more batches.
        private(set) var isStopped = false

        /// A batch is passed on when it reaches this many bytes, however few rows it has.
        static let byteLimit = 8 << 20

        init(_ reader: RowReader, batchSize: Int) {
            self.reader = reader
            self.batchSize = max(1, batchSize)
        }

        /// Adds a row. Returns false if no more rows are wanted.
        mutating func append(_ row: some SQLRow, _ body: (inout RowBatch) throws -> Bool) throws -> Bool {
            try reader.append(row, to: &batch)
            guard batch.rows.count >= batchSize || batch.bytes.count >= Self.byteLimit else { return true }
            try Cancellation.current?.check()
            isStopped = try !body(&batch)
            batch.removeAll()
            return !isStopped
        }

        /// Passes on the last rows.
        mutating func finish(_ body: (inout RowBatch) throws -> Bool) throws {
            if !isStopped, !batch.isEmpty { _ = try body(&batch) }
        }
    }
#endif
