import GranaryBase
import GranaryCoordination
import GranarySQLite

/// Why a cell cannot become a parameter.
enum CellRefusal: Error {
    /// These digits would not come back from a column.
    case rounded(String)
    case notFinite(Double)
}

extension Statement {
    /// Binds a cell of a row. Text and bytes are borrowed: `bytes` must outlive the statement's run.
    ///
    /// - Parameter isTagged: whether binary data goes behind the tag byte of external storage.
    /// - Throws: ``CellRefusal``, or what SQLite refuses.
    func bind(_ cell: StoredCell, _ bytes: UnsafeBufferPointer<UInt8>, isTagged: Bool, at index: Int) throws {
        switch cell {
        case .null: try bindNull(at: index)
        case .integer(let value): try bind(value, at: index)
        case .real(let value):
            guard value.isFinite else { throw CellRefusal.notFinite(value) }
            try bind(value, at: index)
        case .text(let start, let count): try bindBorrowedText(Self.span(bytes, start, count), at: index)
        case .blob(let start, let count):
            let span = Self.span(bytes, start, count)
            guard isTagged else { return try bindBorrowedBlob(span, at: index) }
            var tagged: [UInt8] = []
            tagged.reserveCapacity(span.count + 1)
            tagged.append(ExternalData.inlineTag)
            tagged.append(contentsOf: span)
            try tagged.withUnsafeBufferPointer { try bindBlob($0, at: index) }
        case .file:
            // Only stores opened for reading leave external data in its files.
            throw GranaryError(.internalDefect, "a value of external data was not read")
        case .decimal(let start, let count):
            throw CellRefusal.rounded(String(decoding: Self.span(bytes, start, count), as: UTF8.self))
        case .reference(let key, _): try bind(key, at: index)
        }
    }

    /// A cell and its bytes are made together, so the span lies inside the buffer.
    private static func span(
        _ bytes: UnsafeBufferPointer<UInt8>, _ start: UInt32, _ count: UInt32
    ) -> UnsafeBufferPointer<UInt8> {
        UnsafeBufferPointer(rebasing: bytes[Int(start)..<Int(start) + Int(count)])
    }
}
