import GranaryCoordination

extension SQLiteStore {
    /// Where the files lie that belong to a store: `.NAME_SUPPORT` beside it, NAME without its extension.
    ///
    /// Beside the path as it is given, also where that is a link. Stores in one folder whose names differ in the extension
    /// only have it together: who removes it with one of them takes the other's files too.
    package static func supportFolder(ofStore path: String) -> String {
        // By bytes: a slash is one even where a combining character follows it.
        let bytes = path.utf8
        let start = bytes.lastIndex(of: UInt8(ascii: "/")).map { bytes.index(after: $0) } ?? bytes.startIndex
        let name = withoutExtension(bytes[start...])
        return String(decoding: bytes[..<start], as: UTF8.self) + ".\(String(decoding: name, as: UTF8.self))_SUPPORT"
    }

    /// As Foundation takes an extension: something behind the last dot, without a space, and something before it.
    private static func withoutExtension(_ name: Substring.UTF8View) -> Substring.UTF8View {
        let dot = UInt8(ascii: ".")
        guard let place = name.lastIndex(of: dot), place != name.startIndex, name.last != dot,
            !name.starts(with: [dot, dot]), !name[place...].contains(UInt8(ascii: " "))
        else { return name }
        return name[..<place]
    }
}
