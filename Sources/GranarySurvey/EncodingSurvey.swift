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
            if TextEncodingMark.otherEncoding(start) != nil { zeros += bytes.count { $0 == 0 } }
            // Most files are ASCII; then no byte has to be examined on its own.
            if rest.isEmpty, Self.isASCII(bytes) { continue }
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

    private static func isASCII(_ bytes: ArraySlice<UInt8>) -> Bool {
        bytes.withUnsafeBytes { bytes in
            var (index, bits) = (0, UInt64(0))
            while index + 8 <= bytes.count {
                bits |= bytes.loadUnaligned(fromByteOffset: index, as: UInt64.self)
                index += 8
            }
            return bits & 0x8080_8080_8080_8080 == 0 && bytes[index...].allSatisfy { $0 < 0x80 }
        }
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

    /// Keeps the bytes outside ASCII, each between its neighbours.
    private static func keepNeighbours(of bytes: ArraySlice<UInt8>, in kept: inout [UInt8]) {
        var last: UInt8 = 0x20
        for (index, byte) in zip(bytes.indices, bytes) {
            if byte >= 0x80 { kept += [last, byte, index + 1 < bytes.endIndex ? bytes[index + 1] : 0x20] }
            last = byte
        }
    }

    /// How many of the bytes outside ASCII are what texts contain: a lower-case letter, an upper-case letter at the start
    /// of a word or between others, a quote or dash, a currency sign or a no-break space. Upper-case letters alone count
    /// half.
    ///
    /// - Parameter triples: each byte between its neighbours.
    private static func letters(in triples: [UInt8], as encoding: TextEncoding) -> Int {
        var decoder = TextDecoder(encoding)
        var halves = 0
        for index in stride(from: 0, to: triples.count - 2, by: 3) {
            var text: [UInt8] = []
            _ = [triples[index + 1]].withUnsafeBufferPointer { decoder.decode($0, isLast: true, into: &text) }
            guard let scalar = String(validating: text, as: UTF8.self)?.unicodeScalars.first else { continue }
            let (before, after) = (triples[index], triples[index + 2])
            switch scalar.properties.generalCategory {
            case .uppercaseLetter:
                let isInside = isLetter(before) && (0x61...0x7A).contains(after) || (0x61...0x7A).contains(before)
                halves += isInside ? 0 : isLetter(before) || isLetter(after) ? 2 : 1
            case .lowercaseLetter: halves += isLetter(before) || isLetter(after) ? 2 : 1
            case .currencySymbol, .dashPunctuation, .initialPunctuation, .finalPunctuation, .spaceSeparator: halves += 2
            default: break
            }
        }
        return halves / 2
    }

    private static func isLetter(_ byte: UInt8) -> Bool { byte >= 0x80 || (0x61...0x7A).contains(byte | 0x20) }
}
