import Foundation
import GranaryBase
import GranaryModel
import GranaryPropertyLists
import TestSupport
import Testing

@testable import GranaryModelFiles

/// Compiled mapping models (`.cdm`).
struct MappingModelFileTests {
    private static let (old, new) = (Data(repeating: 1, count: 32), Data(repeating: 2, count: 32))

    /// The fields of one side of an entity mapping.
    private static func side(_ side: String, _ name: String, _ hash: Data?) -> [KeyedArchiveTree.Field] {
        let name = KeyedArchiveTree.Field("NS\(side)EntityName", .string(name))
        return [name] + (hash.map { [.init("NS\(side)EntityVersionHash", .data(Array($0)))] } ?? [])
    }

    /// A mapping model with these entity mappings.
    private static func model(
        _ mappings: [[KeyedArchiveTree.Field]], className: String = "NSMappingModel",
        memberName: String = "NSEntityMapping"
    ) -> KeyedArchiveTree {
        let members = mappings.map { KeyedArchiveTree.object(classNames: [memberName, "NSObject"], fields: $0) }
        return .object(
            classNames: [className, "NSObject"], fields: [.init("NSEntityMappings", .array(members))])
    }

    private static func read(_ tree: KeyedArchiveTree) throws -> MappingModelFile {
        try MappingModelFile(KeyedArchiveWriter.write(tree), source: "M.cdm")
    }

    @Test func entityMappings() throws {
        let policy = KeyedArchiveTree.Field("NSEntityMigrationPolicyClassName", .string("App.Policy"))
        let tree = Self.model([
            Self.side("Source", "A", Self.old) + Self.side("Destination", "B", Self.new) + [policy],
            Self.side("Source", "A", Self.old) + [.init("NSDestinationEntityName", .null)],
            Self.side("Destination", "C", Self.new),
        ])
        let file = try Self.read(tree)
        #expect(
            file.entityMappings == [
                .init(
                    sourceEntity: "A", destinationEntity: "B", sourceHash: Self.old, destinationHash: Self.new,
                    policyClassName: "App.Policy"),
                .init(
                    sourceEntity: "A", destinationEntity: nil, sourceHash: Self.old, destinationHash: nil,
                    policyClassName: nil),
                .init(
                    sourceEntity: nil, destinationEntity: "C", sourceHash: nil, destinationHash: Self.new,
                    policyClassName: nil),
            ])
        #expect(file.sourceHashes == ["A": Self.old])
        #expect(file.destinationHashes == ["B": Self.new, "C": Self.new])

        // The same archive as XML.
        let list = try PropertyList.read(KeyedArchiveWriter.write(tree), source: "M.cdm")
        let xml = try MappingModelFile(try PropertyList.write(list, as: .xml), source: "M.cdm")
        #expect(xml.entityMappings == file.entityMappings)
    }

    private static let wrong: [(String, KeyedArchiveTree)] = [
        ("the root of the archive is not an object", .string("M")),
        (
            "is a keyed archive of the class \"NSManagedObjectModel\", not a mapping model (.cdm)",
            model([side("Source", "A", old)], className: "NSManagedObjectModel")
        ),
        ("the mapping model has no entity mappings", model([])),
        (
            "NSEntityMappings contains an object of the class \"NSPropertyMapping\"",
            model([side("Source", "A", old)], memberName: "NSPropertyMapping")
        ),
        ("an entity mapping names no entity", model([[]])),
        ("NSSourceEntityName is not text", model([[.init("NSSourceEntityName", .integer(1))]])),
        (
            "NSSourceEntityVersionHash is not data",
            model([side("Source", "A", nil) + [.init("NSSourceEntityVersionHash", .string("x"))]])
        ),
        ("A: M.cdm: the mapping has no version hash for this source entity", model([side("Source", "A", nil)])),
        (
            "A: M.cdm: the mapping has two version hashes for this destination entity",
            model([side("Destination", "A", old), side("Destination", "A", new)])
        ),
    ]

    @Test(arguments: wrong.indices)
    func otherArchives(_ index: Int) throws {
        let (message, tree) = Self.wrong[index]
        let lines = try #require(ModelSamples.refusal { _ = try Self.read(tree) })
        #expect(lines.count == 1 && lines[0].contains(message) && lines[0].hasSuffix("[model.syntax]"), "\(lines)")
    }

    @Test func brokenFiles() throws {
        let folder = try TemporaryFolder()
        func error(_ bytes: [UInt8], _ name: String = "M.cdm") throws -> GranaryError {
            let file = try folder.write(Data(bytes), to: name)
            return try #require(throws: GranaryError.self) { _ = try MappingModelFile(path: file.path) }
        }
        let archive = KeyedArchiveWriter.write(Self.model([Self.side("Source", "A", Self.old)]))
        let list = try PropertyList.write(.dictionary([PropertyListEntry("a", .string("b"))]), as: .xml)
        let files = [
            [], Array("nothing".utf8), Array("<model/>".utf8), list, Array(archive.prefix(archive.count / 2)),
            Array(archive.dropLast()),
        ]
        for bytes in files {
            let error = try error(bytes)
            #expect(error.code == .refused)
            #expect(error.diagnostics.map(\.code) == [.modelSyntax], "\(error)")
            #expect(error.message.hasPrefix("not a valid compiled mapping model (.cdm): "), "\(error)")
        }
        let missing = folder.url.appending(path: "nix.cdm").path
        for path in [missing, folder.url.path] {
            let error = try #require(throws: GranaryError.self) { _ = try MappingModelFile(path: path) }
            #expect(error.code == .unreadable && error.message.hasPrefix(path + ": "), "\(error)")
        }
    }

    @Test(.enabled(if: SharedFiles.arePresent, "\(SharedFiles.absence)"))
    func theMappingModelOfXcode() throws {
        let root = "coredata/compiled/alemar11__CoreDataPlus/"
        let file = try MappingModelFile(path: try SharedFiles.url(root + "V2toV3.cdm").path)
        #expect(
            file.entityMappings.map(\.destinationEntity) == ["Car", "LuxuryCar", "Person", "SportCar", "Maker"])
        #expect(file.entityMappings.map(\.sourceEntity) == ["Car", "LuxuryCar", "Person", "SportCar", nil])
        let policy = "REPLACE_AT_RUNTIME.V2to3MakerPolicy"
        #expect(file.entityMappings.map(\.policyClassName) == [policy, policy, nil, policy, nil])

        // The entities of both versions are all mapped.
        func chain(_ folder: String) throws -> ModelVersionChain {
            let versions = try ManagedObjectModel.versions(in: try SharedFiles.url(root + folder))
            return ModelVersionChain(
                try versions.map { version in
                    let model = try ManagedObjectModel(contentsOf: URL(filePath: version.path))
                    return .init(name: version.name, model: model)
                })
        }
        let own = try chain("SampleModel.momd")
        #expect(own.versions.map(\.name) == ["SampleModel", "SampleModel2", "SampleModel3"])
        #expect(file.sourceHashes == own.versions[1].versionHashes)
        #expect(file.destinationHashes == own.versions[2].versionHashes)
        let steps = own.steps(mapping: file.sourceHashes, to: file.destinationHashes)
        #expect(steps.map { [$0.from, $0.to] } == [[1, 2]])
        let other = try chain("SampleModel3.momd")
        #expect(other.steps(mapping: file.sourceHashes, to: file.destinationHashes).isEmpty)
    }
}
