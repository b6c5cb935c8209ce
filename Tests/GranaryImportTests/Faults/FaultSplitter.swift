/// Cuts the bytes of one damaged row into records, byte by byte (RFC 4180).
enum FaultSplitter {
    /// - Parameter original: the row before it was damaged: what is the same means the same.
    /// - Returns: the lines of each record, counted from 0, and its row; nil for a malformed one.
    static func records(
        _ bytes: [UInt8], _ columns: [FaultColumn], like original: FaultRow
    ) -> [(ClosedRange<Int>, FaultRow?)] {
        var found: [(ClosedRange<Int>, FaultRow?)] = []
        var index = 0
        var line = 0
        while index < bytes.count {
            let start = index
            if !isLineEnd(bytes[index]) {
                let fields = fields(bytes, &index)
                let raw = bytes[start..<index]
                let last = line + lineEnds(Array(raw))
                let isText = String(validating: raw, as: UTF8.self) != nil && !raw.contains(0)
                found.append((line...last, isText ? fields.flatMap { row($0, columns, like: original) } : nil))
                line = last
            }
            guard index < bytes.count else { break }
            index += bytes[index] == 0x0D && index + 1 < bytes.count && bytes[index + 1] == 0x0A ? 2 : 1
            line += 1
        }
        return found
    }

    /// LF, CR LF and CR, each once.
    static func lineEnds(_ bytes: [UInt8]) -> Int {
        var count = 0
        var isBehindCR = false
        for byte in bytes {
            if byte == 0x0D || (byte == 0x0A && !isBehindCR) { count += 1 }
            isBehindCR = byte == 0x0D
        }
        return count
    }

    private static func row(
        _ fields: [(text: [UInt8], isQuoted: Bool)], _ columns: [FaultColumn], like original: FaultRow
    ) -> FaultRow? {
        guard fields.count == columns.count else { return nil }
        var cells: [FaultCell] = []
        for (place, field) in fields.enumerated() {
            let before = original.cells[place]
            let isSame = field.text == before.text && (!field.text.isEmpty || field.isQuoted == before.isQuoted)
            cells.append(isSame ? before : FaultCell(columns[place], field.text, isQuoted: field.isQuoted))
        }
        return FaultRow(cells: cells)
    }

    /// The fields of the record at `index`, which is set to its end; nil where its quotes are broken.
    private static func fields(_ bytes: [UInt8], _ index: inout Int) -> [(text: [UInt8], isQuoted: Bool)]? {
        var fields: [(text: [UInt8], isQuoted: Bool)] = []
        while true {
            var text: [UInt8] = []
            let isQuoted = index < bytes.count && bytes[index] == 0x22
            if isQuoted {
                index += 1
                while true {
                    // A quote that is never closed takes the rest with it.
                    guard index < bytes.count else { return nil }
                    if bytes[index] == 0x22 {
                        guard index + 1 < bytes.count, bytes[index + 1] == 0x22 else { break }
                        index += 1
                    }
                    text.append(bytes[index])
                    index += 1
                }
                index += 1
            }
            while index < bytes.count, bytes[index] != 0x2C, !isLineEnd(bytes[index]) {
                if isQuoted || bytes[index] == 0x22 {
                    while index < bytes.count, !isLineEnd(bytes[index]) { index += 1 }
                    return nil
                }
                text.append(bytes[index])
                index += 1
            }
            fields.append((text, isQuoted))
            guard index < bytes.count, bytes[index] == 0x2C else { return fields }
            index += 1
        }
    }

    private static func isLineEnd(_ byte: UInt8) -> Bool { byte == 0x0A || byte == 0x0D }
}
