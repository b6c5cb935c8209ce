import Foundation
import GranaryBase
import GranaryFormats
import Testing

/// JSON text as the value of a Binary attribute.
@Suite struct CompactJSONTests {
    private static func isCompact(_ text: String) -> Bool {
        Array(text.utf8).withUnsafeBufferPointer { CompactJSON.isCompact($0) }
    }

    private static func compact(_ text: String) throws -> String {
        var output: [UInt8] = []
        try Array(text.utf8).withUnsafeBufferPointer { text throws(CompactJSON.Problem) in
            try CompactJSON.append(text, to: &output)
        }
        return String(decoding: output, as: UTF8.self)
    }

    @Test(arguments: [
        "[]", "{}", #"["Lemon","Juniper"]"#, #"[{"step":1}]"#, #"{"01_grassland":3000}"#, #"["a\/b","\u00e9","é"]"#,
        "[1E+05,-0.0,1e999,123456789012345678901234567890]", #"{"b":1,"a":{"b":2}}"#, #"["  \" ] "]"#, #"["\\"]"#,
        #"["\ud83d\ude00"]"#,
    ])
    func `Text that comes back with the same bytes is compact`(_ text: String) throws {
        #expect(Self.isCompact(text))
        #expect(try Self.compact(text) == text)
    }

    @Test(arguments: [
        "", "1", "\"a\"", "null", "[1, 2]", "[1]\n", " []", "[1,]", "[1", "[1]]", #"{"a":1,"a":2}"#,
        #"[{"a":1,"\u0061":2}]"#, #"["\u0000"]"#, #"["\ud800"]"#, "[\"\u{FFFE}\"]", "[\"\u{FFFF}\"]", "[01]", "[NaN]",
        "\u{FEFF}[]", "[\"\t\"]",
    ])
    func `Other bytes are not`(_ text: String) {
        #expect(!Self.isCompact(text))
    }

    @Test func `Bytes that are not UTF-8, and deep and long texts are not`() {
        for bytes: [UInt8] in [[0x5B, 0x22, 0xFF, 0x22, 0x5D], [0x5B], [0x7B, 0x00], [0x5B, 0x00, 0x5D, 0x00]] {
            #expect(!bytes.withUnsafeBufferPointer { CompactJSON.isCompact($0) }, "\(bytes)")
        }
        func nested(_ depth: Int) -> String {
            String(repeating: "[", count: depth) + String(repeating: "]", count: depth)
        }
        #expect(Self.isCompact(nested(100)))
        #expect(!Self.isCompact(nested(101)))
        #expect(!Self.isCompact(nested(200_000)))
        let long = "[\"" + String(repeating: "a", count: (1 << 20) - 4) + "\"]"
        #expect(Self.isCompact(long))
        #expect(!Self.isCompact("[\"a" + long.dropFirst(2)))
    }

    @Test(arguments: [
        (" [ 1 ,\r\n\t2 ] ", "[1,2]"), (#"{ "a b" : " c : , " , "d":[ ] }"#, #"{"a b":" c : , ","d":[]}"#),
        (#"[ "\" ", "\\" , 1.50 ]"#, #"["\" ","\\",1.50]"#),
    ])
    func `White space between tokens is removed, and nothing else changes`(_ text: String, _ expected: String) throws {
        #expect(try Self.compact(text) == expected)
        // Foundation reads the same value.
        func value(_ text: String) throws -> NSObject? {
            try JSONSerialization.jsonObject(with: Data(text.utf8)) as? NSObject
        }
        #expect(try value(text) == value(expected))
    }

    @Test(arguments: [
        ("[1,]", "value.syntax", 3), (#"{"a":1,"b":2,"a":3}"#, "value.syntax", 13), ("17", "value.syntax", 0),
        (#"["\ud800"]"#, "encoding.invalid", 2),
    ])
    func `A mistake has its offset`(_ text: String, _ code: String, _ offset: Int) throws {
        do {
            _ = try Self.compact(text)
            Issue.record("no error")
        } catch let problem as CompactJSON.Problem {
            #expect(problem.offset == offset, "\(problem.reason)")
            #expect([code, "json.syntax"].contains(problem.code.rawValue), "\(problem.code)")
        }
    }
}
