import Foundation
import GranaryContexts
package import GranaryCoordination
import GranaryCoreDataStore
import GranaryPostgreSQL
import Synchronization
import TestSupport

/// The places of stores with a history, by name: files in a folder, or schemas of the PostgreSQL server.
package final class TrackedStores: Sendable {
    package enum Kind: String, CaseIterable, Sendable {
        case sqlite, postgreSQL
    }

    /// The kinds that can be tested here.
    package static let kinds = PostgreSQLServer.usable == nil ? [Kind.sqlite] : Kind.allCases

    private let kind: Kind
    private let folder: TemporaryFolder
    private let urls = Mutex<[String: String]>([:])

    package init(_ kind: Kind) throws {
        self.kind = kind
        folder = try TemporaryFolder()
    }

    package func location(_ name: String) throws -> StoreLocation {
        switch kind {
        case .sqlite: return .sqlite(folder.url.appending(path: name))
        case .postgreSQL:
            let server = try PostgreSQLServer.required()
            let url = urls.withLock { urls in
                let url = urls[name] ?? server.url()
                urls[name] = url
                return url
            }
            return .postgresql(url)
        }
    }

    package func description(
        _ name: String, _ configuration: String? = nil, tracksHistory: Bool = true
    ) throws -> PersistentStoreDescription {
        var description = PersistentStoreDescription(try location(name))
        description.configuration = configuration
        description.tracksHistory = tracksHistory
        return description
    }
}
