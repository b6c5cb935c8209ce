import Foundation
import GranaryContexts
import GranaryCoordination
import GranaryCoreDataStore
import GranaryInspection
import GranaryModel
import StoreTestSupport
import TestSupport
import Testing

/// Two parties that change one store: contexts of one container, or containers with a file between them.
struct Rivalry: Sendable, CustomTestStringConvertible {
    struct Parties {
        let ours: PersistentContainer
        let theirs: PersistentContainer
    }

    let name: String
    let make: @Sendable (ManagedObjectModel) throws -> Parties

    var testDescription: String { name }

    static let all: [Rivalry] = StoreFactory.all.map(between(contextsOn:)) + [betweenContainers]

    /// One of each kind.
    static let kinds: [Rivalry] = StoreFactory.kinds.map(between(contextsOn:)) + [betweenContainers]

    static func between(contextsOn factory: StoreFactory) -> Rivalry {
        Rivalry(name: factory.name) { model in
            let container = try PersistentContainer(model, factory)
            return Parties(ours: container, theirs: container)
        }
    }

    static let betweenContainers = Rivalry(name: "SQLite, two containers") { model in
        let folder = try KeptFolders.make()
        let location = StoreLocation.sqlite(folder.url.appending(path: "Store.sqlite"))
        return Parties(
            ours: try PersistentContainer(model: model, store: location),
            theirs: try PersistentContainer(model: model, store: location))
    }
}
