import Foundation
import Granary
import TestSupport
import Testing

private final class Tray: ManagedObject {
    var size: Double {
        get { requiredValue(forKey: "size") }
        set { setTypedValue(newValue, forKey: "size") }
    }
}

/// What generated classes and their containers use.
@Suite("Generated classes and models in bundles") struct GeneratedClassesTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func model(_ name: String) -> ManagedObjectModel {
        var entity = EntityDescription(name, [.attribute("size", .double)])
        entity.managedObjectClassName = name
        return ManagedObjectModel(entities: [entity])
    }

    private func makeBundle() throws -> Bundle {
        let url = folder.url.appending(path: "App_App.resources")
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
        return try #require(Bundle(path: url.path))
    }

    @Test("A container finds its model by name, and a class makes its objects")
    func container() async throws {
        let bundle = try makeBundle()
        try model("Tray").write(to: URL(filePath: bundle.bundlePath).appending(path: "Kitchen.mom"))
        let container = try PersistentContainer(name: "Kitchen", bundle: bundle, classes: ["Tray": Tray.self])
        #expect(container.name == "Kitchen")
        container.persistentStoreDescriptions = [PersistentStoreDescription(.inMemory)]
        try await container.loadPersistentStores()
        let sizes = try await container.perform { context in
            let tray = Tray(context: context)
            #expect(tray.managedObjectContext === context && tray.isInserted)
            tray.size = 2.5
            try context.save()
            return try context.fetch(Tray.fetchRequest()).map(\.size)
        }
        #expect(sizes == [2.5])
    }

    private enum KitchenModel: GeneratedModel {
        @TaskLocal static var folder: Bundle?

        static let name = "Kitchen"
        static var bundle: Bundle? { folder }
        static var classes: [String: ManagedObject.Type] { ["Tray": Tray.self] }
    }

    @Test("A container of a generated model has its model and classes")
    func generatedModel() throws {
        let bundle = try makeBundle()
        try model("Tray").write(to: URL(filePath: bundle.bundlePath).appending(path: "Kitchen.mom"))
        try KitchenModel.$folder.withValue(bundle) {
            let context = try PersistentContainer(KitchenModel.self, at: .inMemory).makeContext()
            try context.insert(Tray.self) { $0.size = 1.5 }
            try context.save()
            #expect(try context.fetch(Tray.self).map(\.size) == [1.5])
            let container = try PersistentContainer(KitchenModel.self)
            #expect(container.name == "Kitchen" && container.persistentStoreDescriptions.count == 1)
            #expect(container.persistentStoreDescriptions.first?.location.url?.lastPathComponent == "Kitchen.sqlite")
            #expect(try KitchenModel.versions().map(\.name) == ["Kitchen"])
        }
        let error = #expect(throws: GranaryError.self) { try KitchenModel.model() }
        #expect(error?.code == .unreadable && error?.message.contains("Kitchen") == true)
    }

    @Test("The error of an access that cannot throw")
    func accessErrors() throws {
        let container = try PersistentContainer(model: model("Tray"), store: .inMemory, classes: ["Tray": Tray.self])
        let context = container.makeContext()
        let tray = Tray(context: context)
        tray.setUntypedValue("large", forKey: "size")
        #expect(context.accessError is GranaryError)
        #expect(throws: GranaryError.self) { try context.save() }
        #expect(context.accessError == nil && tray.size == 0)
        try context.save()
        #expect(Double.emptyValue == 0 && String.emptyValue == "" && !Bool.emptyValue)
    }
}
