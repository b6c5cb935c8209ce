import GranaryBase
import GranaryFormats
import GranaryRecords
import TestSupport
import Testing
@testable import GranaryImport

/// Rejected records of the formats other than CSV.
@Suite struct RejectsFormatTests {
    static let documents: [(String, [Int], String)] = [
        (
            #"[{"a": 1}, {"a": 1, "a": 2},"# + "\n 5, {\"a\":\n 3}]", [2, 3, 4],
            "[\n{\"a\": 1, \"a\": 2},\n5,\n{\"a\":\n 3}\n]\n"
        ),
        (#"{"a": 1}"#, [1], "[\n{\"a\": 1}\n]\n"),
        ("\u{FEFF}[{}]", [1], "\u{FEFF}[\n{}\n]\n"),
        (
            #"{"model": {"v": 1}, "entities": {"P": [{"a":1}, {"a":2}], "Q\n": [{"b":1}, {}], "R": []}}"#, [2, 3],
            #"{"entities": {"P": ["# + "\n{\"a\":2}\n],\n" + #""Q\n": ["# + "\n{\"b\":1}\n]}}\n"
        ),
    ]

    @Test(arguments: documents)
    func `JSON keeps its shape and each record its bytes`(
        _ text: String, _ rejected: [Int], _ expected: String
    ) throws {
        let source = RejectsSamples.json(Array(text.utf8))
        let written = try RejectsSamples.written([RejectsSamples.entry(source, rejected)])
        #expect(String(decoding: written, as: UTF8.self) == expected)
        let all = try RejectsSamples.records(source)
        let again = try RejectsSamples.records(RejectsSamples.json(written))
        let found = rejected.map { all[$0 - 1] }
        #expect(again == found)
    }

    @Test func `JSON Lines are lines`() throws {
        let text = "\u{FEFF} {\"a\":1} \r\n\n{\"a\":\n{\"a\":3}"
        let source = RejectsSamples.json(Array(text.utf8), lines: true)
        let written = try RejectsSamples.text([RejectsSamples.entry(source, [2, 3])])
        #expect(written == "\u{FEFF}{\"a\":\n{\"a\":3}\n")
    }

    private static func xml(_ body: String) -> [UInt8] { Array("<plist version=\"1.0\">\n\(body)\n</plist>\n".utf8) }

    private static let head = """
        <?xml version="1.0" encoding="UTF-8"?>
        <!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
        <plist version="1.0">

        """

    @Test func `An entry of a property list keeps all that it holds`() throws {
        let source = RejectsSamples.propertyList(
            Self.xml(
                """
                <array><dict><key>a</key><integer>1</integer></dict>
                <dict><key>a</key><dict><key>b</key><true/></dict><key>a</key><real>0.5</real></dict>
                <string>x &amp; y</string><array/><dict/></array>
                """))
        let written = try RejectsSamples.text([RejectsSamples.entry(source, [2, 3, 4])])
        let body = """
            <array>
            \t<dict>
            \t\t<key>a</key>
            \t\t<dict>
            \t\t\t<key>b</key>
            \t\t\t<true/>
            \t\t</dict>
            \t\t<key>a</key>
            \t\t<real>0.5</real>
            \t</dict>
            \t<string>x &amp; y</string>
            \t<array/>
            </array>
            </plist>

            """
        #expect(written == Self.head + body)
    }

    @Test func `A property list of entities is one again`() throws {
        let source = RejectsSamples.propertyList(
            Self.xml(
                """
                <dict><key>model</key><dict/><key>entities</key><dict>
                <key>P</key><array><dict/></array><key>Q</key><array><dict/><dict><key>d</key><data>AP8=</data></dict></array>
                </dict><key>metadata</key><dict/></dict>
                """))
        let written = try RejectsSamples.text([RejectsSamples.entry(source, [1, 3])])
        let body = """
            <dict>
            \t<key>entities</key>
            \t<dict>
            \t\t<key>P</key>
            \t\t<array>
            \t\t\t<dict/>
            \t\t</array>
            \t\t<key>Q</key>
            \t\t<array>
            \t\t\t<dict>
            \t\t\t\t<key>d</key>
            \t\t\t\t<data>
            \t\t\t\tAP8=
            \t\t\t\t</data>
            \t\t\t</dict>
            \t\t</array>
            \t</dict>
            </dict>
            </plist>

            """
        #expect(written == Self.head + body)
    }

    @Test func `What XML cannot hold makes a binary list`() throws {
        var options = PropertyListWriter.Options()
        options.encoding = .binary
        let output = ByteOutput.memory()
        let writer = PropertyListWriter(output, options: options)
        try writer.beginTable(entity: "T", columns: ["a"])
        for text in ["one", "t\u{1}wo", "three"] {
            try writer.beginRow()
            var text = text
            try text.withUTF8 { bytes in try writer.write(.text(bytes), column: 0) }
            try writer.endRow()
        }
        try writer.endTable()
        try writer.finish(model: nil)
        let source = RejectsSamples.propertyList(try output.finish())
        let binary = try RejectsSamples.written([RejectsSamples.entry(source, [2, 3])])
        #expect(binary.starts(with: "bplist00".utf8))
        #expect(try RejectsSamples.records(RejectsSamples.propertyList(binary)).count == 2)
        #expect(try RejectsSamples.text([RejectsSamples.entry(source, [1, 3])]).contains("<string>three</string>"))
    }

    @Test func `Terms become rows that keep their numbers`() throws {
        let source = ImportSource(name: "in.terms") { () throws(GranaryError) -> any RecordReader in
            let options = TermsReader.Options(delimiter: "%", fields: ["name"], ordinal: "key", ordinalStart: 5)
            return try TermsReader(text: "Burn%%C \"x\"%NULL", options: options)
        }
        let written = try RejectsSamples.text([RejectsSamples.entry(source, [2, 3, 4])])
        #expect(written == "name,key\n\"\",6\n\"C \"\"x\"\"\",7\n\"NULL\",8\n")
    }
}
