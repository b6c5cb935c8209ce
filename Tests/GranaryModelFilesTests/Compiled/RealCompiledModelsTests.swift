import Foundation
import GranaryBase
import GranaryModel
import GranaryPropertyLists
import TestSupport
import Testing

@testable import GranaryModelFiles

/// The public compiled models beside the checkout.
@Suite(.enabled(if: SharedFiles.arePresent, "../shared is not there"))
struct RealCompiledModelsTests {
    static let folder = "coredata/compiled/"
    static let compiled: [String] = {
        guard let files = try? SharedFiles.files(below: "coredata/compiled"), let root = SharedFiles.root else {
            return []
        }
        let start = root.appending(path: "coredata/compiled").path.count + 1
        return files.map(\.path).filter { $0.hasSuffix(".mom") }.map { String($0.dropFirst(start)) }
    }()

    private static func read(_ name: String) throws -> (model: ManagedObjectModel, diagnostics: [Diagnostic]) {
        var diagnostics = DiagnosticCollector()
        let model = try ManagedObjectModel(
            contentsOf: try SharedFiles.url(folder + name), diagnostics: &diagnostics)
        return (model, diagnostics.diagnostics)
    }

    @Test func areAllThere() { #expect(Self.compiled.count == 12) }

    @Test(arguments: compiled)
    func areReadWithoutWarnings(_ name: String) throws {
        let (model, diagnostics) = try Self.read(name)
        #expect(diagnostics.isEmpty, "\(diagnostics)")
        #expect(!model.entities.isEmpty)
        let schema = try model.resolved()
        let names = model.entities.map(\.name)
        #expect(names == names.sorted { $0.lowercased() < $1.lowercased() })

        // Core Data's own hashes lie beside it, where it lies in a folder of versions.
        let file = try SharedFiles.url(Self.folder + name)
        guard let info = try VersionInfo.read(in: file.deletingLastPathComponent().path) else { return }
        let version = file.deletingPathExtension().lastPathComponent
        let hashes = try #require(info.hashes[version])
        #expect(hashes.mapValues { Data($0) } == schema.versionHashes)
        if let checksum = info.checksums[version] { #expect(schema.checksum == checksum) }
    }

    /// The XML that a compiled model was made of says the same, but for what only the editor knows.
    ///
    /// Left out by both sides: `syncable`, `usesScalarValueType`, `codeGenerationType`, and the notes (tool versions).
    @Test(arguments: [
        ("alemar11__CoreDataPlus/SampleModel.momd/SampleModel.mom", "alemar11__CoreDataPlus/SampleModel"),
        ("alemar11__CoreDataPlus/SampleModel.momd/SampleModel2.mom", "alemar11__CoreDataPlus/SampleModel2"),
        ("alemar11__CoreDataPlus/SampleModel.momd/SampleModel3.mom", "alemar11__CoreDataPlus/SampleModel3"),
        ("alemar11__CoreDataPlus/SampleModel3.momd/SampleModel3.mom", "alemar11__CoreDataPlus/SampleModel3~2"),
        ("alemar11__CoreDataPlus/SampleModel3.momd/SampleModel3_v2.mom", "alemar11__CoreDataPlus/SampleModel3_v2"),
        ("alemar11__CoreDataPlus/SampleModel3.momd/SampleModel3_v3.mom", "alemar11__CoreDataPlus/SampleModel3_v3"),
        ("QuickBlox__quickblox-ios-sdk/XMPPRoom.momd/XMPPRoom.mom", "robbiehanson__XMPPFramework/XMPPRoom"),
        (
            "QuickBlox__quickblox-ios-sdk/XMPPMessageArchiving.momd/XMPPMessageArchiving.mom",
            "robbiehanson__XMPPFramework/XMPPMessageArchiving"
        ),
    ])
    func saysWhatItsSourceSays(_ name: String, _ source: String) throws {
        let model = try Self.read(name).model
        var xml = try ManagedObjectModel(contentsOf: try ModelSamples.url(source + ".xcdatamodel"))
        // The class that this source names came after its compiled form, which has none.
        for (index, entity) in xml.entities.enumerated() {
            guard let color = entity.attributes.firstIndex(where: { $0.valueClassName == "Color" }) else { continue }
            xml.entities[index].attributes[color].valueClassName = nil
        }
        #expect(try model.resolved().versionHashes == xml.resolved().versionHashes)
        #expect(model.withoutEditorFacts == xml.withoutEditorFacts)
    }

    @Test func foldersHaveVersions() throws {
        let url = try SharedFiles.url(Self.folder + "alemar11__CoreDataPlus/SampleModel.momd")
        let versions = try ManagedObjectModel.versions(in: url)
        #expect(versions.map(\.name) == ["SampleModel", "SampleModel2", "SampleModel3"])
        #expect(versions.map(\.isCurrent) == [true, false, false])
        #expect(versions.map(\.isCompiled) == [true, true, true])
        var diagnostics = DiagnosticCollector()
        let current = try ManagedObjectModel(contentsOf: url, diagnostics: &diagnostics)
        #expect(current.versionIdentifiers == ["1"])
        for name in ["SampleModel3", "SampleModel3.mom"] {
            let model = try ManagedObjectModel.read(url, version: name, diagnostics: &diagnostics)
            #expect(model.versionIdentifiers == ["3"])
            #expect(model.entity(named: "LuxuryCar")?.renamingIdentifier == "ExpensiveSportCar")
        }
        #expect(diagnostics.count == 0)
        let lines = ModelSamples.refusal {
            _ = try ManagedObjectModel.read(url, version: "SampleModel4", diagnostics: &diagnostics)
        }
        #expect(lines?.first?.contains("the folder holds SampleModel.mom, SampleModel2.mom, SampleModel3.mom") == true)
    }

    @Test func mappingModelsAreRefusedByName() throws {
        let lines = ModelSamples.refusal { _ = try Self.read("alemar11__CoreDataPlus/V2toV3.cdm") }
        #expect(lines?.count == 1 && lines?.first?.contains("is a compiled mapping model (.cdm)") == true)
    }

    @Test func relationshipsAreIndexedToo() throws {
        let model = try Self.read("QuickBlox__quickblox-ios-sdk/XMPPRoster.mom").model
        let user = try #require(model.entity(named: "XMPPUserCoreDataStorageObject"))
        #expect(user.relationships.map(\.isIndexed) == [true, true, true])
        #expect(user.fetchIndexes.isEmpty && user.compoundIndexes.isEmpty)
        #expect(model.notes["CDMCompilerXcodeVersion"] == "160100")
    }

    /// Whatever happens to a file, it is refused or it is a model that survives.
    @Test(arguments: 0..<20)
    func damagedModels(_ seed: Int) throws {
        var generator = SeededGenerator(seed: UInt64(seed))
        let name = try #require(Self.compiled.randomElement(using: &generator))
        let source = Array(try Data(contentsOf: try SharedFiles.url(Self.folder + name)))
        for round in 0..<20 {
            var bytes = source
            for _ in 0...round {
                let place = Int.random(in: 0..<bytes.count, using: &generator)
                bytes[place] = UInt8.random(in: 0...255, using: &generator)
            }
            guard let damaged = try? CompiledSamples.read(bytes).model else { continue }
            _ = damaged.problems()
            #expect(try ModelArchive.readJSON(try ModelArchive.json(damaged, target: ""), source: "") == damaged)
        }
    }

    @Test func everyCutIsRefused() throws {
        let name = try #require(Self.compiled.first)
        let bytes = Array(try Data(contentsOf: try SharedFiles.url(Self.folder + name)))
        for count in stride(from: 8, to: bytes.count, by: 97) {
            let lines = ModelSamples.refusal { _ = try CompiledSamples.read(Array(bytes[..<count])) }
            #expect(lines != nil, "cut after \(count) bytes")
        }
    }

    @Test func modelCaches() throws {
        let name = "alemar11__CoreDataPlus/SampleModel.momd/SampleModel2.mom"
        let bytes = Array(try Data(contentsOf: try SharedFiles.url(Self.folder + name)))
        var diagnostics = DiagnosticCollector()
        let content = try Deflate.compress(bytes)
        let model = try ModelCache.read(content, source: "S.sqlite", diagnostics: &diagnostics)
        #expect(try model == Self.read(name).model)
        let cut = ModelSamples.refusal {
            _ = try ModelCache.read(Array(content.dropLast(9)), source: "S.sqlite", diagnostics: &diagnostics)
        }
        #expect(cut?.first?.contains("S.sqlite: the model cache cannot be decompressed") == true)
        let bomb = try Deflate.compress([UInt8](repeating: 0, count: ModelCache.limit + 1))
        let lines = ModelSamples.refusal {
            _ = try ModelCache.read(bomb, source: "S.sqlite", diagnostics: &diagnostics)
        }
        #expect(lines?.first?.contains("[limit.exceeded]") == true)
    }
}
