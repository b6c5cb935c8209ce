/// Builds a record: "Record Format", https://www.sqlite.org/fileformat2.html#record_format.
struct RecordBuilder: ~Copyable {
    /// The serial types of the values, as varints.
    private var types = Bytes(capacity: 64)
    private var body = Bytes(capacity: 512)

    /// The size of the record's header, including the size field itself.
    private var headerSize: Int {
        let length = Bytes.varintLength(UInt64(types.count))
        let size = types.count &+ length
        return Bytes.varintLength(UInt64(size)) > length ? size &+ 1 : size
    }

    /// The size of the record.
    var size: Int { headerSize &+ body.count }

    /// Appends the record and begins the next one.
    mutating func appendRecord(to bytes: inout Bytes) {
        bytes.appendVarint(UInt64(headerSize))
        bytes.append(types.all)
        bytes.append(body.all)
        removeAll()
    }

    /// Appends the size of the record and the record, and begins the next one.
    ///
    /// - Returns: the offset of the record.
    mutating func end(in bytes: inout Bytes) -> Int {
        bytes.appendVarint(UInt64(size))
        let start = bytes.count
        appendRecord(to: &bytes)
        return start
    }

    mutating func removeAll() {
        types.removeAll()
        body.removeAll()
    }

    mutating func addNull() { types.append(0) }

    mutating func add(_ value: Int64, affinity: RecordBatch.Affinity = .numeric) {
        let magnitude = UInt64(bitPattern: value < 0 ? ~value : value)
        switch magnitude {
        case 0...127:
            if magnitude <= 1, value >= 0 { return types.append(UInt8(8 + magnitude)) }
            add(value, type: 1, bytes: 1)
        case 0...32_767: add(value, type: 2, bytes: 2)
        case 0...8_388_607: add(value, type: 3, bytes: 3)
        case 0...2_147_483_647: add(value, type: 4, bytes: 4)
        case 0...140_737_488_355_327: add(value, type: 5, bytes: 6)
        default:
            if affinity == .real { return addReal(Double(value)) }
            add(value, type: 6, bytes: 8)
        }
    }

    /// Adds the bytes of a value with a serial type.
    mutating func add(type: UInt64, _ value: UnsafeBufferPointer<UInt8>) {
        types.appendVarint(type)
        body.append(value)
    }

    mutating func add(_ value: Double, affinity: RecordBatch.Affinity) {
        if affinity != .none, let whole = Int64(exactly: value), whole != .min, whole != .max {
            return add(whole, affinity: affinity)
        }
        addReal(value)
    }

    /// Adds a blob of one byte followed by other bytes.
    mutating func add(blob first: UInt8, _ rest: UnsafeBufferPointer<UInt8>) {
        types.appendVarint((UInt64(rest.count) &+ 1) &* 2 &+ 12)
        body.append(first)
        body.append(rest)
    }

    private mutating func addReal(_ value: Double) {
        types.append(7)
        body.appendBigEndian(value.bitPattern, bytes: 8)
    }

    private mutating func add(_ value: Int64, type: UInt8, bytes: Int) {
        types.append(type)
        body.appendBigEndian(UInt64(bitPattern: value), bytes: bytes)
    }
}
