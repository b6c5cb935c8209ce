import GranaryBase
import GranaryCoordination
import GranaryModel

/// Makes names unique: the first keeps its name, later ones get 1, 2, 3 …
/// (docs/core-data/sqlite-layout.md#digits-in-names-of-columns).
struct UniqueNames {
    private var taken: Set<[UInt8]>
    private var counts: [String: Int] = [:]

    init(taken: [String] = []) {
        self.taken = Set(taken.map(Self.folded))
    }

    mutating func take(_ name: String) -> String {
        var candidate = name
        while !taken.insert(Self.folded(candidate)).inserted {
            let count = (counts[name] ?? 0) + 1
            counts[name] = count
            candidate = name + String(count)
        }
        return candidate
    }

    /// SQLite compares names by bytes and ignores the case of ASCII letters.
    private static func folded(_ name: String) -> [UInt8] {
        name.utf8.map { (UInt8(ascii: "a")...UInt8(ascii: "z")).contains($0) ? $0 - 32 : $0 }
    }
}
