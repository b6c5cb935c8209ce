package import GranaryBase

/// Regular records that follow one another, as the source's own bytes with the ends of their fields. Valid until the reader
/// is used again.
package struct CSVChunk {
    /// The records' bytes, line ends included.
    package let bytes: UnsafeBufferPointer<UInt8>
    /// For each record, where each of its fields ends: the delimiter or the LF behind it, counted from the start of ``bytes``.
    package let ends: UnsafeBufferPointer<UInt32>
    package let width: Int
    package let recordCount: Int
    package let quote: UInt8
    /// The number of the first record, the physical line and the offset in the source at which it begins.
    package let firstRecord: Int
    package let firstLine: Int
    package let byteOffset: Int
    /// Whether a field has a line end in it; otherwise each record is one line.
    package let hasLineEndInside: Bool
    /// Whether a field may have doubled quotes in it.
    package let hasDoubledQuotes: Bool

    /// Where a record begins.
    package func start(of record: Int) -> Int { record == 0 ? 0 : Int(ends[record &* width &- 1]) &+ 1 }

    /// The bytes of a record without its line end.
    package func raw(of record: Int) -> Range<Int> { start(of: record)..<end(of: record &* width &+ width &- 1) }

    /// Where a field ends, without a CR before the LF.
    @inline(__always)
    private func end(of field: Int) -> Int {
        let end = Int(ends[field])
        guard bytes[end] == 0x0A, end > 0, bytes[end &- 1] == 0x0D else { return end }
        return end &- 1
    }

    /// One field's text in ``bytes``, between its quotes if it has some.
    package struct Field {
        package let start: Int
        package let end: Int
        package let isQuoted: Bool
    }

    /// - Parameter start: the offset of the field's first byte.
    @inline(__always)
    package func field(_ index: Int, from start: Int) -> Field {
        let end = end(of: index)
        guard start < end, bytes[start] == quote else { return Field(start: start, end: end, isQuoted: false) }
        return Field(start: start &+ 1, end: end &- 1, isQuoted: true)
    }

    /// Fills a record from the chunk, as ``CSVReader/next(into:)`` would.
    ///
    /// - Parameter line: the physical line that it begins in.
    package func copy(_ record: Int, line: Int, into target: inout Record) {
        target.removeAll()
        let raw = raw(of: record)
        target.raw.append(contentsOf: bytes[raw])
        target.number = firstRecord + record
        target.line = line
        target.column = 1
        target.byteOffset = byteOffset + raw.lowerBound
        var start = raw.lowerBound
        for column in 0..<width {
            let index = record * width + column
            let field = field(index, from: start)
            let first = target.bytes.count
            append(field, to: &target.bytes)
            target.fields.append(
                Record.Field(
                    kind: field.isQuoted ? .quoted : .text, column: Int32(truncatingIfNeeded: column),
                    start: Int32(truncatingIfNeeded: first), end: Int32(truncatingIfNeeded: target.bytes.count),
                    rawStart: Int32(truncatingIfNeeded: start - raw.lowerBound)))
            start = Int(ends[index]) + 1
        }
    }

    /// Appends a field's text, with doubled quotes as single ones.
    package func append(_ field: Field, to target: inout [UInt8]) {
        let text = bytes[field.start..<field.end]
        guard field.isQuoted, text.contains(quote) else {
            target.append(contentsOf: text)
            return
        }
        var isSecond = false
        for byte in text {
            isSecond = byte == quote && !isSecond
            if byte != quote || isSecond { target.append(byte) }
        }
    }

    /// How many line ends a record has inside.
    package func lineEndsInside(_ record: Int) -> Int {
        guard hasLineEndInside else { return 0 }
        var count = 0
        var wasReturn = false
        for byte in bytes[raw(of: record)] {
            if byte == 0x0D || byte == 0x0A && !wasReturn { count += 1 }
            wasReturn = byte == 0x0D
        }
        return count
    }
}

/// A chunk whose bytes are its own, so that another thread can use it while the reader goes on. Its memory is used again.
package struct CSVChunkCopy {
    private var bytes: [UInt8] = []
    private var ends: [UInt32] = []
    private var chunk: CSVChunk?

    package init() {}

    package mutating func copy(_ chunk: CSVChunk) {
        bytes.removeAll(keepingCapacity: true)
        ends.removeAll(keepingCapacity: true)
        bytes.append(contentsOf: chunk.bytes)
        ends.append(contentsOf: chunk.ends)
        self.chunk = chunk
    }

    /// Nil before the first ``copy(_:)``.
    package func withChunk<Result>(_ body: (CSVChunk) throws -> Result) rethrows -> Result? {
        guard let chunk else { return nil }
        return try bytes.withUnsafeBufferPointer { bytes in
            try ends.withUnsafeBufferPointer { ends in
                try body(
                    CSVChunk(
                        bytes: bytes, ends: ends, width: chunk.width, recordCount: chunk.recordCount,
                        quote: chunk.quote, firstRecord: chunk.firstRecord, firstLine: chunk.firstLine,
                        byteOffset: chunk.byteOffset, hasLineEndInside: chunk.hasLineEndInside,
                        hasDoubledQuotes: chunk.hasDoubledQuotes))
            }
        }
    }
}

extension CSVReader: ReaderAbilities {
    package var dialect: Options? { options }

    package var doubtfulBlankLines: Int { columns.count == 1 ? skippedBlankLines : 0 }

    package func take(_ hints: ReaderHints) { judge = hints.judge }

    /// The regular records that come next; nil where the next record is not regular, or the source ends: then
    /// ``next(into:)`` reads it. With ``CSVSplitting/libcsv`` always nil.
    ///
    /// - Throws: ``GranaryError`` as reading the bytes throws.
    package func nextChunk() throws(GranaryError) -> CSVChunk? {
        try readHeader()
        guard let found = try tokenizer.nextChunk(width: columns.count, firstRecord: recordNumber + 1) else {
            return nil
        }
        recordNumber += found.recordCount
        return found
    }
}

extension CSVTokenizer {
    /// Longer records are left to ``next()``.
    static let maximumChunkBytes = 1 << 22
    /// The rows of a chunk lie in memory: short records are many.
    static let maximumChunkRecords = 1 << 13
    /// The number of bytes that are indexed at a time after an irregular record.
    private static let leastWindow = 1 << 13

    func nextChunk(width: Int, firstRecord: Int) throws(GranaryError) -> CSVChunk? {
        guard options.splitting == .native, options.comment == nil, !isFinished, isAtRecord,
            options.maximumFieldBytes >= Self.maximumChunkBytes, options.maximumRecordBytes >= Self.maximumChunkBytes,
            width <= options.maximumFields
        else { return nil }
        letGo()
        while true {
            let available = batch.pointee.rawCount - fed
            if available > 0 {
                let count = min(available, indexWindow)
                let bytes = UnsafeBufferPointer(start: batch.pointee.raw + fed, count: count)
                let index = index(width)
                index.run(bytes)
                checkText(bytes, index)
                let isCut = index.recordCount > Self.maximumChunkRecords
                if isCut { index.cut(to: Self.maximumChunkRecords, isIrregular: false) }
                // Where many records are irregular, the same bytes would be indexed again and again.
                indexWindow =
                    index.isIrregular
                    ? Self.leastWindow : isCut ? index.end : min(indexWindow * 2, Self.maximumChunkBytes)
                if index.recordCount > 0 { return take(index, firstRecord) }
                guard !index.isIrregular, count < Self.maximumChunkBytes else { return nil }
                if count < available { continue }
            }
            guard !isAtEnd else { return nil }
            isAtEnd = try readChunk() == 0
        }
    }

    /// Whether all rows are handed out and the next byte begins a record.
    private var isAtRecord: Bool {
        guard case .parsing = mode, !batch.pointee.isStopped, hasNoRows, splitter.isAtRecordStart else { return false }
        return batch.pointee.knowsLineEnd && batch.pointee.cursor == fed && batch.pointee.recordStart == fed
            && !batch.pointee.isAfterCR
    }

    private func index(_ width: Int) -> CSVIndex {
        if let index, index.width == width { return index }
        let made = CSVIndex(
            delimiter: options.delimiter, quote: options.quote, width: width, allowsNUL: options.allowsNUL,
            capacity: Self.maximumChunkBytes + chunkBytes)
        index = made
        return made
    }

    /// Cuts the index before the first record that is not valid UTF-8; ``next(into:)`` reports that record.
    private func checkText(_ bytes: UnsafeBufferPointer<UInt8>, _ index: CSVIndex) {
        guard index.hasUpper, index.recordCount > 0 else { return }
        let whole = UnsafeBufferPointer(rebasing: bytes[..<index.end])
        guard let place = UTF8Text.firstInvalid(in: whole) else { return }
        var record = 0
        while Int(index.ends[(record + 1) * index.width - 1]) < place { record += 1 }
        index.cut(to: record)
    }

    private func take(_ index: CSVIndex, _ firstRecord: Int) -> CSVChunk? {
        let start = batch.pointee.raw + fed
        // The memory of the index and of the batch stays valid until the reader is used again.
        let chunk = CSVChunk(
            bytes: UnsafeBufferPointer(start: start, count: index.end), ends: index.ends, width: index.width,
            recordCount: index.recordCount, quote: options.quote, firstRecord: firstRecord,
            firstLine: batch.pointee.line, byteOffset: baseOffset + fed, hasLineEndInside: index.hasLineEndInside,
            hasDoubledQuotes: index.hasDoubledQuotes)
        let lines = index.hasLineEndInside ? batch.pointee.lineEnds(from: fed, to: fed + index.end) : index.recordCount
        fed += index.end
        batch.pointee.pass(to: fed, lines: lines)
        return chunk
    }
}
