/// Reads records ("Record Format", https://www.sqlite.org/fileformat2.html#record_format) and compares them ("Record
/// Sort Order").
enum IndexRecord {
    /// A value in a record.
    struct Value: BitwiseCopyable {
        let type: UInt64
        /// The offset in the record.
        let start: Int

        var isNull: Bool { type == 0 }
        /// Whether it is an integer in the form that ``RecordBuilder`` gives it.
        var isInteger: Bool { type <= 6 && type > 0 || type == 8 || type == 9 }

        /// The size in bytes.
        var count: Int {
            switch type {
            case 0, 8, 9, 10, 11: 0
            case 1...4: Int(type)
            case 5: 6
            case 6, 7: 8
            default: Int(truncatingIfNeeded: (type &- 12) / 2)
            }
        }

        /// The order of the storage classes: NULL, numbers, texts, blobs.
        var rank: Int {
            switch type {
            case 0: 0
            case 1...9: 1
            default: type % 2 == 1 ? 2 : 3
            }
        }
    }

    /// Reads a varint and moves `place` to the byte after it.
    static func varint(_ bytes: UnsafeBufferPointer<UInt8>, _ place: inout Int) -> UInt64 {
        var value = UInt64(bytes[place])
        place &+= 1
        guard value >= 0x80 else { return value }
        value &= 0x7F
        for index in 1..<9 {
            let byte = bytes[place]
            place &+= 1
            if index == 8 { return value << 8 | UInt64(byte) }
            value = value << 7 | UInt64(byte & 0x7F)
            if byte < 0x80 { break }
        }
        return value
    }

    /// Reads at most `count` values of a record.
    static func values(_ record: UnsafeBufferPointer<UInt8>, count: Int, into values: inout [Value]) {
        values.removeAll(keepingCapacity: true)
        var place = 0
        let header = Int(truncatingIfNeeded: varint(record, &place))
        var start = header
        while place < header, values.count < count {
            let value = Value(type: varint(record, &place), start: start)
            values.append(value)
            start &+= value.count
        }
    }

    static func integer(_ bytes: UnsafeBufferPointer<UInt8>, _ value: Value) -> Int64 {
        switch value.type {
        case 8: return 0
        case 9: return 1
        default:
            var number: Int64 = bytes[value.start] >= 0x80 ? -1 : 0
            for index in value.start..<value.start + value.count { number = number << 8 | Int64(bytes[index]) }
            return number
        }
    }

    static func real(_ bytes: UnsafeBufferPointer<UInt8>, _ value: Value) -> Double {
        Double(bitPattern: UInt64(bitPattern: integer(bytes, value)))
    }

    /// Compares two records.
    ///
    /// - Parameter descending: for each column, whether larger values come first; further columns are ascending.
    /// - Returns: a negative number if `left` is first, a positive number if `right` is first, 0 if the records are
    ///   equal.
    static func compare(
        _ left: UnsafeBufferPointer<UInt8>, _ right: UnsafeBufferPointer<UInt8>, _ descending: [Bool]
    ) -> Int {
        var (leftPlace, rightPlace) = (0, 0)
        let header = Int(truncatingIfNeeded: varint(left, &leftPlace))
        var (leftStart, rightStart) = (header, Int(truncatingIfNeeded: varint(right, &rightPlace)))
        var column = 0
        while leftPlace < header {
            let first = Value(type: varint(left, &leftPlace), start: leftStart)
            let second = Value(type: varint(right, &rightPlace), start: rightStart)
            let order = compare(left, first, right, second)
            if order != 0 { return column < descending.count && descending[column] ? -order : order }
            leftStart &+= first.count
            rightStart &+= second.count
            column &+= 1
        }
        return 0
    }

    /// Whether the first `columns` values are equal and not NULL.
    static func haveEqualKeys(
        _ left: UnsafeBufferPointer<UInt8>, _ right: UnsafeBufferPointer<UInt8>, columns: Int
    ) -> Bool {
        var (leftPlace, rightPlace) = (0, 0)
        var leftStart = Int(truncatingIfNeeded: varint(left, &leftPlace))
        var rightStart = Int(truncatingIfNeeded: varint(right, &rightPlace))
        for _ in 0..<columns {
            let first = Value(type: varint(left, &leftPlace), start: leftStart)
            let second = Value(type: varint(right, &rightPlace), start: rightStart)
            guard !first.isNull, compare(left, first, right, second) == 0 else { return false }
            leftStart &+= first.count
            rightStart &+= second.count
        }
        return true
    }

    private static func compare(
        _ left: UnsafeBufferPointer<UInt8>, _ first: Value, _ right: UnsafeBufferPointer<UInt8>, _ second: Value
    ) -> Int {
        guard first.rank == second.rank else { return first.rank < second.rank ? -1 : 1 }
        switch first.rank {
        case 0: return 0
        case 1: return compareNumbers(left, first, right, second)
        default:
            let count = min(first.count, second.count)
            for index in 0..<count {
                let (a, b) = (left[first.start &+ index], right[second.start &+ index])
                if a != b { return a < b ? -1 : 1 }
            }
            return first.count == second.count ? 0 : first.count < second.count ? -1 : 1
        }
    }

    private static func compareNumbers(
        _ left: UnsafeBufferPointer<UInt8>, _ first: Value, _ right: UnsafeBufferPointer<UInt8>, _ second: Value
    ) -> Int {
        switch (first.type == 7, second.type == 7) {
        case (false, false):
            let (a, b) = (integer(left, first), integer(right, second))
            return a == b ? 0 : a < b ? -1 : 1
        case (true, true):
            let (a, b) = (real(left, first), real(right, second))
            return a == b ? 0 : a < b ? -1 : 1
        case (false, true): return compare(integer(left, first), real(right, second))
        case (true, false): return -compare(integer(right, second), real(left, first))
        }
    }

    /// Compares exactly, without rounding the integer.
    private static func compare(_ integer: Int64, _ real: Double) -> Int {
        if real >= 9_223_372_036_854_775_808 { return -1 }
        if real < -9_223_372_036_854_775_808 { return 1 }
        let whole = Int64(real.rounded(.towardZero))
        if integer != whole { return integer < whole ? -1 : 1 }
        let rest = real - real.rounded(.towardZero)
        return rest == 0 ? 0 : rest > 0 ? -1 : 1
    }

    // MARK: Sorting

    /// An eight-byte sort key of the first value of a record. Records with different keys sort like their keys.
    ///
    /// - Parameter skipped: the length of the common prefix of all texts and blobs.
    /// - Returns: the key, and whether equal keys mean equal values.
    static func prefix(_ record: UnsafeBufferPointer<UInt8>, skipped: Int) -> (key: UInt64, isExact: Bool) {
        var place = 0
        let header = Int(truncatingIfNeeded: varint(record, &place))
        let value = Value(type: varint(record, &place), start: header)
        switch value.rank {
        case 0: return (0, true)
        case 1:
            // The sign and the upper bits of a double. An integer and a real with the same value have the same key.
            let number = value.type == 7 ? real(record, value) : Double(integer(record, value))
            let bits = (number + 0).bitPattern
            let ordered = bits >> 63 == 1 ? ~bits : bits | 1 << 63
            let isExact = value.type != 7 && abs(number) < 9_007_199_254_740_992
            return (1 << 62 | ordered >> 2, isExact && ordered & 3 == 0)
        default:
            var key: UInt64 = 0
            let rest = value.count &- skipped
            for index in 0..<7 {
                key = key << 8 | (index < rest ? UInt64(record[value.start &+ skipped &+ index]) : 0)
            }
            // The two highest bits are the rank, followed by seven bytes.
            return (UInt64(value.rank) << 62 | key << 6, false)
        }
    }
}
