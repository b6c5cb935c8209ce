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

    @Test("An unknown element of a model file is kept, with a note or a warning")
    func unknownElements() throws {
        let text = """
            <?xml version="1.0" encoding="UTF-8"?>
            <model type="com.apple.IDECoreDataModeler.DataModel" documentVersion="1.0">
                <entity name="Cup"><attribute name="size" attributeType="Float"/><sticker/></entity>
            </model>
            """
        let package = folder.url.appending(path: "Cups.xcdatamodel")
        try FileManager.default.createDirectory(at: package, withIntermediateDirectories: true)
        try text.write(to: package.appending(path: "contents"), atomically: true, encoding: .utf8)
        var diagnostics = DiagnosticCollector()
        let read = try ManagedObjectModel(contentsOf: package, diagnostics: &diagnostics)
        #expect(diagnostics.diagnostics.map(\.code) == [.modelUnknown] && diagnostics.errorCount == 0)
        #expect(read.entities.first?.attributes.map(\.type) == [.float])
        let broken = try folder.write("<model>", to: "Broken.xcdatamodel")
        let error = #expect(throws: GranaryError.self) { try ManagedObjectModel(contentsOf: broken) }
        #expect(error?.diagnostics.first?.code == .modelSyntax)
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

    @Test("Descriptions keep notes, and their names and members can be changed")
    func notes() throws {
        var changed = model
        changed.notes = ["tool": "1"]
        changed.entities[0].notes = ["color": "red"]
        changed.entities[0].isAbstract = true
        changed.entities[0].fetchIndexes[0].notes = ["a": "b"]
        changed.entities[0].fetchIndexes[0].elements[0].notes = ["a": "b"]
        var composite = CompositeDescription(name: "Size", elements: [])
        composite.elements = [AttributeDescription(name: "width", type: .objectID)]
        composite.notes = ["a": "b"]
        changed.composites = [composite]
        var configuration = ConfigurationDescription(name: "All", entityNames: [])
        configuration.entityNames = ["Cup", "Mug"]
        configuration.notes = ["a": "b"]
        changed.configurations = [configuration]
        var template = FetchRequestTemplate(name: "all", entityName: "Cup")
        template.notes = ["a": "b"]
        changed.fetchRequestTemplates = [template]
        let data = try JSONEncoder().encode(changed)
        #expect(try JSONDecoder().decode(ManagedObjectModel.self, from: data) == changed)
        // Notes are not part of a comparison.
        let changes = model.differences(to: changed).changes
        #expect(Set(changes.map(\.subject)) == [.entity, .composite, .configuration, .fetchRequest])
        #expect(changed.configurations.first?.name == "All" && changed.composites.first?.name == "Size")
        #expect(changed.fetchRequestTemplates.first?.name == "all")
    }
}
