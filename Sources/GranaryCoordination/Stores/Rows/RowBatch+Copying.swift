import GranaryBase

extension RowBatch {
    /// Appends a copy of a row of another batch, including its bytes, and returns its index.
    @discardableResult
    package mutating func append(_ row: Int, of other: borrowing RowBatch, slotCount: Int) -> Int {
        let header = other.rows[row]
        let copy = appendRow(
            entity: Int(header.entity), key: header.key, version: header.version, slotCount: slotCount)
        for slot in 0..<slotCount { self[copy, slot] = other[row, slot].moved(from: other.bytes, to: &bytes) }
        return copy
    }

    /// Sets a cell to a copy of another batch's cell.
    package mutating func set(row: Int, slot: Int, to otherRow: Int, of other: borrowing RowBatch) {
        self[row, slot] = other[otherRow, slot].moved(from: other.bytes, to: &bytes)
    }

    /// Whether the cells of two rows have the same value.
    package func hasValue(row: Int, slot: Int, of other: borrowing RowBatch, row otherRow: Int) -> Bool {
        let (left, right) = (self[row, slot], other[otherRow, slot])
        return bytes.withUnsafeBufferPointer { bytes in
            other.bytes.withUnsafeBufferPointer { left.hasValue(of: right, bytes, $0) }
        }
    }
}

extension StoredCell {
    /// Appends the cell's bytes to another buffer and returns the cell for that buffer.
    package func moved(from source: [UInt8], to target: inout [UInt8]) -> StoredCell {
        func move(_ start: UInt32, _ count: UInt32) -> UInt32 {
            let moved = UInt32(truncatingIfNeeded: target.count)
            target.append(contentsOf: source[Int(start)..<Int(start) + Int(count)])
            return moved
        }
        switch self {
        case .null, .integer, .real, .reference: return self
        case .text(let start, let count): return .text(start: move(start, count), count: count)
        case .blob(let start, let count): return .blob(start: move(start, count), count: count)
        case .file(let start, let count): return .file(start: move(start, count), count: count)
        case .decimal(let start, let count): return .decimal(start: move(start, count), count: count)
        }
    }
}

extension StoredCell {
    /// Whether two cells have the same value. References compare by key, which is unique in a hierarchy.
    package func hasValue(
        of other: Self, _ bytes: UnsafeBufferPointer<UInt8>, _ otherBytes: UnsafeBufferPointer<UInt8>
    ) -> Bool {
        switch (self, other) {
        case (.null, .null): true
        case (.integer(let left), .integer(let right)): left == right
        case (.real(let left), .real(let right)): left == right
        case (.integer(let whole), .real(let real)), (.real(let real), .integer(let whole)):
            Int64(exactly: real) == whole
        case (.reference(let left, _), .reference(let right, _)): left == right
        case (.text(let start, let count), .text(let otherStart, let otherCount)),
            (.blob(let start, let count), .blob(let otherStart, let otherCount)),
            (.decimal(let start, let count), .decimal(let otherStart, let otherCount)):
            count == otherCount
                && Self.span(bytes, start, count).elementsEqual(Self.span(otherBytes, otherStart, otherCount))
        case (.file(let start, let count), .blob(let otherStart, let otherCount)):
            ValueComparison.hasContent(
                Self.path(bytes, start, count), Self.span(otherBytes, otherStart, otherCount))
        case (.blob(let start, let count), .file(let otherStart, let otherCount)):
            ValueComparison.hasContent(
                Self.path(otherBytes, otherStart, otherCount), Self.span(bytes, start, count))
        case (.file(let start, let count), .file(let otherStart, let otherCount)):
            ValueComparison.haveEqualContents(
                Self.path(bytes, start, count), Self.path(otherBytes, otherStart, otherCount))
        default: false
        }
    }

    private static func path(_ bytes: UnsafeBufferPointer<UInt8>, _ start: UInt32, _ count: UInt32) -> String {
        String(decoding: span(bytes, start, count), as: UTF8.self)
    }

    /// A cell is created with its bytes, so the span is inside the buffer.
    private static func span(
        _ bytes: UnsafeBufferPointer<UInt8>, _ start: UInt32, _ count: UInt32
    ) -> UnsafeBufferPointer<UInt8> {
        UnsafeBufferPointer(rebasing: bytes[Int(start)..<Int(start) + Int(count)])
    }
}
