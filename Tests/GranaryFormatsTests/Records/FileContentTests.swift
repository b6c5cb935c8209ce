import Foundation
import GranaryBase
import Testing

@testable import GranaryFormats

/// What a file is by its first bytes.
struct FileContentTests {
    private static func content(_ bytes: some Sequence<UInt8>) throws -> FileContent {
        try FileContent(of: ByteSource(bytes: Array(bytes), name: "x.csv"))
    }

    @Test(
        "Records",
        arguments: [
            ("a,b\n1,2\n", FileContent.data(.csv)), (" [{}]", .data(.json)), ("{\"a\": 1}", .data(.json)),
            ("{\"a\": 1}\n{\"a\": 2}\n", .data(.ndjson)), ("\u{FEFF}{\n}", .data(.json)),
            ("<?xml version=\"1.0\"?>", .data(.plist)), ("bplist00\u{0}", .data(.plist)), ("", .empty), ("\n", .empty),
            // A few U+0000 are damage, not another kind of file.
            ("n\u{0},b\n", .data(.csv)),
        ])
    func records(_ text: String, _ expected: FileContent) throws {
        #expect(try Self.content(text.utf8) == expected)
        let encoded = try #require(text.data(using: .utf16LittleEndian))
        if !text.isEmpty, !text.hasPrefix("bplist"), !text.hasPrefix("\u{FEFF}") {
            #expect(try Self.content([0xFF, 0xFE] + encoded) == expected)
        }
    }

    @Test(
        "Other files are named",
        arguments: [
            ("%PDF-1.4\n", "a PDF document"), ("PK\u{3}\u{4}abc", "perhaps an Excel workbook"),
            ("SQLite format 3\u{0}", "an SQLite database"), ("GIF89a", "a GIF image"),
            ("<!DOCTYPE HTML>", "a web page"),
            ("a,b\n" + String(repeating: "\u{0}", count: 100), "binary data"),
            (String(repeating: " ", count: 257) + "ustar", "a tar archive"),
        ])
    func others(_ text: String, _ name: String) throws {
        let problem = try Self.content(text.utf8).problem(of: "x.csv")
        #expect(problem?.code == .refused && problem?.message.contains(name) == true, "\(problem?.message ?? "none")")
    }

    @Test("U+0000 is no sign where texts may have it")
    func zeros() throws {
        let content = try Self.content([UInt8](repeating: 0, count: 100))
        #expect(content.problem(of: "x") != nil && content.problem(of: "x", mayHaveNUL: true) == nil)
    }
}
