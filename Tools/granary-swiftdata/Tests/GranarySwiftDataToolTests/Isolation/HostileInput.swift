import Foundation
import Testing

@testable import granary_swiftdata

/// Files that strain the parser.
enum HostileInput {
    static func repeated(_ text: String, _ count: Int, _ end: String = "") -> Data {
        Data((String(repeating: text, count: count) + end).utf8)
    }

    /// Returns a file with a property whose value begins with a repeated text.
    static func value(_ text: String, _ count: Int, _ end: String = "y") -> Data {
        Data("struct A { let x = ".utf8) + repeated(text, count, "\(end) }")
    }

    /// Checks that long code has no limit but the size of the file.
    static func checkLargeFiles(size: Int) throws {
        let contents = [
            value("y", 1, String(repeating: ".a", count: size)), value("y + ", size), value("await ", size),
            value("\"", 1, String(repeating: "a", count: 100 * size) + "\""),
            repeated("struct A { var x: Int; }\n", size),
            Data("struct A { var ".utf8) + repeated("b", 10 * size, ": Int }"),
            Data("struct A\0 { \0\0 var x: Int\0 }\0".utf8), Data("\u{FEFF}struct A {\r\n var x: Int\r\n}".utf8),
        ]
        let listing = try ToolProcess.listing(of: contents)
        let first = listing.files.map { $0.declarations.first }
        #expect(first.map { $0?.name } == Array(repeating: "A", count: contents.count))
        #expect(first.map { $0?.variables.count } == Array(repeating: 1, count: contents.count))
        #expect(listing.files.flatMap(\.problems).map(\.message) == [])
    }

    /// Checks that code that nests too deep has a problem, and that the files after it are read.
    static func checkDeepFiles(size: Int) throws {
        let overflow = "more than 256 brackets are open; the rest of the file is not read"
        let cases = [
            (value("(", size), overflow), (repeated("{", size), overflow),
            // The time of the parser grows with the square of the number of `#if`.
            (repeated("#if A\n", size / 10), "more than 64 conditions of #if apply here; the code is not read"),
            (repeated("struct A {", size), "types are nested deeper than 64 levels; the inner ones are not read"),
            (repeated("/*", size), "the comment has no end; add `*/`"), (value("- ", size), "expected an expression"),
            (Data([0x00, 0xFF, 0x89, 0x50]), "is not UTF-8; save the file as UTF-8"), (Data("struct A {}".utf8), nil),
        ]
        let listing = try ToolProcess.listing(of: cases.map(\.0))
        #expect(listing.files.map { $0.problems.first?.message } == cases.map(\.1))
    }
}
