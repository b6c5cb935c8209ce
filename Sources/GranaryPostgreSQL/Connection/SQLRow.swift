#if PostgreSQL
    /// A row of a query, with values in the binary format.
    protocol SQLRow {
        /// The bytes of a value; nil for NULL. They are valid until the next row is read.
        func value(_ column: Int) -> UnsafeBufferPointer<UInt8>?
    }

    extension SQLRow {
        func integer(_ column: Int) -> Int64? { value(column).flatMap(BinaryValue.integer) }

        func text(_ column: Int) -> String? { value(column).map { String(decoding: $0, as: UTF8.self) } }
    }
#endif
