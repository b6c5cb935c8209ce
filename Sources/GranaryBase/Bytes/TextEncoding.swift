/// How a text file writes its characters as bytes.
///
/// Readers make UTF-8 of it while they read, strictly: what is no character in the encoding is an error of its record
/// with its place, never U+FFFD.
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
    /// UTF-16 in the byte order that its byte order mark says, big-endian without one (RFC 2781, section 4.3).
    public static let utf16 = Self(.utf16)
    /// UTF-16, the low byte first.
    public static let utf16LE = Self(.utf16LE)
    /// UTF-16, the high byte first.
    public static let utf16BE = Self(.utf16BE)
    /// UTF-32 in the byte order that its byte order mark says, big-endian without one.
    public static let utf32 = Self(.utf32)
    /// UTF-32, the lowest byte first.
    public static let utf32LE = Self(.utf32LE)
    /// UTF-32, the highest byte first.
    public static let utf32BE = Self(.utf32BE)
    /// ISO 8859-1: each byte is the character of its number, 0x80 to 0x9F are control characters.
    public static let isoLatin1 = Self(.isoLatin1)
    /// Windows-1252: as ISO 8859-1, but 0x80 to 0x9F are quotes, dashes, the euro sign and others; five are undefined.
    public static let windows1252 = Self(.windows1252)
    /// Mac OS Roman, with the euro sign.
    public static let macRoman = Self(.macRoman)
    /// ASCII: a byte from 0x80 on is an error.
    public static let ascii = Self(.ascii)
}
