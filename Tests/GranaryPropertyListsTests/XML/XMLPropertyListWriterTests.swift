import Foundation
import GranaryBase
import Testing

@testable import GranaryPropertyLists

@Suite struct XMLPropertyListWriterTests {
    @Test(
        "what XML cannot hold is refused, and said before",
        arguments: [
            (.string("a\u{0}b"), .valueSyntax, "U+0000"), (.key("\u{1F}"), .valueSyntax, "U+001F"),
            (.string("\u{FFFE}"), .valueSyntax, "U+FFFE"), (.string("x\u{FFFF}"), .valueSyntax, "U+FFFF"),
            (.date(0.5), .valuePrecision, "seconds"), (.date(.nan), .valueRange, "years"),
            (.date(1e30), .valueRange, "years"),
            (.date(-63_113_904_001), .valueRange, "years"), (.date(252_423_993_600), .valueRange, "years"),
        ] as [(PropertyListEvent, Diagnostic.Code, String)])
    func cannotHold(event: PropertyListEvent, code: Diagnostic.Code, word: String) {
        #expect(!XMLPropertyListWriter.canHold(event))
        let problem = XMLPropertyListWriter.problem(with: event)
        #expect(problem?.code == code)
        #expect(problem?.message.contains(word) == true)
        var writer = XMLPropertyListWriter()
        var output: [UInt8] = []
        #expect(throws: GranaryError.self) { try writer.write(event, into: &output) }
        #expect(output.isEmpty)
    }

    @Test(
        "what it can hold comes back the same",
        arguments: [
            .string("\r\n\t\r"), .string("\u{7F}\u{85}\u{FFFD}"), .string("]]>"), .string("e\u{301}"), .real(-0.0),
            .real(.nan),
            .real(.leastNonzeroMagnitude), .real(1e300), .real(0.1), .date(-63_113_904_000), .date(252_423_993_599),
            .date(-0.0 + 86_400 * 59),
            .uid(12), .array([.uid(1), .dictionary([.init("k", .uid(2))])]), .integer(.min), .unsigned(.max),
        ] as [PropertyListValue])
    func canHold(value: PropertyListValue) throws {
        #expect(try PropertyList.read(PropertyList.write(value, as: .xml), source: "ours") == value)
    }

    @Test("dates agree with Foundation, all along")
    func dates() throws {
        let style = Date.ISO8601FormatStyle()
        for day in stride(from: -60_000, to: 300_000, by: 397) {
            let seconds = Double(day) * 86_400 + Double(day.magnitude % 86_400)
            var text: [UInt8] = []
            _ = DateText.append(seconds, to: &text)
            #expect(
                String(decoding: text, as: UTF8.self) == Date(timeIntervalSinceReferenceDate: seconds).formatted(style))
            #expect(XMLDateText.seconds(text) == seconds)
        }
    }

    @Test(
        "events in an impossible order are our own defect",
        arguments: [
            [.endArray], [.key("a")], [.beginDictionary, .integer(1)], [.beginDictionary, .key("a"), .key("b")],
            [.beginDictionary, .key("a"), .endDictionary], [.beginArray, .endDictionary], [.integer(1), .integer(2)],
        ] as [[PropertyListEvent]])
    func order(events: [PropertyListEvent]) {
        var xml = XMLPropertyListWriter()
        var binary = BinaryPropertyListStreamWriter()
        var output: [UInt8] = []
        for write in [
            { (event: PropertyListEvent) in try xml.write(event, into: &output) },
            { (event: PropertyListEvent) in try binary.write(event, into: &output) },
        ] {
            let error = #expect(throws: GranaryError.self) { for event in events { try write(event) } }
            #expect(error?.code == .internalDefect)
        }
    }

    @Test(
        "a list through the stream writer reads the same in both formats", arguments: [PropertyListFormat.binary, .xml])
    func streamWriter(format: PropertyListFormat) throws {
        var random = RandomTree(seed: 5, forXML: true)
        let tree = PropertyListValue.array((0..<60).map { _ in random.value() })
        let output = ByteOutput.memory()
        var writer = PropertyListStreamWriter(format)
        try tree.forEachEvent { (event) throws(GranaryError) in try writer.write(event, to: output) }
        try writer.finish(output)
        #expect(try PropertyList.read(output.finish(), source: "ours") == tree)
    }
}
