import Foundation
import GranaryBase
import Testing

@testable import GranaryPropertyLists

struct XMLElementTreeTests {
    private static func tree(
        _ text: String, limits: XMLElementLimits = .standard
    ) throws(GranaryError) -> XMLElementTree {
        try XMLElementTree(Array(text.utf8), source: "file", syntax: .modelSyntax, limits: limits)
    }

    private static let sample = """
        \u{FEFF}<?xml version="1.0" encoding="utf-8"?>
        <!-- <no> "' --><?go <no>?><!DOCTYPE a SYSTEM "x>y">
        <a x = '1 > 0'  y="&lt;&#10;é">
          <b/><![CDATA[<no>]]><!-- ' --><c xy="x=" x='"'><d></d > </c>
        </a >
        """

    @Test func elementsAttributesChildren() throws {
        let tree = try Self.tree(Self.sample)
        #expect(tree.elements.map(\.name) == ["a", "b", "c", "d"])
        #expect(tree.elements.map(\.children) == [[1, 2], [], [3], []])
        #expect(tree.elements[0].attributes == ["x": "1 > 0", "y": "<\né"])
        #expect(tree.elements[2].attributes == ["xy": "x=", "x": "\""])
        #expect(tree.elements.map(\.hasText) == [true, false, false, false])
    }

    @Test func placesAndSourceText() throws {
        let tree = try Self.tree(Self.sample)
        func place(_ element: Int, _ attribute: String? = nil) -> [Int] {
            let position = tree.position(at: tree.offset(of: element, attribute: attribute))
            return [position?.line ?? 0, position?.column ?? 0]
        }
        #expect(place(0) == [3, 1] && place(0, "x") == [3, 4] && place(0, "y") == [3, 17])
        let start = Self.sample.utf8.count - (Self.sample.components(separatedBy: "<a x").last?.utf8.count ?? 0) - 4
        #expect(tree.position(at: tree.offset(of: 0))?.byteOffset == start)
        #expect(place(2) == [4, 33] && place(2, "xy") == [4, 36] && place(2, "x") == [4, 44])
        #expect(place(1, "none") == place(1))
        #expect((1...3).map(tree.text) == ["<b/>", "<c xy=\"x=\" x='\"'><d></d > </c>", "<d></d >"])
    }

    @Test(arguments: [
        ("", "not XML"), (" ", "not XML"), ("<a>", "XML"), ("<a><b></a></b>", "not well-formed"),
        ("<a", "XML"), ("<a b='/>", "not well-formed"), ("<a/><", "not well-formed"), ("</a>", "not well-formed"),
        ("<!-- ", "ends before its root element"), ("<>", "XML"), ("<a b=1/>", "not well-formed"),
        ("<p:a/>", "not well-formed"),
        ("<a>&x;</a>", "not well-formed"), ("<a>\u{0}</a>", "U+0000"), ("<a x='1' x='2'/>", "not well-formed"),
        ("<!DOCTYPE a [<!ENTITY x 'y'>]><a>&x;</a>", "declares entities"),
        ("<!DOCTYPE a []><a/>", "declares entities"),
        ("<?xml version='1.0' encoding='UTF-7'?><a/>", "the encoding \"utf-7\" does not match"),
        ("<?xml version='1.0' encoding='UTF-16'?><a/>", "the encoding \"utf-16\" does not match"),
        ("\u{0}<a/>", "invalid UTF-16"),
        ("<a>x<?b?>y</a>", "a processing instruction"), ("<a>x<?b c?>y</a>", "a processing instruction"),
        ("<??><a/>", "a processing instruction has no valid name"),
        ("<a/><?b\n?>", "a processing instruction"),
        ("<a><??></a>", "a processing instruction"),
    ])
    func refusals(_ text: String, _ message: String) throws {
        let error = try #require(throws: GranaryError.self) { try Self.tree(text) }
        #expect(error.code == .refused && error.diagnostics.count == 1)
        #expect(error.message.contains(message), "\(error.message)")
        let isEncoding = ["U+0000", "encoding", "UTF-16"].contains { message.contains($0) }
        #expect(error.diagnostics.first?.code == (isEncoding ? .encodingInvalid : .modelSyntax))
        #expect(error.diagnostics.first?.position != nil)
    }

    @Test func limits() throws {
        var limits = XMLElementLimits()
        limits.depth = 2
        #expect(try Self.tree("<a><b><c/></b></a>", limits: limits).elements.count == 3)
        #expect(throws: GranaryError.self) { try Self.tree("<a><b><c></c></b></a>", limits: limits) }
        limits.elements = 2
        #expect(throws: GranaryError.self) { try Self.tree("<a><b/><b/></a>", limits: limits) }
        limits.attributes = 1
        #expect(throws: GranaryError.self) { try Self.tree("<a b='' c=''/>", limits: limits) }
        limits.bytes = 4
        #expect(try Self.tree("<a/>", limits: limits).elements.count == 1)
        let error = try #require(throws: GranaryError.self) { try Self.tree("<a/>\n", limits: limits) }
        #expect(error.diagnostics.map(\.code) == [.limitExceeded])
        #expect(throws: GranaryError.self) { try Self.tree(String(repeating: "<a>", count: 100_000)) }
    }

    @Test func manyElements() throws {
        let tree = try Self.tree("<a>" + String(repeating: "<b/>", count: 50_000) + "</a>")
        #expect(tree.elements[0].children.count == 50_000)
    }

    /// The position of each part must not be counted from the start of the document.
    @Test("A prolog of many parts is read once", arguments: ["<?a?>", "<!---->", "<!-- \n -->"])
    func manyPartsBeforeTheRoot(part: String) throws {
        let tree = try Self.tree(String(repeating: part, count: 20_000) + "<a/>")
        #expect(tree.elements.count == 1)
        let error = try #require(throws: GranaryError.self) {
            try Self.tree(String(repeating: "<?a?>\n", count: 1_000) + "<!-- no end")
        }
        #expect(error.diagnostics.first?.position?.line == 1_001)
    }
}
