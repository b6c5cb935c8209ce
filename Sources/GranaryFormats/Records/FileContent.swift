package import GranaryBase

/// What a file is by its first bytes, whatever its name.
package enum FileContent: Sendable, Equatable {
    case data(DataFormat)
    /// No format that an import reads: what it is, and what to do instead.
    case foreign(name: String, advice: String)
    /// It is empty.
    case empty

    /// How many bytes are looked at.
    private static let sampleBytes = 4096

    /// Reads the beginning of a file. It may be compressed with gzip.
    ///
    /// - Throws: ``GranaryError`` as reading throws.
    package init(of source: ByteSource) throws(GranaryError) {
        source.inflateGzip()
        var start = [UInt8](repeating: 0, count: Self.sampleBytes)
        var filled = 0
        while filled < start.count {
            var rest = Array(start[filled...])
            let count = try source.read(into: &rest)
            if count == 0 { break }
            start.replaceSubrange(filled..<filled + count, with: rest[..<count])
            filled += count
        }
        self = Self.content(Array(start[..<filled]))
    }

    /// The error for a file that no import reads, such as an image; nil for data.
    ///
    /// - Parameter mayHaveNUL: whether U+0000 in the text is no sign of another kind of file.
    package func problem(of name: String, mayHaveNUL: Bool = false) -> GranaryError? {
        guard case .foreign(let kind, let advice) = self, !(mayHaveNUL && kind == Self.binary) else { return nil }
        return GranaryError(.refused, "\(name) is \(kind), not a file of records; \(advice)")
    }

    private static func content(_ bytes: [UInt8]) -> FileContent {
        for signature in signatures {
            guard bytes.dropFirst(signature.offset).starts(with: signature.bytes) else { continue }
            return .foreign(name: signature.name, advice: signature.advice)
        }
        if isProperty(bytes) { return .data(.plist) }
        guard let text = decoded(bytes) else {
            return .foreign(
                name: binary, advice: "export its contents as CSV or JSON, or pass the --encoding of a text")
        }
        let content = text.drop { [0xEF, 0xBB, 0xBF, 0x20, 0x09, 0x0A, 0x0D].contains($0) }
        if isProperty(content) { return .data(.plist) }
        let lower = content.prefix(16).map { (0x41...0x5A).contains($0) ? $0 | 0x20 : $0 }
        if lower.starts(with: "<!doctype html".utf8) || lower.starts(with: "<html".utf8) {
            return .foreign(
                name: "a web page", advice: "the download may need a login; save the data, not the page, as CSV or JSON"
            )
        }
        guard let first = content.first else { return .empty }
        if first == UInt8(ascii: "[") { return .data(.json) }
        guard first == UInt8(ascii: "{") else { return .data(.csv) }
        // Lines that are objects by themselves are JSON Lines.
        let line = content.prefix { $0 != 0x0A }
        let isWhole = line.count < content.count && line.last { $0 > 0x20 } == UInt8(ascii: "}")
        return .data(isWhole ? .ndjson : .json)
    }

    private static func isProperty(_ bytes: some Collection<UInt8>) -> Bool {
        ["bplist", "<?xml", "<!DOCTYPE plist"].contains { bytes.starts(with: $0.utf8) }
    }

    /// The text in UTF-8; nil for bytes of which many are 0, as in a program or a sparse file.
    private static func decoded(_ bytes: [UInt8]) -> [UInt8]? {
        if let encoding = TextEncodingMark.otherEncoding(bytes) {
            let source = ByteSource(bytes: bytes, name: "")
            source.decodeText(as: encoding, allowsNUL: false)
            return try? source.readAll(limit: 4 * sampleBytes)
        }
        let zeros = bytes.count { $0 == 0 }
        return zeros >= 16 && zeros * 10 >= bytes.count ? nil : bytes
    }

    private static let binary = "binary data"

    private struct Signature: Sendable {
        let bytes: [UInt8]
        var offset = 0
        let name: String
        let advice: String

        init(_ bytes: [UInt8], offset: Int = 0, _ name: String, _ advice: String) {
            (self.bytes, self.offset, self.name, self.advice) = (bytes, offset, name, advice)
        }

        init(_ text: String, _ name: String, _ advice: String) { self.init(Array(text.utf8), name, advice) }
    }

    private static let signatures: [Signature] = {
        let sheet = "open it and save the sheet as CSV"
        let table = "export its table as CSV"
        let unpack = "unpack it and pass the file in it"
        return [
            Signature("%PDF-", "a PDF document", table),
            Signature("PK\u{3}\u{4}", "a ZIP archive, perhaps an Excel workbook", sheet),
            Signature(
                [0xD0, 0xCF, 0x11, 0xE0, 0xA1, 0xB1, 0x1A, 0xE1], "an Office document, perhaps an Excel workbook", sheet
            ),
            Signature("{\\rtf", "an RTF document", table),
            Signature("SQLite format 3\0", "an SQLite database", "pass --table with the name of a table"),
            Signature("PAR1", "a Parquet file", table),
            Signature("Obj\u{1}", "an Avro file", table),
            Signature([0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A], "a PNG image", table),
            Signature([0xFF, 0xD8, 0xFF], "a JPEG image", table),
            Signature("GIF8", "a GIF image", table),
            Signature([0x49, 0x49, 0x2A, 0], "a TIFF image", table),
            Signature([0x4D, 0x4D, 0, 0x2A], "a TIFF image", table),
            Signature(Array("WEBPVP8".utf8), offset: 8, "a WebP image", table),
            Signature([0x37, 0x7A, 0xBC, 0xAF, 0x27, 0x1C], "a 7z archive", unpack),
            Signature("Rar!\u{1A}\u{7}", "a RAR archive", unpack),
            Signature(Array("ustar".utf8), offset: 257, "a tar archive", unpack),
            Signature([0xFD, 0x37, 0x7A, 0x58, 0x5A, 0], "an xz-compressed file", unpack),
            Signature([0x28, 0xB5, 0x2F, 0xFD], "a zstd-compressed file", unpack),
            Signature([0x42, 0x5A, 0x68, 0x39, 0x31, 0x41, 0x59], "a bzip2-compressed file", unpack),
            Signature([0x7F, 0x45, 0x4C, 0x46], "a program", table),
        ]
    }()
}
