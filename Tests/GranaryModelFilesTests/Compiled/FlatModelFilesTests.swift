import Foundation
import GranaryBase
import GranaryModel
import TestSupport
import Testing

@testable import GranaryModelFiles

/// The files that the plugin adds to a bundle.
@Suite("Compiled versions in one folder") struct FlatModelFilesTests {
    private let folder: TemporaryFolder
    private let output: URL

    init() throws {
        folder = try TemporaryFolder()
        output = folder.url.appending(path: "App_App.resources")
        try FileManager.default.createDirectory(at: output, withIntermediateDirectories: true)
    }

    private static func model(_ attribute: String) -> ManagedObjectModel {
        ManagedObjectModel(entities: [EntityDescription("Coffee", [.attribute(attribute, .string)])])
    }

    /// Writes a source with two versions and compiles it.
    private func compile(current: String) throws {
        let source = folder.url.appending(path: "Shop.xcdatamodeld")
        let versions = [
            NamedModel(name: "Shop", model: Self.model("a")), NamedModel(name: "Shop 2", model: Self.model("b")),
        ]
        try ManagedObjectModel.write(versions, current: current, to: source, as: .xcdatamodeld, replacing: true)
        try FlatModelFiles.write(try ManagedObjectModel(contentsOf: source), from: source, to: output.path)
    }

    private var bundle: Bundle { get throws { try #require(Bundle(path: output.path)) } }

    private func attribute(_ model: ManagedObjectModel) -> String? { model.entities.first?.attributes.first?.name }

    @Test("All versions are there, and the name means the current one", arguments: ["Shop", "Shop 2"])
    func versions(_ current: String) throws {
        try compile(current: "Shop")
        try compile(current: current)
        #expect(
            try FileManager.default.contentsOfDirectory(atPath: output.path).sorted() == [
                "Shop.Shop 2.momversion", "Shop.Shop.momversion", "Shop.mom", "Shop.versioninfo",
            ])
        let listed = try ManagedObjectModel.versions(named: "Shop", in: try bundle)
        #expect(listed.map(\.name) == ["Shop", "Shop 2"])
        #expect(listed.filter(\.isCurrent).map(\.name) == [current] && listed.allSatisfy(\.isCompiled))
        let models = try listed.map { try ManagedObjectModel(contentsOf: URL(filePath: $0.path)) }
        #expect(models.map(attribute) == ["a", "b"])
        let named = try ManagedObjectModel(named: "Shop", in: try bundle)
        #expect(attribute(named) == (current == "Shop" ? "a" : "b"))
        // The versions are no models of their own.
        #expect(try ManagedObjectModel.merged(from: [try bundle]).entities.count == 1)
    }

    @Test("A model without versions is one file")
    func oneFile() throws {
        let source = folder.url.appending(path: "Shop.xcdatamodel")
        try Self.model("a").write(to: source)
        try FlatModelFiles.write(try ManagedObjectModel(contentsOf: source), from: source, to: output.path)
        #expect(try FileManager.default.contentsOfDirectory(atPath: output.path) == ["Shop.mom"])
        let listed = try ManagedObjectModel.versions(named: "Shop", in: try bundle)
        #expect(listed.map(\.name) == ["Shop"] && listed.map(\.isCurrent) == [true])
    }

    @Test("The versions of a folder in a bundle")
    func folders() throws {
        let versions = [
            NamedModel(name: "One", model: Self.model("a")), NamedModel(name: "Two", model: Self.model("b")),
        ]
        let url = output.appending(path: "Shop.momd")
        try ManagedObjectModel.write(versions, current: "One", to: url, as: .momd)
        let listed = try ManagedObjectModel.versions(named: "Shop", in: try bundle)
        #expect(listed.map(\.name) == ["One", "Two"] && listed.map(\.isCurrent) == [true, false])
    }

    @Test("A version that is invalid is named, and a version without its file is refused")
    func problems() throws {
        let source = folder.url.appending(path: "Shop.xcdatamodeld")
        let broken = ManagedObjectModel(entities: [EntityDescription("E", [.toOne("link", "Missing", inverse: "e")])])
        let versions = [NamedModel(name: "Old", model: broken), NamedModel(name: "New", model: Self.model("b"))]
        try ManagedObjectModel.write(versions, current: "New", to: source, as: .xcdatamodeld)
        var error = try #require(throws: GranaryError.self) {
            try FlatModelFiles.write(Self.model("b"), from: source, to: output.path)
        }
        #expect(error.code == .refused && error.description.contains("Old.xcdatamodel"), "\(error)")

        try FileManager.default.removeItem(at: source)
        try compile(current: "Shop")
        try FileManager.default.removeItem(at: output.appending(path: "Shop.Shop 2.momversion"))
        error = try #require(throws: GranaryError.self) {
            try ManagedObjectModel.versions(named: "Shop", in: try bundle)
        }
        #expect(error.code == .refused && error.message.contains("\"Shop 2\""), "\(error)")
    }
}
