import Foundation
import StoreTestSupport
import Testing

/// The fields of an SQLite file's header with its settings (https://www.sqlite.org/fileformat.html, section 1.3).
struct StoreHeader {
    let fields: [(name: String, value: UInt32)]
    /// The read version; 2 is a write-ahead log.
    let journal: UInt8

    init(path: String) throws {
        let file = try #require(FileHandle(forReadingAtPath: path))
        defer { try? file.close() }
        let bytes = [UInt8](try #require(try file.read(upToCount: 100)))
        try #require(bytes.count == 100)
        func number(_ start: Int, _ count: Int) -> UInt32 {
            bytes[start..<start + count].reduce(0) { $0 << 8 | UInt32($1) }
        }
        journal = bytes[19]
        fields = [
            ("page size", number(16, 2)), ("schema format", number(44, 4)), ("encoding", number(56, 4)),
            ("user version", number(60, 4)), ("incremental vacuum", number(64, 4)),
            ("application ID", number(68, 4)),
        ]
    }
}
