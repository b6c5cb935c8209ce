import Foundation
import TestSupport
import Testing

@testable import GranaryPropertyLists

@Suite(.enabled(if: SharedFiles.arePresent, "../shared is not there")) struct CorpusTests {
    @Test("biplist: broken files are refused, the rest is read as Foundation reads it")
    func biplist() throws {
        for file in try SharedFiles.files(below: "corpora/biplist/tests") where file.pathExtension == "plist" {
            let bytes = Array(try Data(contentsOf: file))
            let name = file.lastPathComponent
            let isBroken =
                file.path.contains("fuzz_data") || name.hasPrefix("invalid_") || name == "bogus_file.plist"
                || name == "empty_file.plist"
            if isBroken {
                #expect(readCode(bytes) != "read", "\(name)")
            } else {
                let tree = try PropertyList.read(bytes, source: name)
                // Foundation's references compare by identity; and its reader crashes on the set of the other.
                guard !["nskeyedarchiver_example.plist", "sorted.plist"].contains(name) else { continue }
                let twin = try PropertyListSerialization.propertyList(from: Data(bytes), options: [], format: nil)
                #expect(foundationEqual(twin, tree.foundation), "\(name)")
            }
        }
    }

    /// The corpus holds what no XML parser takes; Foundation's own goes by its own rules.
    @Test(
        "go-plist: what is well-formed XML is read, the rest is refused with its place",
        arguments: [
            ("s01", [.init("copyright", .string("©"))]), ("s02", [.init("name", .string("value"))]),
            ("s03", [.init("", .string("value"))]), ("s04", [.init("", .string("value"))]),
            ("s05", nil), ("s06", nil), ("s07", nil), ("s08", nil), ("s09", nil), ("s10", nil),
            (
                "s11",
                [
                    .init("test", .string("libxml2")), .init("test", .string("apple")),
                    .init("test", .string("libplist")),
                ]
            ),
        ] as [(String, [PropertyListEntry]?)])
    func goPlist(name: String, expected: [PropertyListEntry]?) throws {
        let file = try SharedFiles.url("corpora/go-plist/testdata/xml_unusual_cases/\(name).plist")
        let bytes = Array(try Data(contentsOf: file))
        if let expected {
            #expect(try PropertyList.read(bytes, source: name) == .dictionary(expected))
        } else {
            #expect(readCode(bytes) == "plist.syntax")
        }
    }

    @Test("version information and compiled models of public apps are read")
    func compiledModels() throws {
        var archives = 0
        for file in try SharedFiles.files(below: "coredata/compiled") where file.pathExtension != "tsv" {
            let bytes = Array(try Data(contentsOf: file))
            if file.pathExtension == "plist" {
                let tree = try PropertyList.read(bytes, source: file.path)
                #expect(tree["NSManagedObjectModel_VersionHashes"]?.dictionary?.isEmpty == false)
                let twin = try PropertyListSerialization.propertyList(from: Data(bytes), options: [], format: nil)
                #expect(foundationEqual(twin, tree.foundation), "\(file.lastPathComponent)")
            } else if file.pathExtension == "mom" {
                let archive = try KeyedArchive(bytes, source: file.path)
                let model = try #require(try archive.top())
                #expect(try archive.className(of: model) == "NSManagedObjectModel")
                for (name, entity) in try #require(try archive.entries("NSEntities", of: model)) {
                    #expect(try archive.string("NSEntityName", of: entity) == name)
                    for (property, item) in try archive.entries("NSProperties", of: entity) ?? [] {
                        #expect(try archive.string("NSPropertyName", of: item) == property)
                        // The graph is a circle: the entity that the property names is this one.
                        #expect(try archive.field("NSEntity", of: item) == entity)
                    }
                }
                archives += 1
            }
        }
        #expect(archives > 5)
    }

    @Test("biplist's keyed archive is read by its fields")
    func keyedArchive() throws {
        let file = try SharedFiles.url("corpora/biplist/tests/data/nskeyedarchiver_example.plist")
        let archive = try KeyedArchive(Array(try Data(contentsOf: file)), source: "example")
        let root = try #require(try archive.top())
        #expect(try archive.classNames(of: root) == ["Archived", "NSObject"])
        #expect(try archive.string("somekey", of: root) == "object value as string")
    }

    @Test("naughty strings come back as they were, or XML says why not")
    func naughtyStrings() throws {
        let data = try Data(contentsOf: SharedFiles.url("corpora/blns/blns.json"))
        let strings = try JSONDecoder().decode([String].self, from: data)
        #expect(strings.count > 400)
        let tree = PropertyListValue.dictionary(strings.map { PropertyListEntry($0, .string($0)) })
        #expect(try PropertyList.read(PropertyList.write(tree, as: .binary), source: "blns") == tree)
        let held = strings.filter { XMLPropertyListWriter.canHold(.string($0)) }
        #expect(strings.count - held.count == 6)
        let xml = PropertyListValue.array(held.map(PropertyListValue.string))
        #expect(try PropertyList.read(PropertyList.write(xml, as: .xml), source: "blns") == xml)
    }
}
