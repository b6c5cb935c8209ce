import Foundation
import GranaryBase
import TestSupport
import Testing

@Suite struct BooleanTextTests {
    @Test(arguments: [
        ("true", true), ("TRUE", true), ("tRuE", true), ("yes", true), ("Yes", true), ("1", true), ("false", false),
        ("False", false), ("NO", false), ("no", false), ("0", false),
    ])
    func reads(text: String, value: Bool) throws {
        #expect(try withBytes(text) { try BooleanText.parse($0) } == value)
    }

    @Test(arguments: [
        "", "t", "f", "y", "n", "on", "off", "2", "-1", "01", "true ", " no", "trux", "TRUE\n", "falsch", "\u{17F}",
        "@o", "YE\u{13}",
    ])
    func refuses(text: String) {
        #expect(refusal(text) { bytes throws(ValueTextError) in try BooleanText.parse(bytes) } == .syntax)
    }

    @Test func prints() {
        #expect(printed { BooleanText.append(true, to: &$0) } == "true")
        #expect(printed { BooleanText.append(false, to: &$0) } == "false")
    }
}

@Suite struct UUIDTextTests {
    @Test func agreesWithFoundation() throws {
        var generator = SeededGenerator(seed: 12)
        for _ in 0..<2_000 {
            let value = UUID(uuid: unsafeBitCast((generator.next(), generator.next()), to: uuid_t.self))
            #expect(printed { UUIDText.append(value, to: &$0) } == value.uuidString)
            #expect(try withBytes(value.uuidString) { try UUIDText.parse($0) } == value)
            #expect(try withBytes(value.uuidString.lowercased()) { try UUIDText.parse($0) } == value)
        }
    }

    @Test(.enabled(if: SharedFiles.arePresent, "../shared is not there"))
    func jsonSchemaSuite() throws {
        for (text, isValid) in try formatCases("uuid") {
            #expect(
                (refusal(text) { bytes throws(ValueTextError) in try UUIDText.parse(bytes) } == nil) == isValid,
                "\(text)")
        }
    }

    /// Every byte in every place: only hexadecimal digits, and hyphens where they belong.
    @Test func everyByteInEveryPlace() {
        let valid = Array("2EB8AA08-AA98-11EA-B4AA-73B441D16380".utf8)
        for place in valid.indices {
            for byte in UInt8.min...UInt8.max {
                var text = valid
                text[place] = byte
                let isHyphen = valid[place] == UInt8(ascii: "-")
                let isValid = isHyphen ? byte == UInt8(ascii: "-") : "0123456789abcdefABCDEF".utf8.contains(byte)
                let isAccepted = text.withUnsafeBufferPointer { (try? UUIDText.parse($0)) != nil }
                if isAccepted != isValid { Issue.record("byte \(byte) at \(place)") }
            }
        }
    }
}

@Suite struct URITextTests {
    private func isAccepted(_ text: String) -> Bool {
        refusal(text) { bytes throws(ValueTextError) in try URIText.check(bytes) } == nil
    }

    /// We differ in one: an empty text is no URL.
    @Test(.enabled(if: SharedFiles.arePresent, "../shared is not there"))
    func jsonSchemaSuite() throws {
        for (text, isValid) in try formatCases("uri-reference") {
            #expect(isAccepted(text) == (isValid && !text.isEmpty), "\(text)")
        }
        // Every URI is a reference; what has no scheme may still be one.
        let references: Set = ["//foo.bar/?baz=qux#quux", "/abc", "abc"]
        for (text, isValid) in try formatCases("uri") {
            #expect(isAccepted(text) == (isValid || references.contains(text)), "\(text)")
        }
    }

    @Test(arguments: [
        "x-coredata://2EB8AA08-AA98-11EA-B4AA-73B441D16380/Session/p1", "http://[::1]:8080/", "http://[v1.a:b]/", "a:",
        "//host:",
        "http://[1:2:3:4:5:6:7:8]", "http://[1::8]", "http://[::ffff:1.2.3.4]", "file:///tmp/a%20b", "?", "#", "a/b:c",
        "mailto:a@b",
    ])
    func accepts(text: String) { #expect(isAccepted(text)) }

    @Test(arguments: [
        "", "a b", "a\u{1}", "a\u{7F}", "é", "%", "%4", "%4g", "a#b#c", "http://[1:2:3:4:5:6:7]",
        "http://[1:2:3:4:5:6:7:8:9]", "http://[]",
        "http://[::1", "http://[::1]x", "http://[1::2::3]", "http://[:1]", "http://[1:]", "http://[12345::]",
        "http://[::1.2.3]",
        "http://[::1.2.3.256]", "http://[::1.2.3.4.]", "http://[v.a]", "http://[v1.]", "http://a]b/", "http://a:b:c/",
        ":a", "a[b]", "http://[:::1]",
        "http://[1::2:3:4:5:6:7:8]",
    ])
    func refuses(text: String) { #expect(!isAccepted(text)) }
}
