import Foundation
import GranaryBase
import GranaryModel
import GranaryPropertyLists
import TestSupport
import Testing

@testable import GranaryModelFiles

/// Input that is broken, or made to break the reader.
struct HostileModelTests {
    private static func load(_ bytes: [UInt8], named name: String = "contents") throws -> [String] {
        let folder = try TemporaryFolder()
        let file = try folder.write(Data(bytes), to: name)
        let lines = ModelSamples.refusal { _ = try ManagedObjectModel(contentsOf: file) } ?? []
        return lines.map { $0.replacing(folder.url.path, with: "") }
    }

    @Test(arguments: [
        ("", "error: /contents: is empty [model.syntax]"),
        (
            "garbage",
            "error: /contents: is not a model: it is neither model XML nor an archive as JSON or property list, and its name does not end with .granary.yaml [model.syntax]"
        ),
        ("SQLite format 3\0…", "error: /contents: is a store, not a model; name its model [model.syntax]"),
        (
            "momv2$…",
            "error: /contents: is a compiled model in its private form (.omo); name the .mom beside it, or the folder [model.syntax]"
        ),
        ("<model>\n  <entity name=\"E\">", "/contents:2:20: error: /contents: not well-formed XML: "),
        ("<model>\n  <entity></model>", "/contents:2:"),
        ("<model name=\"a\" name=\"b\"/>", "/contents:1:"),
        ("<model>&undeclared;</model>", "/contents:1:"),
        ("<model/><model/>", "/contents:1:"),
        ("<model a='\u{1}'/>", "/contents:1:"),
        (
            "<?xml version=\"1.0\" encoding=\"ISO-8859-1\"?><model/>",
            "/contents:1:1: error: /contents: the encoding \"iso-8859-1\" does not match"
        ),
        (
            "<!DOCTYPE model [<!ENTITY a \"aaaa\"><!ENTITY b \"&a;&a;\">]>\n<model name=\"&b;\"/>",
            "/contents:1:1: error: /contents: the document type declares entities"
        ),
        (
            "<!-- x --><!DOCTYPE model SYSTEM \"[\" [\n<!ENTITY % p SYSTEM \"file:///etc/passwd\">%p;]><model/>",
            "/contents:1:11: error: /contents: the document type declares entities"
        ),
        (
            "<model><entity name=\"\u{e9}\" \u{e9}=\"1\" e\u{301}=\"2\"/></model>",
            "/contents:1:8: error: /contents: two attributes of one element have the same name"
        ),
    ])
    func brokenText(_ text: String, _ start: String) throws {
        let lines = try Self.load(Array(text.utf8))
        #expect(lines.count == 1)
        #expect(lines.first?.hasPrefix(start) == true, "\(lines)")
    }

    @Test func wrongEncodings() throws {
        let utf16 = try #require("<model/>".data(using: .utf16LittleEndian))
        #expect(try Self.load(Array(utf16)).first?.contains("[encoding.invalid]") == true)
        #expect(try Self.load([0xFF, 0xFE] + Array(utf16)).first?.contains("is not a model") == true)
        let broken = Array("<model name=\"".utf8) + [0xC3, 0x28] + Array("\"/>".utf8)
        #expect(try Self.load(broken).first?.hasPrefix("/contents:1:") == true)
    }

    @Test func depth() throws {
        let deep = "<model>" + String(repeating: "<a>", count: 100_000)
        #expect(
            try Self.load(Array(deep.utf8)) == [
                "/contents:1:197: error: /contents: elements are nested deeper than 64 levels, the limit [limit.exceeded]"
            ])
    }

    @Test func manyAttributes() throws {
        let attributes = "<model " + (0..<1_001).map { "a\($0)='1'" }.joined(separator: " ") + "/>"
        #expect(try Self.load(Array(attributes.utf8)).first?.contains("more than 1000 attributes") == true)
    }

    @Test func manyUnknownElementsStayLinear() throws {
        let xml = "<model>" + String(repeating: "<a/>", count: 12_000) + "</model>"
        let (model, diagnostics) = try ModelSamples.read(xml)
        #expect(model.notes.filter { $0.key.hasPrefix("/a[") }.count == 12_000)
        #expect(diagnostics.count == 10_000)
    }

    @Test(arguments: [
        "{\"granaryModel\"}", "{}", "{\"granaryModel\": \"1\"}", "{\"granaryModel\": 1}",
        "{\"granaryModel\": 1, \"model\": []}",
        "{\"granaryModel\": 1, \"model\": {\"entities\": [{\"name\": 5}]}}",
    ])
    func brokenJSON(_ text: String) throws {
        let lines = try Self.load(Array(text.utf8))
        #expect(lines.count == 1 && lines[0].contains("error: /contents: ") && lines[0].hasSuffix("[model.syntax]"))
    }

    @Test func deepJSONAndPropertyLists() throws {
        let json = "{\"granaryModel\": 1, \"model\": " + String(repeating: "[", count: 100_000)
        #expect(try Self.load(Array(json.utf8)).count == 1)
        let list = "<plist version=\"1.0\">" + String(repeating: "<array>", count: 100_000)
        #expect(try Self.load(Array(list.utf8)).first?.contains("[limit.exceeded]") == true)
        // An array that holds itself: one object, which is its own first element.
        let cycle =
            Array("bplist00".utf8) + [0xA1, 0x00, 0x08] + [0, 0, 0, 0, 0, 0, 1, 1]
            + [0, 0, 0, 0, 0, 0, 0, 1] + [0, 0, 0, 0, 0, 0, 0, 0] + [0, 0, 0, 0, 0, 0, 0, 10]
        #expect(try Self.load(cycle).count == 1)
    }

    @Test(.enabled(if: SharedFiles.arePresent, "../shared is not there"))
    func everyCutOfARealModelIsRefused() throws {
        let bytes = try ModelSamples.contents(try #require(ModelSamples.names.first))
        let end = try #require(bytes.lastIndex(of: UInt8(ascii: ">")))
        for count in stride(from: 0, through: end, by: 13) {
            let lines = ModelSamples.refusal {
                _ = try ModelSamples.read(String(decoding: bytes[..<count], as: UTF8.self))
            }
            #expect(lines?.count == 1, "cut after \(count) bytes")
        }
    }

    /// Whatever happens to a file, it is refused or it is a model that survives.
    @Test(.enabled(if: SharedFiles.arePresent, "../shared is not there"), arguments: 0..<20)
    func damagedModels(_ seed: Int) throws {
        var generator = SeededGenerator(seed: UInt64(seed))
        let name = try #require(ModelSamples.names.randomElement(using: &generator))
        let model = try ManagedObjectModel(contentsOf: try ModelSamples.url(name))
        let sources = [
            try ModelXMLWriter.write(model, target: ""), try ModelArchive.json(model, target: ""),
            try ModelArchive.propertyList(model, as: .binary, target: ""),
            try ModelArchive.propertyList(model, as: .xml, target: ""),
        ]
        let folder = try TemporaryFolder()
        for (number, source) in sources.enumerated() {
            for round in 0..<5 {
                var bytes = source
                for _ in 0...round {
                    let place = Int.random(in: 0..<bytes.count, using: &generator)
                    switch Int.random(in: 0..<3, using: &generator) {
                    case 0: bytes[place] = UInt8.random(in: 0...255, using: &generator)
                    case 1: bytes.remove(at: place)
                    default: bytes.insert(contentsOf: bytes.suffix(place % 40), at: place)
                    }
                }
                let file = try folder.write(Data(bytes), to: "damaged")
                guard let damaged = try? ManagedObjectModel(contentsOf: file) else { continue }
                let again = folder.url.appending(path: "again")
                try damaged.write(to: again, as: .binaryPropertyList, replacing: true)
                #expect(try ManagedObjectModel(contentsOf: again) == damaged)
                if number == 0 {
                    let xml = try ModelXMLWriter.write(damaged, target: "")
                    #expect(try ModelSamples.read(String(decoding: xml, as: UTF8.self)).model == damaged)
                }
            }
        }
    }

    /// References of keyed archives in an archive of ours.
    @Test func referencesInArchives() throws {
        for value in [
            "<dict><key>CF$UID</key><integer>1</integer></dict>", "<date>2001-01-01T00:00:00Z</date>", "<data/>",
        ] {
            let list = "<plist version=\"1.0\"><dict><key>granaryModel</key><integer>1</integer><key>model</key>"
            for text in [
                value, "<dict><key>entities</key>\(value)</dict>",
                "<dict><key>entities</key><array>\(value)</array></dict>",
            ] {
                #expect(try Self.load(Array("\(list)\(text)</dict></plist>".utf8)).count == 1)
            }
        }
    }

    @Test func missingAndForeignPlaces() throws {
        let folder = try TemporaryFolder()
        for path in ["/none.xcdatamodeld", "/none/contents"] {
            let url = folder.url.appending(path: path)
            let error = try #require(throws: GranaryError.self) { try ManagedObjectModel(contentsOf: url) }
            #expect(error.code == .unreadable)
        }
        let device = try #require(throws: GranaryError.self) {
            try ManagedObjectModel(contentsOf: URL(filePath: "/dev/zero"))
        }
        #expect(device.code == .unreadable)
        let empty = try #require(throws: GranaryError.self) { try ManagedObjectModel(contentsOf: folder.url) }
        #expect(empty.code == .refused)
    }
}
