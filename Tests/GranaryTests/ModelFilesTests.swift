import Foundation
import Granary
import TestSupport
import Testing

/// Model files in every format, and the model in a store.
@Suite("Model files") struct ModelFilesTests {
    private let folder: TemporaryFolder
    private let model: ManagedObjectModel

    init() throws {
        folder = try TemporaryFolder()
        var cup = EntityDescription("Cup", [.attribute("size", .float), .attribute("name", .string, .indexed)])
        cup.fetchIndexes = [
            FetchIndexDescription(name: "byName", elements: [FetchIndexDescription.Element(propertyName: "name")])
        ]
        model = ManagedObjectModel(entities: [cup, EntityDescription("Mug", [], superentity: "Cup")])
    }

    @Test(
        "A model is written and read in each format",
        arguments: [
            ("Cups.xcdatamodeld", ModelFileFormat.xcdatamodeld), ("Cups.xcdatamodel", .xcdatamodel),
            ("Cups.momd", .momd), ("Cups.mom", .mom), ("Cups.json", .json), ("Cups.plist", .binaryPropertyList),
        ])
    func formats(name: String, format: ModelFileFormat) throws {
        let url = folder.url.appending(path: name)
        try model.write(to: url, as: format)
        var diagnostics = DiagnosticCollector()
        let read = try ManagedObjectModel(contentsOf: url, diagnostics: &diagnostics)
        #expect(diagnostics.diagnostics.isEmpty)
        #expect(read.differences(to: model).isEqual, "\(read.differences(to: model).changes)")
        let index = try #require(read.entity(named: "Cup")?.fetchIndexes.first { $0.name == "byName" })
        #expect(index.elements.map(\.propertyName) == ["name"] && index.elements.map(\.kind) == [.binary])
        if name != "Cups.plist" { #expect(ModelFileFormat(pathExtension: url.pathExtension) == format) }
    }

    @Test("A store contains its model")
    func modelInAStore() throws {
        let url = folder.url.appending(path: "Store.sqlite")
        let context = try PersistentContainer(model: model, store: .sqlite(url)).makeContext()
        try context.insert(into: "Cup").setValue(.float(1), forKey: "size")
        try context.save()
        let read = try ManagedObjectModel(cachedInStoreAt: url)
        #expect(try read.resolved().versionHashes == model.resolved().versionHashes)
        let schema = try read.resolved()
        #expect(schema.entities.map(\.name) == ["Cup", "Mug"])
        let mug = try #require(schema.entity(named: "Mug"))
        #expect(mug.attributes.map(\.name).sorted() == ["name", "size"] && mug.relationships.isEmpty)
        #expect(mug.description.superentityName == "Cup" && mug.attributes.allSatisfy { $0.description.isOptional })
    }
}
