import GranaryBase
import Testing

@testable import GranaryPropertyLists

/// The pull parser against FoundationXML, which is libxml2 on Linux.
@Suite struct XMLTwinTests {
    @Test func `Generated documents give the same elements, attributes and texts`() throws {
        try Self.compareDocuments(seeds: 0..<60)
    }

    @Test func `Changed documents are refused by both, or give the same`() throws {
        try Self.compareChanged(seeds: 0..<200)
    }

    static func compareDocuments(seeds: Range<UInt64>) throws {
        for seed in seeds {
            var random = RandomXML(seed: seed)
            let text = random.document()
            let document = Array(text.utf8)
            let ours = try XMLTrace.read(document)
            let twin = FoundationXMLTwin.read(document)
            #expect(ours == twin, "\(Self.firstDifference(ours, twin)) in \(text)")
            for pieceBytes in [1, 2, 3, 7, 64] {
                #expect(try XMLTrace.read(document, pieceBytes: pieceBytes) == ours, "\(text)")
            }
        }
    }

    static func compareChanged(seeds: Range<UInt64>) throws {
        for seed in seeds {
            var random = RandomXML(seed: seed)
            let text = random.changed()
            let document = Array(text.utf8)
            let ours = Result { () throws(GranaryError) in try XMLTrace.read(document) }
            var twin = FoundationXMLTwin.read(document)
            var read = try? ours.get()
            if text.contains("<![CDATA[") {
                twin = twin?.map(\.withoutCR)
                read = read?.map(\.withoutCR)
            }
            #expect(read == twin, "\(Self.firstDifference(read, twin)) in \(text)")
            // Pieces change neither what is read nor what is wrong.
            let pieces = Result { () throws(GranaryError) in try XMLTrace.read(document, pieceBytes: 1) }
            switch (ours, pieces) {
            case (.success(let left), .success(let right)): #expect(left == right)
            case (.failure(let left), .failure(let right)): #expect(left.diagnostics == right.diagnostics)
            default: Issue.record("\(text)")
            }
        }
    }

    private static func firstDifference(_ ours: [XMLTrace]?, _ twin: [XMLTrace]?) -> String {
        guard let ours, let twin else { return ours == nil ? "only the twin reads it" : "only Granary reads it" }
        guard let (left, right) = zip(ours, twin).first(where: { $0 != $1 }) else { return "one is longer" }
        return "\(left) and \(right)"
    }

    /// Documents that both read or both refuse.
    @Test(arguments: [
        "", " ", "x", "<", "<a", "<a>", "<a/>", "<a/>x", "<a/><b/>", "<a/>&#32;", "<a/><![CDATA[ ]]>", "</a>",
        "<a></b>", "<a></a", "<a></a >", "<a></ a>", "< a/>", "<a/ >", "<a//>", "<1/>", "<-/>", "<a:b/>", "<:a/>",
        "<a:/>", "<xml:a/>", "<a xml:b=''/>", "<a xmlns:b='u'><b:c/></a>", "<a><b xmlns:c='u'/><c:d/></a>",
        "<a xmlns:b='u' b:c='' b:d=''/>", "<a b/>", "<a b=/>", "<a b=1/>", "<a b='/>", "<a b=\"'\"/>", "<a b='<'/>",
        "<a b=''c=''/>", "<a b='' b=''/>", "<a b='&'/>", "<a b='&lt;'/>", "<a b='&c;'/>", "<a b='\u{1}'/>",
        "<a b='\u{FFFF}'/>", "<a b='&#60;'/>", "<a>&</a>", "<a>& </a>", "<a>&;</a>", "<a>&lt</a>", "<a>&#;</a>",
        "<a>&#x;</a>", "<a>&#X41;</a>", "<a>&#0;</a>", "<a>&#1;</a>", "<a>&#9;</a>", "<a>&#xD800;</a>",
        "<a>&#xFFFE;</a>", "<a>&#x10FFFF;</a>", "<a>&#x110000;</a>", "<a>&#99999999999999999999;</a>",
        "<a>&#00000000000065;</a>", "<a>&nbsp;</a>", "<a>]]></a>", "<a>]] ></a>", "<a><![CDATA[]]]]></a>",
        "<a><![CDATA[</a>", "<a><![CDATA</a>", "<a><![cdata[]]></a>", "<a><!-- -- --></a>", "<a><!-- ---></a>",
        "<a><!----></a>", "<a><!---></a>", "<a><!--", "<a><!-- \u{1} --></a>", "<a><!- --></a>", "<a><!b></a>",
        "<a>\u{1}</a>", "<a>\u{7F}\u{80}</a>", "<a>\u{FFFE}</a>", "<a>\u{FFFD}</a>", "<a>\u{10FFFF}</a>", "<é/>",
        "<漢/>", "<\u{B7}/>", "<a\u{B7}/>", "<a\u{D7}/>", "<\u{300}/>", "<a\u{300}/>", "<\u{EFFFF}/>", "<\u{F0000}/>",
        "<a\r\nb='\r\n'\r/>", "<!-- --><a/><!-- -->", "<!-- -- --><a/>", "\u{FEFF}<a/>", "<a>\u{FEFF}</a>",
        "<a><b></a></b>", "<a></a></a>", "<a><!DOCTYPE a></a>", "<a/><!DOCTYPE a>",
    ])
    func `Short documents`(_ text: String) {
        let document = Array(text.utf8)
        #expect((try? XMLTrace.read(document)) == FoundationXMLTwin.read(document))
    }

    /// The deliberate differences: who reads which document.
    static let differences: [(document: String, granary: Bool, twin: Bool)] = [
        // Entities are never declared, and no processing instruction is needed after the prolog.
        ("<!DOCTYPE a [<!ELEMENT a ANY>]><a/>", false, true), ("<a><?b c?></a>", false, true),
        ("<a/><?b c?>", false, true),
        // The XML declaration can follow white space, and only its encoding is checked.
        (" <?xml version='1.0'?><a/>", true, false), ("<?xml encoding='UTF-8'?><a/>", true, false),
        ("<?xml version='1.0' encoding='ISO-8859-1'?><a/>", false, true),
        // Only the end of the document type declaration is looked for.
        ("<!DOCTYPE><a/>", true, false), ("<!DOCTYPE a PUBLIC 'b'><a/>", true, false),
        // The names of namespaces are not looked at: two prefixes of one namespace are two names.
        ("<a xmlns:b='u' xmlns:c='u' b:d='' c:d=''/>", true, false), ("<a xmlns:b=''/>", true, false),
        ("<a xmlns='u'/>", true, false),
        // A reference has at most 1,024 bytes.
        ("<a>&#\(String(repeating: "0", count: 1_100))65;</a>", false, true),
    ]

    @Test(arguments: differences) func `Deliberate differences`(document: String, granary: Bool, twin: Bool) {
        #expect(((try? XMLTrace.read(Array(document.utf8))) != nil) == granary)
        #expect((FoundationXMLTwin.read(Array(document.utf8)) != nil) == twin)
    }

    /// libxml2 keeps CR in CDATA sections of streams, although XML wants line ends replaced everywhere.
    @Test func `Line ends in CDATA sections`() throws {
        let document = Array("<a><![CDATA[b\r\nc\rd]]></a>".utf8)
        #expect(try XMLTrace.read(document).contains(.text("b\nc\nd")))
        #expect(try XMLTrace.read(document, pieceBytes: 1).contains(.text("b\nc\nd")))
        #expect(FoundationXMLTwin.read(document)?.contains(.text("b\r\nc\rd")) == true)
    }
}

@Suite struct XMLTwinLongTests {
    @Test func `Generated documents give the same elements, attributes and texts`() throws {
        try XMLTwinTests.compareDocuments(seeds: 100..<2_000)
    }

    @Test func `Changed documents are refused by both, or give the same`() throws {
        try XMLTwinTests.compareChanged(seeds: 1_000..<10_000)
    }
}
