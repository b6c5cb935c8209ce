import Foundation
import GranaryBase
import GranaryCoordination
import GranaryFormats
import GranaryModel
import GranaryPredicates
import TestSupport
import Testing
@testable import GranaryExport
@testable import SeedingTestSupport

/// The order of tables, columns and members does not depend on the order in the model.
struct ExportOrderTests {
    /// A model with its properties and entities in two orders.
    private static func models() -> [ManagedObjectModel] {
        let properties: [PropertyDescription] = [
            .attribute("b", .integer16), .attribute("B", .string), .attribute("a", .string), .attribute("é", .string),
            .toOne("z", "Other", inverse: nil), .toOne("c", "Other", inverse: nil),
        ]
        return [false, true].map { isReversed in
            let entities = [
                EntityDescription("Thing", isReversed ? properties.reversed() : properties),
                EntityDescription("Other", [.attribute("name", .string), .attribute("code", .string)]),
            ]
            return ManagedObjectModel(entities: isReversed ? entities.reversed() : entities)
        }
    }

    private func store(_ model: ManagedObjectModel) throws -> InMemoryStore {
        let store = try ExportSamples.store(model)
        try ExportSamples.insert("Other", 1, ["name": "n", "code": "k"], into: store)
        try ExportSamples.insert(
            "Thing", 2, ["a": "x", "b": .integer(1), "B": "y", "é": "e"], to: ["z": ("Other", 1)], into: store)
        return store
    }

    @Test func columnsAreSortedByTheirBytes() throws {
        for model in Self.models() {
            #expect(
                try ExportSamples.csv(store(model), ExportSamples.options("Thing"))
                    == "$id,B,a,b,é,c,z\nThing/p2,y,x,1,e,,Other/p1\n")
            #expect(
                try ExportSamples.json(store(model), ExportSamples.options("Thing"))
                    == "[\n{\"$id\":\"Thing/p2\",\"B\":\"y\",\"a\":\"x\",\"b\":1,\"é\":\"e\",\"c\":null,\"z\":\"Other/p1\"}\n]\n"
            )
        }
    }

    @Test(arguments: [DataFormat.csv, .tsv, .json, .ndjson, .plist])
    func theSameObjectsGiveTheSameBytes(_ format: DataFormat) throws {
        let folder = try TemporaryFolder()
        var contents: [[String: Data]] = []
        for (number, model) in Self.models().enumerated() {
            let path = folder.url.appending(path: "out\(number)").path
            _ = try Exporter().run(store(model), to: .path(path + "/", format: format, replacing: false))
            var files: [String: Data] = [:]
            for name in try FileManager.default.contentsOfDirectory(atPath: path) {
                files[name] = try Data(contentsOf: URL(filePath: path + "/" + name))
            }
            contents.append(files)
        }
        #expect(contents[0].count == 3 && contents[0] == contents[1])
    }

    @Test(arguments: [DataFormat.json, .plist])
    func documentsWithTheirModelsToo(_ format: DataFormat) throws {
        let folder = try TemporaryFolder()
        var documents: [Data] = []
        for model in Self.models() {
            let file = folder.url.appending(path: "out.\(format.rawValue)")
            _ = try Exporter().run(store(model), to: .path(file.path, format: nil, replacing: true))
            documents.append(try Data(contentsOf: file))
        }
        #expect(documents[0] == documents[1])
    }
}
