import Foundation
import GranaryBase
import GranaryModel
import GranaryPredicates
import TestSupport
import Testing

@testable import GranaryModelFiles

/// What is written where, and what is left alone.
struct ModelWriterTests {
    private static var small: ManagedObjectModel {
        var model = ManagedObjectModel(entities: [EntityDescription(name: "Wert & \"<Ä>\"\n\t\r")])
        model.entities[0].attributes = [AttributeDescription(name: "a", type: .integer16)]
        return model
    }

    @Test func aModelBuiltInCodeIsAFolderThatXcodeOpens() throws {
        let folder = try TemporaryFolder()
        let url = folder.url.appending(path: "Shop.xcdatamodeld")
        try Self.small.write(to: url)
        let text = try String(contentsOf: url.appending(path: "Shop.xcdatamodel/contents"), encoding: .utf8)
        #expect(
            text == """
                <?xml version="1.0" encoding="UTF-8" standalone="yes"?>
                <model type="com.apple.IDECoreDataModeler.DataModel" documentVersion="1.0" lastSavedToolsVersion="22522" systemVersion="23D60" minimumToolsVersion="Automatic">
                    <entity name="Wert &amp; &quot;&lt;Ä>&quot;&#10;&#9;&#13;">
                        <attribute name="a" attributeType="Integer 16"/>
                    </entity>
                </model>
                """)
        let current = try Data(contentsOf: url.appending(path: ".xccurrentversion"))
        let list = try PropertyListDecoder().decode([String: String].self, from: current)
        #expect(list == ["_XCCurrentVersionName": "Shop.xcdatamodel"])
        #expect(try ManagedObjectModel(contentsOf: url) == Self.small)
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.url.path) == ["Shop.xcdatamodeld"])
    }

    @Test(arguments: ["M.xcdatamodeld", "M.xcdatamodel", "M.json", "M.plist", "M.archive"])
    func nothingIsReplacedUnasked(_ name: String) throws {
        let folder = try TemporaryFolder()
        let url = folder.url.appending(path: name)
        try Self.small.write(to: url)
        var other = Self.small
        other.entities[0].name = "Other"
        let error = try #require(throws: GranaryError.self) { try other.write(to: url) }
        #expect(error.code == .uncreatable)
        #expect(try ManagedObjectModel(contentsOf: url) == Self.small)
        try other.write(to: url, replacing: true)
        #expect(try ManagedObjectModel(contentsOf: url) == other)
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.url.path) == [name])
    }

    @Test func foldersWithOtherThingsStay() throws {
        let folder = try TemporaryFolder()
        let versions = folder.url.appending(path: "M.xcdatamodeld")
        try FileManager.default.createDirectory(
            at: versions.appending(path: "M 2.xcdatamodel"), withIntermediateDirectories: true)
        let documents = folder.url.appending(path: "D.xcdatamodeld")
        try FileManager.default.createDirectory(at: documents, withIntermediateDirectories: true)
        try Data("x".utf8).write(to: documents.appending(path: "letter.txt"))
        let file = try folder.write("x", to: "F.xcdatamodel")
        let cases = [
            (versions, ModelFileFormat.xcdatamodeld, "holds the version M 2.xcdatamodel, which would be lost"),
            (versions, .json, "is a folder"), (documents, .xcdatamodeld, "is a folder without a model"),
            (file, .xcdatamodel, "is a file"),
            (folder.url.appending(path: "no/M.xcdatamodel"), .xcdatamodel, "cannot be created"),
            (folder.url.appending(path: "no/M.json"), .json, "cannot be created"),
        ]
        for (url, format, message) in cases {
            let error = try #require(throws: GranaryError.self) {
                try Self.small.write(to: url, as: format, replacing: true)
            }
            #expect(error.code == .uncreatable)
            #expect(error.message.contains(message), "\(error.message)")
        }
        #expect(FileManager.default.fileExists(atPath: documents.appending(path: "letter.txt").path))
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.url.path).count == 3)
    }

    @Test func whatXMLCannotHoldIsRefusedWithItsPlace() throws {
        var model = ModelArchiveTests.coffee
        // A Float is read again as a double.
        let rule = ValidationRule(
            predicate: .compare(.evaluatedObject, .notEqual, .constant(.float(0.5))), message: "")
        model.entities[0].attributes[4].validationRules = [rule]
        let folder = try TemporaryFolder()
        let url = folder.url.appending(path: "M.xcdatamodel")
        let error = try #require(throws: GranaryError.self) { try model.write(to: url) }
        #expect(error.code == .refused)
        #expect(
            error.diagnostics.map { "\($0.entity ?? "").\($0.property ?? "")" } == [
                "Coffee.name", "Coffee.count", "Coffee.ratio",
            ])
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.url.path).isEmpty)
    }

    @Test func theOrderOfARequestIsNotDropped() throws {
        var model = Self.small
        model.entities[0].name = "E"
        model.fetchRequestTemplates = [FetchRequestTemplate(name: "all", entityName: "E")]
        let folder = try TemporaryFolder()
        let url = folder.url.appending(path: "M.xcdatamodel")
        try model.write(to: url)
        #expect(try ManagedObjectModel(contentsOf: url).fetchRequestTemplates == model.fetchRequestTemplates)
        model.fetchRequestTemplates[0].sortDescriptors = [ObjectSortDescriptor("a")]
        let error = try #require(throws: GranaryError.self) { try model.write(to: url, replacing: true) }
        #expect(error.diagnostics.map(\.message).first?.contains("the order of the fetch request \"all\"") == true)
        for name in ["M.mom", "M.json"] {
            let other = folder.url.appending(path: name)
            try model.write(to: other)
            #expect(try ManagedObjectModel(contentsOf: other).fetchRequestTemplates == model.fetchRequestTemplates)
        }
    }
}
