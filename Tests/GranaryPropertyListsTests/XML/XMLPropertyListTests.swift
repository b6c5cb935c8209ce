import Foundation
import GranaryBase
import TestSupport
import Testing

@testable import GranaryPropertyLists

@Suite struct XMLPropertyListTests {
    static func document(_ content: String) -> [UInt8] {
        Array(
            """
            <?xml version="1.0" encoding="UTF-8"?>
            <!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
            <plist version="1.0">
            \(content)
            </plist>

            """.utf8)
    }

    @Test("Foundation's lists are read as they are, and it reads ours", arguments: 0..<15)
    func twin(seed: Int) throws {
        var random = RandomTree(seed: UInt64(seed), forXML: true)
        let tree = random.value()
        let data = try PropertyListSerialization.data(fromPropertyList: tree.foundation, format: .xml, options: 0)
        #expect(try PropertyList.read(Array(data), source: "twin").sorted == tree.sorted)
        let bytes = try PropertyList.write(tree, as: .xml)
        let object = try PropertyListSerialization.propertyList(from: Data(bytes), options: [], format: nil)
        #expect(foundationEqual(object, tree.foundation))
        #expect(try PropertyList.read(bytes, source: "ours") == tree)
    }

    @Test("the layout is Foundation's, byte for byte")
    func layout() throws {
        var inner = PropertyListValue.data(Array(repeating: 7, count: 100))
        for _ in 0..<12 { inner = .array([inner, .integer(1)]) }
        for tree: PropertyListValue in [
            .array(
                [
                    .string("a<b>&\"'é\t\n"), .string(""), .integer(-5), .unsigned(.max), .real(0.5), .real(.nan),
                    .real(-.infinity), .boolean(true), .boolean(false), .date(0), .date(-1),
                    .date(-62_135_596_800 + 978_307_200 * -1),
                    .array([]), .dictionary([]), .data([]), .data(Array(0...255)), inner,
                    .dictionary([.init("key & value", .dictionary([.init("", .array([.integer(0x7FFF_FFFF)]))]))]),
                ].filter { value in
                    if case .date(let seconds) = value { XMLPropertyListWriter.canHold(.date(seconds)) } else { true }
                }), .string("root"), .array([]),
        ] {
            let twin = try PropertyListSerialization.data(fromPropertyList: tree.foundation, format: .xml, options: 0)
            #expect(
                String(decoding: try PropertyList.write(tree, as: .xml), as: UTF8.self)
                    == String(decoding: twin, as: UTF8.self))
        }
    }

    static let scalars: [(String, PropertyListValue?)] = [
        ("<integer>0</integer>", .integer(0)), ("<integer>-9223372036854775808</integer>", .integer(.min)),
        ("<integer>9223372036854775808</integer>", .unsigned(1 << 63)), ("<integer>+5</integer>", .integer(5)),
        ("<integer>18446744073709551616</integer>", nil), ("<integer>-9223372036854775809</integer>", nil),
        ("<integer>0x1F</integer>", .integer(31)), ("<integer>-0x10</integer>", .integer(-16)),
        ("<integer> 7\n</integer>", .integer(7)), ("<integer></integer>", nil), ("<integer>-</integer>", nil),
        ("<integer>0x</integer>", nil), ("<integer>1.0</integer>", nil), ("<integer>1 2</integer>", nil),
        ("<integer>٣</integer>", nil), ("<real>1.5e3</real>", .real(1500)), ("<real>-0.0</real>", .real(-0.0)),
        ("<real>inf</real>", .real(.infinity)), ("<real>-Infinity</real>", .real(-.infinity)),
        ("<real>1e999</real>", nil), ("<real>0x1p3</real>", nil), ("<real></real>", nil), ("<real>1,5</real>", nil),
        ("<date>2001-01-01T00:00:00Z</date>", .date(0)), ("<date>1970-01-01T00:00:00Z</date>", .date(-978_307_200)),
        ("<date>2000-02-29T23:59:59Z</date>", .date(-26_438_401)), ("<date>2001-02-29T00:00:00Z</date>", nil),
        ("<date>1900-02-29T00:00:00Z</date>", nil), ("<date>2001-13-01T00:00:00Z</date>", nil),
        ("<date>2001-01-01T24:00:00Z</date>", nil), ("<date>2001-01-01 00:00:00Z</date>", nil),
        ("<date>2001-01-01T00:00:00+01:00</date>", nil), ("<date>0000-01-01T00:00:00Z</date>", nil),
        ("<data>AQID</data>", .data([1, 2, 3])), ("<data>\n\tAQ\n\t==\n</data>", .data([1])), ("<data/>", .data([])),
        ("<data>AQI=</data>", .data([1, 2])), ("<data>AQ</data>", nil), ("<data>A!==</data>", nil),
        ("<data>AR==</data>", nil), ("<data>AQ==AQ==</data>", nil), ("<data>=</data>", nil),
        ("<true/>", .boolean(true)), ("<false></false>", .boolean(false)), ("<true>x</true>", nil),
        ("<string>  a\n </string>", .string("  a\n ")), ("<string/>", .string("")),
        ("<string> </string>", .string(" ")),
        ("<string>a<!-- b -->c</string>", .string("ac")), ("<string>a<?b?>c</string>", nil),
        ("<string>a<?b d?>c</string>", nil),
        ("<string><![CDATA[<&>]]]]>x</string>", .string("<&>]]x")), ("<string>a]]>b</string>", nil),
        ("<string><![CDATA[<&>]]></string>", .string("<&>")),
        ("<string>&lt;&amp;&#233;&#x1F600;&#13;</string>", .string("<&é😀\r")),
        ("<string>a\r\nb\rc</string>", .string("a\nb\nc")),
        ("<string>&#0;</string>", nil), ("<string>&#x1F;</string>", nil), ("<string>&nbsp;</string>", nil),
        ("<string>\u{1}</string>", nil), ("<dict><key>CF$UID</key><integer>7</integer></dict>", .uid(7)),
        ("<dict/>", .dictionary([])), ("<array>\n</array>", .array([])),
        ("<array><string>a</string><array/></array>", .array([.string("a"), .array([])])),
    ]

    @Test("values in XML", arguments: scalars)
    func scalar(text: String, expected: PropertyListValue?) throws {
        let bytes = Self.document(text)
        if let expected {
            #expect(try PropertyList.read(bytes, source: "x") == expected)
        } else {
            #expect(readCode(bytes) == "plist.syntax")
        }
    }

    static let wrong: [(String, Int, Int)] = [
        ("<plist><dict><key>a</key></dict></plist>", 1, 26),
        ("<plist><dict><string>a</string></dict></plist>", 1, 14),
        ("<plist><dict><key>a</key>\n<key>b</key></dict></plist>", 2, 1),
        ("<plist><array><key>a</key></array></plist>", 1, 15),
        ("<plist>\n<array>x</array></plist>", 2, 8), ("<plist>\n<array>\n é</array></plist>", 3, 2),
        ("<plist>\n<array>é&#10;&#65;</array></plist>", 2, 8), ("<plist>é</plist>", 1, 8),
        ("<plist><array>&#10;&#65;</array></plist>", 1, 20),
        ("<plist><string>a</string><string>b</string></plist>", 1, 26),
        ("<plist><string>a<b/></string></plist>", 1, 17),
        ("<plist>\n\n  <number>1</number></plist>", 3, 3), ("<plist>\n\n  <integer>a</integer></plist>", 3, 3),
        ("<plist></plist>", 1, 8), ("<plist/>", 1, 1), ("<?xml version='1.0'?><array></array>", 1, 22),
        ("<!----><Plist/>", 1, 8),
        ("<plist><array></plist>", 1, 15), ("<plist><array>", 1, 15), ("<plist><string>abc", 1, 19),
        ("<plist><string>a</string></plist>x", 1, 34), ("<plist><plist/></plist>", 1, 8),
        ("<plist><array></array></plist><plist></plist>", 1, 31), ("<plist ><string>a</String></plist>", 1, 18),
    ]

    @Test("wrong documents are refused at their place", arguments: wrong)
    func wrongDocument(text: String, line: Int, column: Int) {
        let error = #expect(throws: GranaryError.self) { try PropertyList.read(Array(text.utf8), source: "x.plist") }
        #expect(error?.diagnostics.first?.code == .plistSyntax)
        let expected = SourcePosition(file: "x.plist", line: line, column: column)
        #expect(error?.diagnostics.first?.position == expected, "\(text): \(error?.description ?? "")")
    }

    @Test("events come in order with their places")
    func eventsInOrder() throws {
        let text =
            "<plist>\n<dict>\n <key>a</key><array><true/>\n</array><key>b</key><integer>1</integer></dict>\n</plist>"
        var found: [PropertyListEvent] = []
        var places: [Int] = []
        try PropertyList.forEachEvent(of: .init(bytes: Array(text.utf8), name: "x")) { event, place in
            found.append(event)
            places.append(place.line)
        }
        #expect(
            found == [
                .beginDictionary, .key("a"), .beginArray, .boolean(true), .endArray, .key("b"), .integer(1),
                .endDictionary,
            ])
        #expect(places == [2, 3, 3, 3, 4, 4, 4, 4])
    }

    @Test("what the handler throws ends the reading")
    func handlerThrows() {
        let bytes = Self.document("<array>" + String(repeating: "<true/>", count: 100_000) + "</array>")
        var count = 0
        let error = #expect(throws: GranaryError.self) {
            try PropertyList.forEachEvent(of: .init(bytes: bytes, name: "x")) { (_, _) throws(GranaryError) in
                count += 1
                if count == 10 { throw GranaryError(.interrupted, "stop") }
            }
        }
        #expect(error?.code == .interrupted)
        #expect(count == 10)
    }
}

@Suite struct XMLPropertyListLongTests {
    @Test("Foundation's lists are read as they are, and it reads ours", arguments: 15..<60)
    func twin(seed: Int) throws { try XMLPropertyListTests().twin(seed: seed) }
}
