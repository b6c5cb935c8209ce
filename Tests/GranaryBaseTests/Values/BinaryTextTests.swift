import Foundation
import GranaryBase
import TestSupport
import Testing

@Suite struct Base64TextTests {
    private func decode(_ text: String) throws -> [UInt8] {
        var output: [UInt8] = [0xAA]
        try withBytes(text) { try Base64Text.decode($0, into: &output) }
        return Array(output.dropFirst())
    }

    /// RFC 4648 section 10.
    @Test(arguments: [
        ("", ""), ("f", "Zg=="), ("fo", "Zm8="), ("foo", "Zm9v"), ("foob", "Zm9vYg=="), ("fooba", "Zm9vYmE="),
        ("foobar", "Zm9vYmFy"),
    ])
    func vectors(plain: String, encoded: String) throws {
        #expect(try decode(encoded) == Array(plain.utf8))
        #expect(printed { output in withBytes(plain) { Base64Text.encode($0, into: &output) } } == encoded)
    }

    @Test(arguments: [
        "Z", "Zg", "Zg=", "Zg===", "Zm9v\n", "Zm9v ", " Zm9", "Zh==", "Zm9=", "====", "Z===", "=Zm9", "Zm=v",
        "Zg==Zg==", "Zm9-", "Zm_v",
        "Zm9vé===", "Zm\u{1}v", "Zg=a", "==",
    ])
    func refuses(text: String) {
        var output: [UInt8] = [1, 2]
        #expect(
            refusal(text) { bytes throws(ValueTextError) in try Base64Text.decode(bytes, into: &output) } == .syntax)
        #expect(output == [1, 2])
    }

    @Test func agreesWithFoundation() throws {
        var generator = SeededGenerator(seed: 13)
        for length in 0..<300 {
            let bytes = (0..<length).map { _ in UInt8(truncatingIfNeeded: generator.next()) }
            let encoded = Data(bytes).base64EncodedString()
            #expect(
                printed { output in bytes.withUnsafeBufferPointer { Base64Text.encode($0, into: &output) } } == encoded)
            #expect(try decode(encoded) == bytes)
        }
    }
}

@Suite struct HexTextTests {
    @Test func comesBack() throws {
        let bytes = (0...255).map { UInt8($0) }
        let text = printed { output in bytes.withUnsafeBufferPointer { HexText.encode($0, into: &output) } }
        #expect(text.hasPrefix("000102") && text.hasSuffix("fdfeff"))
        for spelling in [text, text.uppercased()] {
            var output: [UInt8] = [7]
            try withBytes(spelling) { try HexText.decode($0, into: &output) }
            #expect(output == [7] + bytes)
        }
    }

    @Test(arguments: ["0", "0g", "g0", "0x00", " 00", "00\n", "0:", "/0", "@0"])
    func refuses(text: String) {
        var output: [UInt8] = [1]
        #expect(refusal(text) { bytes throws(ValueTextError) in try HexText.decode(bytes, into: &output) } == .syntax)
        #expect(output == [1])
    }
}
