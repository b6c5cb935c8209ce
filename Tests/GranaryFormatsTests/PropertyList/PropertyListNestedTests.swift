import Foundation
import GranaryBase
import GranaryFormats
import TestSupport
import Testing

/// Dictionaries inside records, and arrays inside arrays.
@Suite struct PropertyListNestedTests {
    static func outcomes(_ record: String) -> [String] {
        PropertyListTests.outcomes(PropertyListTests.reader(PropertyListTests.xml("<array>\(record)</array>")))
    }

    @Test(
        arguments: [
            ("<key>o</key><dict><key>a</key><integer>1</integer></dict>", "{o={a=number:1}}"),
            ("<key>o</key><dict/><key>p</key><dict><key>q</key><dict/></dict>", "{o={},p={q={}}}"),
            (
                "<key>o</key><array><dict><key>a</key><array/></dict><integer>3</integer><dict/></array><key>z</key><true/>",
                "{o=-{a=emptyList:},o=-number:3,o=-{},z=boolean:true}"
            ),
            (
                "<key>o</key><dict><key>l</key><array><string>x</string><dict><key>d</key>"
                    + "<date>2001-01-02T03:04:05Z</date><key>b</key><data>AP8=</data></dict></array></dict>",
                "{o={l=-quoted:x,l=-{d=date:97445.0,b=data:AP8=}}}"
            ),
            (
                "<key>k</key><array><array><string>a\"</string><integer>-1</integer><real>0.5</real><false/><array/>"
                    + "</array><array/></array>",
                #"{k=-array:["a\"",-1,0.5,false,[]],k=-array:[]}"#
            ),
            (
                "<key>o</key><dict><key>k</key><array><array><integer>18446744073709551615</integer></array></array></dict>",
                "{o={k=-array:[18446744073709551615]}}"
            ),
            (
                "<key>a</key><true/><key>o</key><dict><key>a</key><true/><key>$null</key><array><string>b</string></array>"
                    + "</dict><key>b</key><true/>", "{a=boolean:true,o={a=boolean:true,b=null:},b=boolean:true}"
            ),
        ] as [(String, String)])
    func `Dictionaries inside a record have fields of their own`(_ entries: String, _ expected: String) {
        #expect(Self.outcomes("<dict>\(entries)</dict><dict/>") == ["1 " + expected, "2 {}"])
    }

    @Test(
        arguments: [
            ("<key>o</key><dict><key>a</key><true/><key>a</key><true/></dict>", "header.duplicate"),
            (
                "<key>a</key><true/><key>o</key><dict><key>a</key><true/></dict><key>a</key><true/>", "header.duplicate"
            ),
            (
                "<key>o</key><dict><key>a</key><true/><key>$null</key><array><string>a</string></array></dict>",
                "header.duplicate"
            ),
            ("<key>o</key><dict><key>$null</key><dict/></dict>", "plist.syntax"),
            ("<key>k</key><array><array><dict><key>a</key><array/></dict></array></array>", "value.syntax"),
            ("<key>k</key><array><array><date>2001-01-02T03:04:05Z</date></array></array>", "value.syntax"),
            ("<key>k</key><array><array><data>AP8=</data></array></array>", "value.syntax"),
            ("<key>k</key><array><array><real>nan</real></array></array>", "value.syntax"),
        ] as [(String, String)])
    func `What is wrong inside costs its record only`(_ entries: String, _ code: String) {
        #expect(
            Self.outcomes("<dict>\(entries)<key>p</key><dict><key>z</key><true/></dict></dict><dict/>")
                == ["malformed " + code, "2 {}"])
    }

    @Test func `Limits hold inside`() throws {
        let bytes = PropertyListTests.xml(
            "<array><dict><key>o</key><dict><key>a</key><string>12</string><key>b</key><array><array>"
                + "<string>345</string></array></array></dict></dict></array>")
        #expect(
            PropertyListTests.outcomes(PropertyListTests.reader(bytes) { $0.maximumFields = 3 })
                == [#"1 {o={a=quoted:12,b=-array:["345"]}}"#])
        #expect(
            PropertyListTests.outcomes(PropertyListTests.reader(bytes) { $0.maximumFields = 2 })
                == ["malformed limit.exceeded"])
        #expect(
            PropertyListTests.outcomes(PropertyListTests.reader(bytes) { $0.maximumRecordBytes = 8 })
                == ["malformed limit.exceeded"])
        #expect(
            PropertyListTests.outcomes(PropertyListTests.reader(bytes) { $0.maximumColumns = 2 })
                == ["refused limit.exceeded"])
        #expect(
            PropertyListTests.outcomes(PropertyListTests.reader(bytes) { $0.maximumDepth = 4 })
                == ["refused limit.exceeded"])
        let deep = String(repeating: "<dict><key>a</key><array>", count: 50_000)
        #expect(Self.outcomes(deep) == ["refused limit.exceeded"])
    }

    @Test func `A dictionary inside knows its place`() throws {
        let text = "<array><dict><key>a</key>\n<true/><key>o</key>\n  <dict><key>b</key>\n<true/></dict></dict></array>"
        let reader = PropertyListTests.reader(PropertyListTests.xml(text))
        var record = Record()
        guard case .record = try reader.next(into: &record) else {
            Issue.record("no record")
            return
        }
        var cursor = Record.Cursor()
        #expect(record.nested.map { record.position(of: $0, file: "x", &cursor).line } == [4])
        #expect(record.nestedFields.map { record.position(of: $0, file: "x").line } == [5])
        #expect(record.fields.map { record.position(of: $0, file: "x").line } == [3, 4])
    }

    @Test(arguments: [PropertyListSerialization.PropertyListFormat.xml, .binary], 0..<20)
    func `Made-up records are rebuilt from the flat form`(
        _ format: PropertyListSerialization.PropertyListFormat, _ seed: Int
    ) throws {
        var generator = SeededGenerator(seed: UInt64(seed))
        var values: [Any] = []
        for _ in 0..<10 { values.append(NestedValue.randomObject(depth: 5, isPlain: true, &generator).foundation) }
        let reader = PropertyListTests.reader(try PropertyListTests.foundation(values, format))
        var record = Record()
        for value in values {
            guard case .record = try reader.next(into: &record) else {
                Issue.record("no record")
                return
            }
            let rebuilt = try JSONSerialization.jsonObject(with: Data(record.json(reader.columns)))
            let text = try JSONSerialization.data(withJSONObject: rebuilt, options: [.sortedKeys])
            #expect(try text == JSONSerialization.data(withJSONObject: value, options: [.sortedKeys]))
        }
    }
}
