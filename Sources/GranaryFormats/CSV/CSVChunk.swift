package import GranaryBase

/// Consecutive regular records: the source's bytes with the ends of the fields. Valid until the next use of the reader.
package struct CSVChunk {
    /// The records' bytes, line ends included.
    package internal(set) var bytes: UnsafeBufferPointer<UInt8>
    /// For each field of each record, the offset in ``bytes`` of the delimiter or LF after it.
    package internal(set) var ends: UnsafeBufferPointer<UInt32>
    package let width: Int
    package let recordCount: Int
    package let quote: UInt8
    /// The number of the first record, and the physical line and the source offset of its beginning.
    package let firstRecord: Int
    package let firstLine: Int
    package let byteOffset: Int
    /// Whether a field contains a line end; otherwise each record is one line.
    package let hasLineEndInside: Bool
    /// Whether a field may contain doubled quotes.
    package let hasDoubledQuotes: Bool

    /// The offset of a record.
    package func start(of record: Int) -> Int { record == 0 ? 0 : Int(ends[record &* width &- 1]) &+ 1 }

    /// The bytes of a record without its line end.
    package func raw(of record: Int) -> Range<Int> { start(of: record)..<end(of: record &* width &+ width &- 1) }

    /// The end of a field, without a CR before the LF.
    @inline(__always)
    private func end(of field: Int) -> Int {
        let end = Int(ends[field])
        guard bytes[end] == 0x0A, end > 0, bytes[end &- 1] == 0x0D else { return end }
        return end &- 1
    }

    /// The range of one field's text in ``bytes``, without its quotes.
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

    /// Fills a record from the chunk, like ``CSVReader/next(into:)``.
    ///
    /// - Parameter line: the physical line in which it begins.
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
        target.append(text, undoubling: quote)
    }

    /// The number of line ends inside a record's fields.
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

extension [UInt8] {
    /// Appends the text between a field's quotes, with doubled quotes as single ones.
    mutating func append(_ text: some Sequence<UInt8>, undoubling quote: UInt8) {
        var isDoubled = false
        for byte in text {
            isDoubled = byte == quote && !isDoubled
            if !isDoubled { append(byte) }
        }
    }

    /// Appends the text of a field, without the escape before each byte that needs one.
    ///
    /// - Parameter isQuoted: whether quotes in it can be doubled too.
    mutating func append(
        _ text: UnsafeBufferPointer<UInt8>, unescaping escape: UInt8, in options: CSVReader.Options, isQuoted: Bool
    ) {
        var index = 0
        while index < text.count {
            let byte = text[index]
            let next = index + 1 < text.count ? text[index + 1] : nil
            if byte == escape, let next, options.needsEscape(next) {
                append(next)
                index += 2
            } else {
                append(byte)
                index += isQuoted && byte == options.quote && next == options.quote ? 2 : 1
            }
        }
    }
}

extension CSVReader: ReaderAbilities {
    package var dialect: Options? { options }

    package var doubtfulBlankLines: Int { columns.count == 1 ? skippedBlankLines : skippedBlankRows }

    package func take(_ hints: ReaderHints) { judge = hints.judge }

    /// The next regular records; nil if ``next(into:)`` must read the next record because it is irregular, and at the
    /// end of the source. Always nil with ``CSVSplitting/libcsv``.
    ///
    /// - Throws: ``GranaryError`` as reading the bytes throws.
    package func nextChunk() throws(GranaryError) -> CSVChunk? {
        try readHeader()
        guard
            let found = try tokenizer.nextChunk(
                width: columns.count, firstRecord: recordNumber + 1, skipsBlankRows: skipsBlankRows)
        else { return nil }
        recordNumber += found.recordCount
        return found
    }
}

extension CSVTokenizer {
    /// Longer records are read by ``next()``.
    static let maximumChunkBytes = 1 << 22
    /// Bounds the memory for the rows of a chunk of short records.
    static let maximumChunkRecords = 1 << 13
    /// The number of bytes that are indexed at a time after an irregular record.
    private static let leastWindow = 1 << 13

    /// - Parameter skipsBlankRows: whether a row of delimiters alone is irregular.
    func nextChunk(width: Int, firstRecord: Int, skipsBlankRows: Bool) throws(GranaryError) -> CSVChunk? {
        guard options.splitting == .native, options.comment == nil, options.escape == nil, !isFinished, isAtRecord,
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
                if skipsBlankRows { index.cutBeforeBlankRow(bytes) }
                let isCut = index.recordCount > Self.maximumChunkRecords
                if isCut { index.cut(to: Self.maximumChunkRecords, isIrregular: false) }
                // If many records are irregular, the same bytes would be indexed many times.
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

    /// Whether all rows were returned and the next byte begins a record.
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
