import Foundation
import GranaryBase
import GranaryModel
import TestSupport
import Testing

@testable import GranaryModelFiles

/// Which of several models of one name is found.
@Suite("Models in the resources beside a program") struct BundledModelsTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private static func model(_ entity: String) -> ManagedObjectModel {
        ManagedObjectModel(entities: [EntityDescription(entity, [.attribute("a", .string)])])
    }

    /// Writes a model with one entity, at a path of the folder.
    private func write(_ entity: String, to path: String) throws {
        let url = folder.url.appending(path: path)
        try FileManager.default.createDirectory(
            at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
        try Self.model(entity).write(to: url)
    }

    /// The models of the program Shop in the folder.
    private var models: BundledModels {
        let own = folder.url.appending(path: "Main").path
        return BundledModels(
            groups: BundledModels.groups(own: [own], resources: [folder.url.path], program: "Shop"))
    }

    private func found(_ name: String) throws -> String? {
        try models.path(named: name).map { String($0.dropFirst(folder.url.path.count + 1)) }
    }

    @Test("The main bundle comes first, then the program's own resources, then the others")
    func order() throws {
        try write("Other", to: "App_Admin.resources/Model.mom")
        #expect(try found("Model") == "App_Admin.resources/Model.mom")
        try write("Own", to: "App_Shop.resources/Model.mom")
        #expect(try found("Model") == "App_Shop.resources/Model.mom")
        try write("Near", to: "App_NearShop.resources/Model.mom")
        #expect(try found("Model") == "App_Shop.resources/Model.mom")
        try write("Main", to: "Main/Model.mom")
        #expect(try found("Model") == "Main/Model.mom")
        // A model that only another target has is found behind all of them.
        try write("Library", to: "Lib_Lib.resources/Library.mom")
        #expect(try found("Library") == "Lib_Lib.resources/Library.mom")
        #expect(try found("Missing") == nil)
        // All models of the first place that has any.
        #expect(models.paths.map(BundledModels.name) == ["Model"] && models.paths[0].contains("/Main/"))
    }

    @Test("Different models of one name are refused with their paths; equal ones are one model")
    func different() throws {
        try write("A", to: "One_One.resources/Model.mom")
        try write("A", to: "Two_Two.resources/Model.mom")
        #expect(try found("Model") == "One_One.resources/Model.mom")
        // The source of the compiled model.
        try write("A", to: "Three_Three.resources/Model.xcdatamodeld")
        #expect(try found("Model") == "One_One.resources/Model.mom")
        try write("B", to: "Zoo_Zoo.resources/Model.mom")
        let error = try #require(throws: GranaryError.self) { try found("Model") }
        #expect(error.code == .refused)
        for path in ["One_One.resources/Model.mom", "Zoo_Zoo.resources/Model.mom"] {
            #expect(error.message.contains(path), "\(error)")
        }
        // Those of the program come first, so that others do not matter.
        try write("C", to: "App_Shop.resources/Model.mom")
        #expect(try found("Model") == "App_Shop.resources/Model.mom")
    }
}
