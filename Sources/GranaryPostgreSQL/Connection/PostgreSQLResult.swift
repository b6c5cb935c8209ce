#if PostgreSQL
    import GranaryCLibPQ

    /// A result of a command.
    final class PostgreSQLResult {
        let pointer: OpaquePointer

        init(_ pointer: OpaquePointer) { self.pointer = pointer }

        deinit { PQclear(pointer) }

        var rowCount: Int { Int(PQntuples(pointer)) }

        var columnCount: Int { Int(PQnfields(pointer)) }

        /// The number of rows that an INSERT, UPDATE or DELETE changed.
        var changes: Int { PQcmdTuples(pointer).flatMap { Int(String(cString: $0)) } ?? 0 }

        /// The bytes of a value; nil for NULL. They are valid as long as this object.
        func value(_ row: Int, _ column: Int) -> UnsafeBufferPointer<UInt8>? {
            let (row, column) = (Int32(truncatingIfNeeded: row), Int32(truncatingIfNeeded: column))
            // libpq returns 1 for places that do not exist.
            guard PQgetisnull(pointer, row, column) == 0, let start = PQgetvalue(pointer, row, column) else {
                return nil
            }
            let count = Int(PQgetlength(pointer, row, column))
            return UnsafeBufferPointer(
                start: UnsafeRawPointer(start).assumingMemoryBound(to: UInt8.self), count: count)
        }

        /// The number of bytes of a row's values.
        func size(_ row: Int) -> Int {
            var size = 0
            for column in 0..<columnCount { size += value(row, column)?.count ?? 0 }
            return size
        }

        func integer(_ row: Int, _ column: Int) -> Int64? { value(row, column).flatMap(BinaryValue.integer) }

        func text(_ row: Int, _ column: Int) -> String? {
            value(row, column).map { String(decoding: $0, as: UTF8.self) }
        }

        func bytes(_ row: Int, _ column: Int) -> [UInt8]? { value(row, column).map(Array.init) }
    }
#endif
