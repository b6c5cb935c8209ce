extension TextEncoding {
    /// The encoding of an IANA name or a usual other one: `utf-8`, `UTF-16LE`, `latin1`, `iso-8859-1`, `cp1252`. Case,
    /// `-` and `_` do not count. Nil for a name that is not known; ``allNames`` has those that are.
    public init?(name: String) {
        guard let kind = Self.kinds[name.lowercased().filter { $0 != "-" && $0 != "_" }] else { return nil }
        self.init(kind)
    }

    /// The name that messages use, one that ``init(name:)`` takes.
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

    /// One name of each encoding, as `--encoding` takes it.
    public static var allNames: [String] { Kind.allCases.map { Self($0).optionName } }

    /// The name in lower case.
    package var optionName: String { name.lowercased() }

    private static let kinds: [String: Kind] = [
        "utf8": .utf8, "utf16": .utf16, "utf16le": .utf16LE, "utf16be": .utf16BE, "utf32": .utf32, "utf32le": .utf32LE,
        "utf32be": .utf32BE, "iso88591": .isoLatin1, "isolatin1": .isoLatin1, "latin1": .isoLatin1, "l1": .isoLatin1,
        "windows1252": .windows1252, "cp1252": .windows1252, "win1252": .windows1252, "macroman": .macRoman,
        "macintosh": .macRoman, "mac": .macRoman, "usascii": .ascii, "ascii": .ascii,
    ]
}
