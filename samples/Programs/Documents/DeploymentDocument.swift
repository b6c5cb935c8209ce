import Foundation
import Granary

/// The programs of docs/deployment.md.
enum DeploymentDocument {
    static func server(_ model: ManagedObjectModel, _ folder: URL) throws -> PersistentContainer {
        var description = PersistentStoreDescription(.sqlite(folder.appending(path: "Library.sqlite")))
        description.journalMode = .wal
        description.synchronous = .normal
        description.timeout = .seconds(10)
        let container = try PersistentContainer(
            name: "Library", model: model, descriptions: [description], observer: SlowStatements())
        try container.loadPersistentStores()
        return container
    }

    static func readOnly(_ model: ManagedObjectModel, _ url: URL) throws -> PersistentContainer {
        var description = PersistentStoreDescription(.sqlite(url))
        description.isReadOnly = true
        let container = try PersistentContainer(name: "Library", model: model, descriptions: [description])
        try container.loadPersistentStores()
        return container
    }
}

struct SlowStatements: PersistentContainerObserver {
    let slowStatementThreshold = Duration.milliseconds(100)

    func didExecute(_ statement: ExecutedStatement) { print(statement.duration, statement.sql) }
}
