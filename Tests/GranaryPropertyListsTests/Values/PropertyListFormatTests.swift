import Testing

@testable import GranaryPropertyLists

@Suite struct PropertyListFormatTests {
    @Test(
        "a format is told by its first bytes",
        arguments: [
            ("bplist00", .binary), ("<?xml version", .xml), ("\n <plist>", .xml), ("\u{FEFF}<!DOCTYPE plist", .xml),
            ("<!-- -->", .xml),
            ("", nil), ("{ a = b; }", nil), ("<0fbd77>", nil), ("bplis", nil), ("<dict>", nil),
        ] as [(String, PropertyListFormat?)])
    func detect(text: String, format: PropertyListFormat?) {
        #expect(PropertyListFormat.detect(Array(text.utf8)) == format)
        if format == nil { #expect(readCode(Array(text.utf8)) == "plist.syntax") }
    }
}
