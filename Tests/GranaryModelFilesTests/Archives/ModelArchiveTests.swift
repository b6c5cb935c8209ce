import Foundation
import GranaryBase
import GranaryModel
import GranaryPredicates
import TestSupport
import Testing

@testable import GranaryModelFiles

/// Archives of models that were built in code.
struct ModelArchiveTests {
    /// The Coffee example with everything that an archive must hold and the XML cannot.
    static var coffee: ManagedObjectModel {
        var name = AttributeDescription(name: "name", type: .string)
        name.isIndexed = true
        name.defaultValue = .string("a\0b\u{1}\u{FFFF}é\u{10FFFF}")
        var rating = AttributeDescription(name: "rating", type: .decimal)
        rating.isOptional = true
        rating.defaultValue = .decimal(Decimal(sign: .minus, exponent: -128, significand: 7))
        rating.minimumValue = .decimal(Decimal(string: "12345678901234567890123456789012345678") ?? 0)
        var photo = AttributeDescription(name: "photo", type: .binary)
        photo.defaultValue = .binary(Data([0, 255, 7]))
        var bought = AttributeDescription(name: "bought", type: .date)
        bought.defaultValue = .date(Date(timeIntervalSinceReferenceDate: 0.1 + 0.2))
        var count = AttributeDescription(name: "count", type: .integer64)
        count.minimumValue = .integer(.min)
        count.maximumValue = .integer(.max)
        var ratio = AttributeDescription(name: "ratio", type: .double)
        ratio.defaultValue = .double(.leastNonzeroMagnitude)
        ratio.minimumValue = .float(0.1)
        var coffee = EntityDescription(name: "Coffee")
        coffee.attributes = [name, rating, photo, bought, count, ratio]
        coffee.userInfo = ["k": "v"]
        var brewer = RelationshipDescription(name: "brewer", destination: "Coffee", inverse: "brewer")
        brewer.maxCount = -1
        brewer.deleteRule = .deny
        coffee.relationships = [brewer]
        var model = ManagedObjectModel(entities: [coffee])
        model.versionIdentifiers = ["1", "2"]
        return model
    }

    @Test(arguments: ["AppDataModel.archive", "AppDataModel.json", "AppDataModel.plist", "AppDataModel"])
    func aModelBuiltInCodeComesBack(_ name: String) throws {
        let folder = try TemporaryFolder()
        let url = folder.url.appending(path: name)
        var model = Self.coffee
        // An XML property list has no control characters.
        if name.hasSuffix(".plist") { model.entities[0].attributes[0].defaultValue = .string("é") }
        try model.write(to: url)
        #expect(try ManagedObjectModel(contentsOf: url) == model)
        let bytes = try Data(contentsOf: url)
        try model.write(to: url, replacing: true)
        #expect(try Data(contentsOf: url) == bytes)
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.url.path) == [name])
    }

    /// Swift takes both spellings for the same text, so the bytes are compared.
    @Test(arguments: ["A.archive", "A.plist", "A.json"])
    func textKeepsItsSpelling(_ name: String) throws {
        let spellings = ["\u{E9}", "e\u{301}", "\u{E9}"]
        var entity = EntityDescription(name: "E")
        entity.attributes = spellings.enumerated().map { number, text in
            var attribute = AttributeDescription(name: "a\(number)", type: .string)
            attribute.defaultValue = .string(text)
            attribute.userInfo = ["k": .string(text)]
            return attribute
        }
        let folder = try TemporaryFolder()
        let url = folder.url.appending(path: name)
        try ManagedObjectModel(entities: [entity]).write(to: url)
        let read = try #require(try ManagedObjectModel(contentsOf: url).entity(named: "E"))
        let defaults = read.attributes.map { attribute -> [UInt8] in
            if case .string(let text)? = attribute.defaultValue { Array(text.utf8) } else { [] }
        }
        #expect(defaults == spellings.map { Array($0.utf8) })
        #expect(
            read.attributes.map { Array(($0.userInfo["k"]?.string ?? "").utf8) } == spellings.map { Array($0.utf8) })
    }

    /// What may be written can be read: the deepest rule that the model check lets pass.
    @Test(arguments: ["A.archive", "A.plist", "A.json"])
    func theDeepestRuleComesBack(_ name: String) throws {
        let bottom = ObjectPredicate.compare(.evaluatedObject, .equal, .list([.constant(1)]))
        let shapes: [(ObjectPredicate) -> ObjectPredicate] = [{ .and([$0]) }, { .or([$0]) }, { .not($0) }]
        for shape in shapes {
            var rule = bottom
            while !shape(rule).isTooDeep { rule = shape(rule) }
            let model = ManagedObjectModel(entities: [
                EntityDescription("E", [.attribute("a", .integer64, .rule(rule, "no"))])
            ])
            let folder = try TemporaryFolder()
            let url = folder.url.appending(path: name)
            try model.write(to: url)
            #expect(try ManagedObjectModel(contentsOf: url) == model)
        }
    }

    @Test func aFolderMayHoldAnArchive() throws {
        let folder = try TemporaryFolder()
        let momd = folder.url.appending(path: "AppDataModel.momd")
        try FileManager.default.createDirectory(at: momd, withIntermediateDirectories: true)
        try Data("x".utf8).write(to: momd.appending(path: "Readme"))
        try Self.coffee.write(to: momd.appending(path: "AppDataModel.mom"), as: .binaryPropertyList)
        #expect(try ManagedObjectModel(contentsOf: momd) == Self.coffee)
    }

    @Test func contentTellsTheForm() throws {
        let folder = try TemporaryFolder()
        let url = folder.url.appending(path: "Model.json")
        for format in [ModelFileFormat.binaryPropertyList, .json] {
            try Self.coffee.write(to: url, as: format, replacing: true)
            #expect(try ManagedObjectModel(contentsOf: url) == Self.coffee)
        }
        #expect(
            String(decoding: try Data(contentsOf: url), as: UTF8.self).hasPrefix(
                "{\n  \"granaryModel\" : 1,\n  \"model\""))
    }

    @Test(arguments: [
        (
            "{\"granaryModel\": 2, \"model\": {\"future\": true}}",
            "is a model archive of version 2; this Granary reads versions 1 to 1"
        ),
        ("{\"granaryModel\": 0, \"model\": {}}", "is a model archive of version 0"),
        (
            "<plist version=\"1.0\"><dict><key>granaryModel</key><integer>2</integer></dict></plist>",
            "is a model archive of version 2"
        ),
        (
            "<plist version=\"1.0\"><dict/></plist>",
            "is a property list, but not a model archive: it has no \"granaryModel\""
        ),
        ("<plist version=\"1.0\"><array/></plist>", "not a model archive"),
        ("{\"entities\": []}", "granaryModel"),
        (
            "{\"granaryModel\": 1, \"model\": {\"entities\": [{\"name\": \"E\", \"attributes\": [{\"name\": \"a\", \"type\": \"Int\"}]}]}}",
            "model.entities[0].attributes[0].type: no attribute type \"Int\""
        ),
        ("{\"granaryModel\": 1,\n \"model\": {,}}", "M.momd:2:12: error: "),
        ("{\"granaryModel\": 1,\n", "M.momd:2:1: error: "),
    ])
    func refusals(_ text: String, _ message: String) throws {
        let folder = try TemporaryFolder()
        let url = try folder.write(text, to: "M.momd")
        let lines = try #require(ModelSamples.refusal { _ = try ManagedObjectModel(contentsOf: url) })
        #expect(lines.count == 1 && lines[0].contains(message), "\(lines)")
    }

    @Test func whatCannotBeArchivedIsRefused() throws {
        let folder = try TemporaryFolder()
        var model = Self.coffee
        model.entities[0].attributes[5].defaultValue = .double(.infinity)
        let json = try #require(throws: GranaryError.self) { try model.write(to: folder.url.appending(path: "M.json")) }
        #expect(json.code == .refused)
        let list = try #require(throws: GranaryError.self) {
            try Self.coffee.write(to: folder.url.appending(path: "M.plist"))
        }
        #expect(list.code == .refused)
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.url.path).isEmpty)
    }
}
