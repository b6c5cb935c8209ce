/// The character encoding of a text file.
///
/// Readers convert text to UTF-8 strictly while they read. Bytes that are invalid in the encoding are an error with a
/// position, never U+FFFD.
///
/// ```swift
/// var options = CSVReader.Options()
/// options.encoding = .windows1252
/// ```
public struct TextEncoding: Sendable, Hashable {
    enum Kind: UInt8, Sendable, CaseIterable {
        case utf8, utf16, utf16LE, utf16BE, utf32, utf32LE, utf32BE, isoLatin1, windows1252, macRoman, ascii
    }

    let kind: Kind

    init(_ kind: Kind) { self.kind = kind }

    /// UTF-8 (RFC 3629).
    public static let utf8 = Self(.utf8)
    /// UTF-16 in the byte order of its byte order mark, big-endian without a mark (RFC 2781, section 4.3).
    public static let utf16 = Self(.utf16)
    /// UTF-16, little-endian.
    public static let utf16LE = Self(.utf16LE)
    /// UTF-16, big-endian.
    public static let utf16BE = Self(.utf16BE)
    /// UTF-32 in the byte order of its byte order mark, big-endian without a mark.
    public static let utf32 = Self(.utf32)
    /// UTF-32, little-endian.
    public static let utf32LE = Self(.utf32LE)
    /// UTF-32, big-endian.
    public static let utf32BE = Self(.utf32BE)
    /// ISO 8859-1: each byte is the code point of its character; 0x80 to 0x9F are control characters.
    public static let isoLatin1 = Self(.isoLatin1)
    /// Windows-1252: as ISO 8859-1, but 0x80 to 0x9F are quotes, dashes, the euro sign and others; five are undefined.
    public static let windows1252 = Self(.windows1252)
    /// Mac OS Roman, with the euro sign.
    public static let macRoman = Self(.macRoman)
    /// ASCII. A byte of 0x80 or more is an error.
    public static let ascii = Self(.ascii)
}

extension TextEncoding {
    /// Returns the encoding with an IANA name or a common alias: `utf-8`, `UTF-16LE`, `latin1`, `iso-8859-1`, `cp1252`.
    ///
    /// Case, `-` and `_` are ignored. Returns nil for an unknown name; ``allNames`` lists the known ones.
    public init?(name: String) {
        guard let kind = Self.kinds[name.lowercased().filter { $0 != "-" && $0 != "_" }] else { return nil }
        self.init(kind)
    }

    /// The name in messages; ``init(name:)`` accepts it.
    public var name: String {
        switch kind {
        case .utf8: "UTF-8"
        case .utf16: "UTF-16"
        case .utf16LE: "UTF-16LE"
        case .utf16BE: "UTF-16BE"
        case .utf32: "UTF-32"
        case .utf32LE: "UTF-32LE"
        case .utf32BE: "UTF-32BE"
        case .isoLatin1: "ISO-8859-1"
        case .windows1252: "Windows-1252"
        case .macRoman: "MacRoman"
        case .ascii: "US-ASCII"
        }
    }

    /// One name of each encoding, in lower case.
    public static var allNames: [String] { Kind.allCases.map { Self($0).optionName } }

    /// Whether it has all characters of Unicode.
    package var isUnicode: Bool {
        switch kind {
        case .utf8, .utf16, .utf16LE, .utf16BE, .utf32, .utf32LE, .utf32BE: true
        case .isoLatin1, .windows1252, .macRoman, .ascii: false
        }
    }

    /// The name in lower case.
    package var optionName: String { name.lowercased() }

    private static let kinds: [String: Kind] = [
        "utf8": .utf8, "utf16": .utf16, "utf16le": .utf16LE, "utf16be": .utf16BE, "utf32": .utf32, "utf32le": .utf32LE,
        "utf32be": .utf32BE, "iso88591": .isoLatin1, "isolatin1": .isoLatin1, "latin1": .isoLatin1, "l1": .isoLatin1,
        "windows1252": .windows1252, "cp1252": .windows1252, "win1252": .windows1252, "macroman": .macRoman,
        "macintosh": .macRoman, "mac": .macRoman, "usascii": .ascii, "ascii": .ascii,
    ]
}

extension TextEncoding {
    /// The characters of the bytes from 0x80 on in a single-byte encoding; 0 for an undefined byte. Empty for other
    /// encodings.
    var characters: [UInt16] {
        switch kind {
        case .utf8, .utf16, .utf16LE, .utf16BE, .utf32, .utf32LE, .utf32BE: []
        case .ascii: [UInt16](repeating: 0, count: 128)
        case .isoLatin1: Array(0x80...0xFF)
        case .windows1252: Self.windows1252Characters
        case .macRoman: Self.macRomanCharacters
        }
    }

    /// Unicode's CP1252.TXT. The bytes 81, 8D, 8F, 90 and 9D are undefined.
    private static let windows1252Characters: [UInt16] = [
        0x20AC, 0x0000, 0x201A, 0x0192, 0x201E, 0x2026, 0x2020, 0x2021,
        0x02C6, 0x2030, 0x0160, 0x2039, 0x0152, 0x0000, 0x017D, 0x0000,
        0x0000, 0x2018, 0x2019, 0x201C, 0x201D, 0x2022, 0x2013, 0x2014,
        0x02DC, 0x2122, 0x0161, 0x203A, 0x0153, 0x0000, 0x017E, 0x0178,
        0x00A0, 0x00A1, 0x00A2, 0x00A3, 0x00A4, 0x00A5, 0x00A6, 0x00A7,
        0x00A8, 0x00A9, 0x00AA, 0x00AB, 0x00AC, 0x00AD, 0x00AE, 0x00AF,
        0x00B0, 0x00B1, 0x00B2, 0x00B3, 0x00B4, 0x00B5, 0x00B6, 0x00B7,
        0x00B8, 0x00B9, 0x00BA, 0x00BB, 0x00BC, 0x00BD, 0x00BE, 0x00BF,
        0x00C0, 0x00C1, 0x00C2, 0x00C3, 0x00C4, 0x00C5, 0x00C6, 0x00C7,
        0x00C8, 0x00C9, 0x00CA, 0x00CB, 0x00CC, 0x00CD, 0x00CE, 0x00CF,
        0x00D0, 0x00D1, 0x00D2, 0x00D3, 0x00D4, 0x00D5, 0x00D6, 0x00D7,
        0x00D8, 0x00D9, 0x00DA, 0x00DB, 0x00DC, 0x00DD, 0x00DE, 0x00DF,
        0x00E0, 0x00E1, 0x00E2, 0x00E3, 0x00E4, 0x00E5, 0x00E6, 0x00E7,
        0x00E8, 0x00E9, 0x00EA, 0x00EB, 0x00EC, 0x00ED, 0x00EE, 0x00EF,
        0x00F0, 0x00F1, 0x00F2, 0x00F3, 0x00F4, 0x00F5, 0x00F6, 0x00F7,
        0x00F8, 0x00F9, 0x00FA, 0x00FB, 0x00FC, 0x00FD, 0x00FE, 0x00FF,
    ]

    /// Apple's ROMAN.TXT, with the euro sign at DB.
    private static let macRomanCharacters: [UInt16] = [
        0x00C4, 0x00C5, 0x00C7, 0x00C9, 0x00D1, 0x00D6, 0x00DC, 0x00E1,
        0x00E0, 0x00E2, 0x00E4, 0x00E3, 0x00E5, 0x00E7, 0x00E9, 0x00E8,
        0x00EA, 0x00EB, 0x00ED, 0x00EC, 0x00EE, 0x00EF, 0x00F1, 0x00F3,
        0x00F2, 0x00F4, 0x00F6, 0x00F5, 0x00FA, 0x00F9, 0x00FB, 0x00FC,
        0x2020, 0x00B0, 0x00A2, 0x00A3, 0x00A7, 0x2022, 0x00B6, 0x00DF,
        0x00AE, 0x00A9, 0x2122, 0x00B4, 0x00A8, 0x2260, 0x00C6, 0x00D8,
        0x221E, 0x00B1, 0x2264, 0x2265, 0x00A5, 0x00B5, 0x2202, 0x2211,
        0x220F, 0x03C0, 0x222B, 0x00AA, 0x00BA, 0x03A9, 0x00E6, 0x00F8,
        0x00BF, 0x00A1, 0x00AC, 0x221A, 0x0192, 0x2248, 0x2206, 0x00AB,
        0x00BB, 0x2026, 0x00A0, 0x00C0, 0x00C3, 0x00D5, 0x0152, 0x0153,
        0x2013, 0x2014, 0x201C, 0x201D, 0x2018, 0x2019, 0x00F7, 0x25CA,
        0x00FF, 0x0178, 0x2044, 0x20AC, 0x2039, 0x203A, 0xFB01, 0xFB02,
        0x2021, 0x00B7, 0x201A, 0x201E, 0x2030, 0x00C2, 0x00CA, 0x00C1,
        0x00CB, 0x00C8, 0x00CD, 0x00CE, 0x00CF, 0x00CC, 0x00D3, 0x00D4,
        0xF8FF, 0x00D2, 0x00DA, 0x00DB, 0x00D9, 0x0131, 0x02C6, 0x02DC,
        0x00AF, 0x02D8, 0x02D9, 0x02DA, 0x00B8, 0x02DD, 0x02DB, 0x02C7,
    ]
}
