import GranaryBase

/// The encoding of a text file, found from all its bytes.
struct EncodingSurvey {
    /// The encoding; nil if the byte order mark says it, or if it is UTF-8.
    private(set) var encoding: TextEncoding?
    private(set) var finding: SurveyFinding

    /// How many bytes are kept to compare the encodings with one byte for each character.
    private static let sampleBytes = 1 << 20

    /// - Throws: ``GranaryError`` as reading throws.
    init(_ source: ByteSource) throws(GranaryError) {
        source.inflateGzip()
        var start: [UInt8] = []
        var upper: [UInt8] = []
        var (count, zeros, invalid) = (0, 0, 0)
        var rest: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: 1 << 18)
        while true {
            try Cancellation.current?.check()
            let read = try source.read(into: &chunk)
            if read == 0 { break }
            let bytes = chunk[..<read]
            if start.count < 4 { start += bytes.prefix(4 - start.count) }
            count += read
            zeros += bytes.count { $0 == 0 }
            rest += bytes
            invalid += Self.takeInvalid(&rest, isLast: false)
            if upper.count < Self.sampleBytes { Self.keepNeighbours(of: bytes, in: &upper) }
        }
        invalid += Self.takeInvalid(&rest, isLast: true)
        let marked = TextEncodingMark.otherEncoding(start)
        if TextEncodingMark.utf8Length(start) > 0 {
            finding = SurveyFinding(.encoding, "UTF-8", "a byte order mark")
        } else if let marked {
            // A mark is read without the option.
            let hasMark = start.starts(with: [0xFF, 0xFE]) || start.starts(with: [0xFE, 0xFF])
            encoding = hasMark ? nil : marked
            finding = SurveyFinding(
                .encoding, marked.name, hasMark ? "a byte order mark" : "\(zeros) of \(count) bytes are 0")
        } else if invalid == 0 {
            let isASCII = upper.isEmpty
            finding = SurveyFinding(
                .encoding, "UTF-8", isASCII ? "all \(count) bytes are ASCII" : "all \(count) bytes are valid UTF-8")
        } else {
            let scores = [TextEncoding.windows1252, .macRoman].map { ($0, Self.letters(in: upper, as: $0)) }
            let best = scores[1].1 > scores[0].1 ? scores[1] : scores[0]
            encoding = best.0
            finding = SurveyFinding(
                .encoding, best.0.name,
                "\(invalid) bytes are not valid UTF-8; as \(best.0.name) \(best.1) of the characters outside ASCII are "
                    + "letters, quotes or currency signs")
            if scores[0].1 == scores[1].1 {
                finding.doubt = SurveyDoubt(
                    "the bytes outside ASCII are as likely \(TextEncoding.macRoman.name)",
                    [
                        "--encoding \(TextEncoding.windows1252.optionName)",
                        "--encoding \(TextEncoding.macRoman.optionName)",
                    ])
            }
        }
        if let encoding { finding.options = [SurveyOption("encoding", encoding.optionName)] }
    }

    /// Counts the ill-formed sequences and removes what is known. A sequence can be cut at the end of a chunk.
    private static func takeInvalid(_ bytes: inout [UInt8], isLast: Bool) -> Int {
        var found = 0
        var index = 0
        bytes.withUnsafeBufferPointer { buffer in
            while index < buffer.count {
                let rest = UnsafeBufferPointer(rebasing: buffer[index...])
                guard let place = UTF8Text.firstInvalid(in: rest) else {
                    index = buffer.count
                    return
                }
                index += place
                if !isLast, buffer.count - index < 4 { return }
                found += 1
                index += 1
            }
        }
        bytes.removeFirst(index)
        return found
    }

    /// Keeps the bytes outside ASCII, each after the byte before it.
    private static func keepNeighbours(of bytes: ArraySlice<UInt8>, in kept: inout [UInt8]) {
        var last: UInt8 = 0x20
        for byte in bytes {
            if byte >= 0x80 { kept += [last, byte] }
            last = byte
        }
    }

    /// How many of the bytes outside ASCII are what texts contain: a lower-case letter, an upper-case letter that does
    /// not follow a lower-case one, a quote or dash, a currency sign or a no-break space.
    private static func letters(in pairs: [UInt8], as encoding: TextEncoding) -> Int {
        var decoder = TextDecoder(encoding)
        var result = 0
        for index in stride(from: 0, to: pairs.count - 1, by: 2) {
            var text: [UInt8] = []
            _ = [pairs[index + 1]].withUnsafeBufferPointer { decoder.decode($0, isLast: true, into: &text) }
            guard let scalar = String(validating: text, as: UTF8.self)?.unicodeScalars.first else { continue }
            let isAfterLower = (0x61...0x7A).contains(pairs[index])
            switch scalar.properties.generalCategory {
            case .lowercaseLetter: result += 1
            case .uppercaseLetter: result += isAfterLower ? 0 : 1
            case .currencySymbol, .dashPunctuation, .initialPunctuation, .finalPunctuation: result += 1
            case .spaceSeparator: result += 1
            default: break
            }
        }
        return result
    }
}
