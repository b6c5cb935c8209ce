import Foundation
import GranaryBase
import GranaryModel
import GranaryPropertyLists
import TestSupport
import Testing

@testable import GranaryModelFiles

/// Folders of compiled models.
struct MomdTests {
    private static func model(_ attribute: String) -> ManagedObjectModel {
        ManagedObjectModel(entities: [EntityDescription("Coffee", [.attribute(attribute, .string)])])
    }

    private static func names(_ url: URL) throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: url.path).sorted()
    }

    @Test func aModelIsAFolderOfOneVersion() throws {
        let folder = try TemporaryFolder()
        let url = folder.url.appending(path: "Shop.momd")
        try Self.model("a").write(to: url)
        #expect(try Self.names(url) == ["Shop.mom", "VersionInfo.plist"])
        #expect(
            try CompiledNormalForm.of(ManagedObjectModel(contentsOf: url)) == CompiledNormalForm.of(Self.model("a")))
        let file = folder.url.appending(path: "Shop.mom")
        try Self.model("a").write(to: file)
        #expect(try Data(contentsOf: file) == Data(contentsOf: url.appending(path: "Shop.mom")))
        #expect(try Self.names(folder.url) == ["Shop.mom", "Shop.momd"])
    }

    @Test(arguments: [ModelFileFormat.momd, .xcdatamodeld])
    func versionsAreWrittenTogether(_ format: ModelFileFormat) throws {
        let folder = try TemporaryFolder()
        let url = folder.url.appending(path: format == .momd ? "Shop.momd" : "Shop.xcdatamodeld")
        let versions = [
            NamedModel(name: "Shop", model: Self.model("a")), NamedModel(name: "Shop 2", model: Self.model("b")),
        ]
        try ManagedObjectModel.write(versions, current: "Shop 2", to: url, as: format)
        let listed = try ManagedObjectModel.versions(in: url)
        #expect(listed.map(\.name) == ["Shop", "Shop 2"])
        #expect(listed.map(\.isCurrent) == [false, true])
        var diagnostics = DiagnosticCollector()
        for version in versions {
            let read = try ManagedObjectModel.read(url, version: version.name, diagnostics: &diagnostics)
            #expect(try CompiledNormalForm.of(read) == CompiledNormalForm.of(version.model))
        }
        #expect(diagnostics.count == 0)
        // One version does not take the place of two.
        let error = try #require(throws: GranaryError.self) {
            try ManagedObjectModel.write([versions[0]], current: "Shop", to: url, as: format, replacing: true)
        }
        #expect(error.code == .uncreatable && error.message.contains("which would be lost"))
        try ManagedObjectModel.write(versions, current: "Shop", to: url, as: format, replacing: true)
        #expect(try ManagedObjectModel.versions(in: url).map(\.isCurrent) == [true, false])
        #expect(try Self.names(folder.url).count == 1)
    }

    @Test func onlyVersionsThatFitAreWritten() throws {
        let url = try TemporaryFolder().url.appending(path: "Shop.momd")
        let version = NamedModel(name: "Shop", model: Self.model("a"))
        let cases: [([NamedModel], ModelFileFormat)] = [
            ([], .momd), ([version, version], .momd), ([version], .json),
            ([NamedModel(name: "Shop", model: version.model), NamedModel(name: "a/b", model: version.model)], .momd),
        ]
        for (versions, format) in cases {
            let error = try #require(throws: GranaryError.self) {
                try ManagedObjectModel.write(versions, current: "Shop", to: url, as: format)
            }
            #expect(error.code == .usage)
        }
    }

    @Test(arguments: ["M.mom", "M.momd"]) func aModelThatIsNotSoundIsRefused(_ name: String) throws {
        let folder = try TemporaryFolder()
        let model = ManagedObjectModel(entities: [EntityDescription("A", [.toOne("b", "Nowhere", inverse: nil)])])
        let error = try #require(throws: GranaryError.self) { try model.write(to: folder.url.appending(path: name)) }
        #expect(error.code == .refused)
        #expect(try Self.names(folder.url).isEmpty)
    }

    /// Hashes, checksums and the current version are Xcode's.
    @Test(.enabled(if: SharedFiles.arePresent, "\(SharedFiles.absence)"))
    func theVersionInformationIsXcodes() throws {
        let names = [
            "SampleModel3~2": "SampleModel3", "SampleModel3_v2": "SampleModel3_v2",
            "SampleModel3_v3": "SampleModel3_v3",
        ]
        let versions = try names.map { source, name in
            let url = try ModelSamples.url("alemar11__CoreDataPlus/\(source).xcdatamodel")
            return NamedModel(name: name, model: try ManagedObjectModel(contentsOf: url))
        }
        let folder = try TemporaryFolder()
        let url = folder.url.appending(path: "SampleModel3.momd")
        try ManagedObjectModel.write(versions, current: "SampleModel3", to: url, as: .momd)
        let real = try SharedFiles.url("coredata/compiled/alemar11__CoreDataPlus/SampleModel3.momd")
        func information(_ folder: URL) throws -> NSDictionary? {
            let data = try Data(contentsOf: folder.appending(path: "VersionInfo.plist"))
            return try PropertyListSerialization.propertyList(from: data, format: nil) as? NSDictionary
        }
        let expected = try #require(try information(real))
        #expect(expected.count == 3)
        #expect(try information(url) == expected)
        #expect(try Self.names(url) == Self.names(real))
    }
}
