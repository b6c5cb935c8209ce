#if PostgreSQL
    /// Fields in the binary format of COPY: each is its length as four bytes and its bytes, or -1 for NULL
    /// (https://www.postgresql.org/docs/current/sql-copy.html). Parameters of statements point into such a buffer.
    struct FieldBuffer {
        private(set) var bytes: [UInt8] = []

        mutating func removeAll() { bytes.removeAll(keepingCapacity: bytes.capacity <= 8 << 20) }

        /// Removes what was appended after a number of bytes.
        mutating func truncate(to count: Int) { bytes.removeLast(max(0, bytes.count - count)) }

        mutating func appendNull() { append(Int32(-1)) }

        mutating func appendField(_ value: Int16) {
            append(Int32(2))
            append(value)
        }

        mutating func appendField(_ value: Int32) {
            append(Int32(4))
            append(value)
        }

        mutating func appendField(_ value: Int64) {
            append(Int32(8))
            append(value)
        }

        mutating func appendField(_ value: Double) { appendField(Int64(bitPattern: value.bitPattern)) }

        mutating func appendField(_ value: Float) { appendField(Int32(bitPattern: value.bitPattern)) }

        mutating func appendField(_ value: Bool) {
            append(Int32(1))
            bytes.append(value ? 1 : 0)
        }

        mutating func appendField(_ value: some Collection<UInt8>) {
            append(Int32(truncatingIfNeeded: value.count))
            bytes.append(contentsOf: value)
        }

        mutating func appendField(_ value: UnsafeBufferPointer<UInt8>) {
            append(Int32(truncatingIfNeeded: value.count))
            bytes.append(contentsOf: value)
        }

        /// Appends fields of another buffer.
        mutating func append(_ fields: ArraySlice<UInt8>) { bytes.append(contentsOf: fields) }

        mutating func append(_ value: some FixedWidthInteger) {
            withUnsafeBytes(of: value.bigEndian) { bytes.append(contentsOf: $0) }
        }

        /// The signature, the flags and the length of the extension.
        mutating func appendCopyHeader() {
            bytes.append(contentsOf: Array("PGCOPY\n".utf8) + [0xff, 0x0d, 0x0a, 0])
            append(Int32(0))
            append(Int32(0))
        }

        mutating func appendCopyEnd() { append(Int16(-1)) }
    }
#endif
