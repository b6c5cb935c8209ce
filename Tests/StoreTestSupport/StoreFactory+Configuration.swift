import GranaryContexts
import GranaryCoordination
import GranaryCoreDataStore
import GranaryInspection
import GranaryModel
import TestSupport

extension StoreFactory {
    /// A store of one configuration of a larger model: its entities have other numbers in the file than in the model.
    package static let ofConfiguration = StoreFactory(name: "SQLite, of a configuration") { schema in
        var model = schema.model
        model.configurations = [ConfigurationDescription(name: "Part", entityNames: schema.entities.map(\.name))]
        for name in ["Aardvark", "Lynx", "Zebra"] {
            model.entities.append(EntityDescription(name, [.attribute("stripes", .integer16)]))
        }
        let choice = try ConfigurationChoice("Part", of: try model.resolved())
        let folder = try KeptFolders.make()
        let store = try SQLiteStore.openOrCreate(path: folder.storePath, schema: choice.schema)
        return OpenedStore(store: choice.seen(store), folder: folder)
    }
}
