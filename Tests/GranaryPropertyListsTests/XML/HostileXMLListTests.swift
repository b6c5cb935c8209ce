import Foundation
import GranaryBase
import TestSupport
import Testing

@testable import GranaryPropertyLists

@Suite struct HostileXMLListTests {
    @Test(
        "a document type of its own is refused",
        arguments: [
            "<!DOCTYPE plist [<!ENTITY a \"b\">]><plist><string>&a;</string></plist>",
            "<?xml version=\"1.0\"?>\n<!-- c --><!DOCTYPE plist PUBLIC \"[\" '>' [<!ENTITY a SYSTEM \"file:///etc/passwd\">]><plist/>",
            "<!DOCTYPE plist [\n<!ATTLIST plist version CDATA \"2\">]><plist><true/></plist>",
            "<!DOCTYPE plist []><plist><true/></plist>", "<!DOCTYPE plist [%a;]><plist><true/></plist>",
            "<!DOCTYPE plist><!DOCTYPE plist><plist><true/></plist>",
            "<plist><!DOCTYPE plist [<!ENTITY a \"b\">]><string>&a;</string></plist>",
            "<!DOCTYPE plist <plist><true/></plist>", "<!DOCTYPE plist", "<!-- no end", "<?xml version=\"1.0\"",
        ])
    func documentType(text: String) { #expect(readCode(Array(text.utf8)) == "plist.syntax") }

    @Test(
        "a usual document type is not",
        arguments: [
            "<!DOCTYPE plist><plist><true/></plist>",
            "<!DOCTYPE plist SYSTEM \"file://localhost/x.dtd\"><plist><true/></plist>",
            "\n<!-- [ -->\n<?p [ ?><!DOCTYPE plist PUBLIC '>' \"[\">\n<plist><true/></plist>",
            "\u{FEFF}<plist><true/></plist>",
        ])
    func usualDocumentType(text: String) { #expect(readCode(Array(text.utf8)) == "read") }

    @Test(
        "processing instructions are passed over in the prolog, refused elsewhere",
        arguments: [
            ("<?a?><plist><true/></plist>", true), ("<?xml version='1.0'?><?a?><?b c?>\n<plist><true/></plist>", true),
            ("<plist><?a?><true/></plist>", false), ("<plist><true/></plist><?a?>", false),
            ("<plist><string><?a b?></string></plist>", false),
            ("<plist><string><![CDATA[<?a?>]]></string></plist>", true), ("<plist><!-- <?a?> --><true/></plist>", true),
            ("<plist a='<?a?>'><true/></plist>", false), ("<plist><true/><!x <?a?>></plist>", false),
            ("<plist><true/><!-x <?a?>--></plist>", false),
        ])
    func processingInstructions(text: String, isRead: Bool) {
        #expect(readCode(Array(text.utf8)) == (isRead ? "read" : "plist.syntax"))
    }

    @Test("a deep document meets the depth limit", arguments: ["array", "dict"])
    func deep(name: String) {
        let open = name == "array" ? "<array>" : "<dict><key>k</key>"
        let text = "<plist>" + String(repeating: open, count: 100_000)
        #expect(readCode(Array(text.utf8)) == "limit.exceeded")
    }

    @Test("a prolog and a tag without end meet their limits")
    func endless() {
        #expect(readCode(Array(("<!--" + String(repeating: "x", count: 1 << 18)).utf8)) == "limit.exceeded")
        let attributes = (0..<20_000).map { " a\($0)=''" }.joined()
        #expect(readCode(Array("<plist><array\(attributes)></array></plist>".utf8)) == "limit.exceeded")
        #expect(readCode(Array("<plist\(attributes)><array></array></plist>".utf8)) == "limit.exceeded")
        // Long comments, sections and texts are none.
        let long = String(repeating: "a < b ", count: 1 << 15)
        for text in [
            "<!-- \(long) --><true/>", "<string><![CDATA[\(long)]]></string>",
            "<string>&lt;\(long.replacing("<", with: ""))</string>",
        ] {
            #expect(readCode(Array("<plist>\(text)</plist>".utf8)) == "read")
        }
    }

    @Test("a value beyond its limit is refused")
    func longValue() {
        var limits = PropertyListLimits()
        limits.valueBytes = 10
        for (count, isRead) in [(10, true), (11, false)] {
            let text = "<plist><string>\(String(repeating: "x", count: count))</string></plist>"
            let value = try? PropertyList.read(Array(text.utf8), source: "x", limits: limits)
            #expect((value != nil) == isRead)
        }
    }

    @Test(
        "bytes that are no text are refused",
        arguments: [
            [0xFF], [0xC3, 0x28], [0xC0, 0x80], [0xED, 0xA0, 0x80], [0xF5, 0x80, 0x80, 0x80], [0xE2, 0x82],
            [0xF0, 0x82, 0x82, 0xAC],
        ] as [[UInt8]])
    func notUTF8(bytes: [UInt8]) {
        let document = Array("<plist>\n<string>".utf8) + bytes + Array("</string></plist>".utf8)
        let error = #expect(throws: GranaryError.self) { try PropertyList.read(document, source: "x") }
        #expect(error?.diagnostics.first?.code == .encodingInvalid)
        #expect(error?.diagnostics.first?.position == SourcePosition(file: "x", line: 2, column: 9, byteOffset: 16))
    }

    @Test(
        "UTF-16 is read, with a byte order mark or without",
        arguments: [String.Encoding.utf16LittleEndian, .utf16BigEndian])
    func utf16(encoding: String.Encoding) throws {
        let text = "<?xml version=\"1.0\" encoding=\"UTF-16\"?><!DOCTYPE plist><plist><string>é😀漢</string></plist>"
        let bytes = Array(try #require(text.data(using: encoding)))
        let mark: [UInt8] = encoding == .utf16LittleEndian ? [0xFF, 0xFE] : [0xFE, 0xFF]
        for document in [bytes, mark + bytes] {
            #expect(try PropertyList.read(document, source: "x") == .string("é😀漢"))
        }
        #expect(readCode(bytes + [0xD8]) == "encoding.invalid")
        #expect(readCode(bytes + [0xDC, 0xDC]) == "encoding.invalid")
    }

    @Test("other encodings are refused", arguments: ["ISO-8859-1", "UTF-16", "UTF-7", "x"])
    func otherEncoding(name: String) {
        let text = "<?xml version='1.0' encoding='\(name)'?><plist><true/></plist>"
        #expect(readCode(Array(text.utf8)) == "encoding.invalid")
    }

    @Test("text that a piece of the stream cuts comes through whole")
    func pieces() throws {
        for shift in 0..<5 {
            let text = String(repeating: "x", count: shift) + String(repeating: "é漢😀&amp;", count: 30_000)
            let bytes = Array("<plist><string>\(text)</string></plist>".utf8)
            #expect(try PropertyList.read(bytes, source: "x") == .string(text.replacing("&amp;", with: "&")))
        }
    }

    @Test("cut and changed documents give a value or an error", arguments: 0..<6)
    func mutations(seed: Int) throws {
        var random = RandomTree(seed: UInt64(seed), forXML: true)
        let bytes = try PropertyList.write(.array([random.value(), random.value(depth: 2)]), as: .xml)
        for _ in 0..<80 {
            var changed = bytes
            for _ in 0..<Int.random(in: 1...4, using: &random.generator) {
                let index = Int.random(in: 0..<changed.count, using: &random.generator)
                let pool: [UInt8] = Array("<>/&;\"'[]!?-adk".utf8) + [0, 0xC3, 0xFF, 10]
                changed[index] = pool.randomElement(using: &random.generator) ?? 0
            }
            if Bool.random(using: &random.generator) {
                changed = Array(changed.prefix(Int.random(in: 0...changed.count, using: &random.generator)))
            }
            _ = try? PropertyList.read(changed, source: "fuzz")
        }
    }
}
