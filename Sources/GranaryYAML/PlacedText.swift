package import GranaryBase

/// The bytes of a plan or of a model as text, and the offsets of its lines.
package struct PlacedText: Sendable {
    /// The maximum size of a file, which is read as a whole.
    package static let maximumBytes = 16 << 20
    /// Columns beyond this limit are not converted to bytes, because each conversion reads the line from its start.
    private static let maximumColumn = 1 << 16

    package let file: String
    package let kind: TreeKind
    /// Valid UTF-8 without a byte order mark.
    package let bytes: [UInt8]
    private let lineStarts: [Int]

    /// - Throws: ``GranaryError`` with code `refused` for more than ``maximumBytes`` and for invalid UTF-8.
    package init(_ all: [UInt8], file: String, kind: TreeKind) throws(GranaryError) {
        guard all.count <= Self.maximumBytes else {
            throw GranaryError(
                Diagnostic(
                    .limitExceeded, "\(file) has more than \(Self.maximumBytes) bytes, the limit of a \(kind.noun)"))
        }
        let mark: [UInt8] = [0xEF, 0xBB, 0xBF]
        let bytes = all.starts(with: mark) ? Array(all.dropFirst(mark.count)) : all
        var starts = [0]
        for (index, byte) in bytes.enumerated() where byte == 0x0A || byte == 0x0D {
            let isCRLF = byte == 0x0D && index + 1 < bytes.count && bytes[index + 1] == 0x0A
            if !isCRLF { starts.append(index + 1) }
        }
        self.file = file
        self.kind = kind
        self.bytes = bytes
        lineStarts = starts
        guard let invalid = bytes.withUnsafeBufferPointer({ UTF8Text.firstInvalid(in: $0) }) else { return }
        throw GranaryError(
            Diagnostic(
                .encodingInvalid,
                "the byte 0x\(String(bytes[invalid], radix: 16, uppercase: true)) is not UTF-8; a \(kind.noun) must be UTF-8",
                at: position(offset: invalid)))
    }

    /// Converts a position of libyaml, which counts Unicode scalars, to one in bytes.
    package func position(line: Int, column: Int) -> SourcePosition {
        guard line >= 1, line <= lineStarts.count, column > 1, column <= Self.maximumColumn else {
            return SourcePosition(file: file, line: max(line, 1), column: max(column, 1))
        }
        let start = lineStarts[line - 1]
        var index = start
        var scalars = 1
        while scalars < column, index < bytes.count {
            index += 1
            while index < bytes.count, bytes[index] & 0xC0 == 0x80 { index += 1 }
            scalars += 1
        }
        return SourcePosition(file: file, line: line, column: index - start + 1)
    }

    func position(offset: Int) -> SourcePosition {
        let line = lineStarts.lastIndex { $0 <= offset } ?? 0
        return SourcePosition(file: file, line: line + 1, column: offset - lineStarts[line] + 1)
    }

    /// The byte at a position; nil beyond the text.
    func byte(at position: SourcePosition) -> UInt8? {
        guard position.line >= 1, position.line <= lineStarts.count, position.column >= 1 else { return nil }
        let (index, overflow) = lineStarts[position.line - 1].addingReportingOverflow(position.column - 1)
        return !overflow && index < bytes.count ? bytes[index] : nil
    }

    /// The second position of the key at `first` in the same block mapping; nil if it is not found.
    func secondPlace(ofKey key: String, first: SourcePosition) -> SourcePosition? {
        guard first.line >= 1, first.line <= lineStarts.count else { return nil }
        let indent = first.column - 1
        let name = Array(key.utf8)
        for line in first.line..<lineStarts.count {
            let start = lineStarts[line]
            let end = line + 1 < lineStarts.count ? lineStarts[line + 1] : bytes.count
            let blanks = bytes[start..<end].prefix { $0 == UInt8(ascii: " ") }.count
            let rest = bytes[(start + blanks)..<end]
            if rest.isEmpty || rest.first == 0x0A || rest.first == 0x0D { continue }
            if rest.first == UInt8(ascii: "#") { continue }
            if blanks < indent { return nil }
            let isKey = rest.starts(with: name) && rest.dropFirst(name.count).first == UInt8(ascii: ":")
            if blanks == indent, isKey { return SourcePosition(file: file, line: line + 1, column: first.column) }
        }
        return nil
    }
}
