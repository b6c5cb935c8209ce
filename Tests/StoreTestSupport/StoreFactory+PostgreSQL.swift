import Foundation
import GranaryCoordination
import GranaryModel
import GranaryPostgreSQL
package import TestSupport

extension StoreFactory {
    /// The kinds of the conformance suite: those of ``all`` and PostgreSQL stores, if there is a server.
    package static let conforming = all + postgreSQL

    package static let postgreSQL: [StoreFactory] =
        PostgreSQLServer.usable == nil
        ? [] : [postgreSQLPublished] + (TestDepth.usesAllStores ? more : [])

    private static let more = [postgreSQLInTheMaking, postgreSQLReopened, postgreSQLWithHistory]

    /// The kinds for tests of derived attributes.
    package static let derivingPostgreSQL: [StoreFactory] =
        PostgreSQLServer.usable == nil ? [] : [postgreSQLPublished, postgreSQLInTheMaking, postgreSQLWithHistory]

    /// The kinds that can have a persistent history.
    package static let withHistory =
        [sqliteWithHistory] + (PostgreSQLServer.usable == nil ? [] : [postgreSQLWithHistory])

    /// A new store with a persistent history.
    package static let postgreSQLWithHistory = StoreFactory(name: "PostgreSQL, with history") { schema in
        let url = try PostgreSQLServer.required().url()
        let store = try PostgreSQLStores.create(url, schema: schema, tracksHistory: true)
        try store.publish()
        return OpenedStore(store: store, url: url)
    }

    /// A new store that is published and then used.
    package static let postgreSQLPublished = StoreFactory(name: "PostgreSQL, published") { schema in
        let url = try PostgreSQLServer.required().url()
        let store = try PostgreSQLStores.create(url, schema: schema)
        try store.publish()
        return OpenedStore(store: store, url: url)
    }

    /// A new store in the transaction that creates it.
    package static let postgreSQLInTheMaking = StoreFactory(name: "PostgreSQL, in the making") { schema in
        OpenedStore(store: try PostgreSQLStores.create(try PostgreSQLServer.required().url(), schema: schema))
    }

    /// A store that is opened anew after each transaction, with the model in it.
    package static let postgreSQLReopened = StoreFactory(name: "PostgreSQL, opened anew after each transaction") {
        schema in
        let url = try PostgreSQLServer.required().url()
        try PostgreSQLStores.create(url, schema: schema).publish()
        return OpenedStore(store: try ReopenedPostgreSQL(url, schema: schema))
    }
}

extension PostgreSQLServer {
    /// The rows of all tables of a store as texts, sorted, without what tells the number of its transactions and without
    /// the data to revert runs.
    package func dump(_ url: String) throws -> [String: [String]] {
        let schema = url.components(separatedBy: "&schema=").last?.removingPercentEncoding ?? ""
        func quoted(_ name: String) -> String { "\"" + name.replacing("\"", with: "\"\"") + "\"" }
        let begin = "SET search_path = \(quoted(schema));"
        let names = try sql("\(begin) SELECT unnest(tables) FROM granary_store").split(separator: "\n").map(String.init)
        let selects = names.filter { !$0.hasPrefix("granary$") }.map { name in
            let row = name == "granary_store" ? "ROW(t.identifier, t.model, t.metadata)" : "t"
            return "SELECT '\(name)' AS name, replace(\(row)::text, E'\\n', ' ') AS row FROM \(quoted(name)) t"
        }
        let rows = try sql(
            "\(begin) SELECT name || '|' || row FROM (\(selects.joined(separator: " UNION ALL "))) r ORDER BY 1")
        return Dictionary(grouping: rows.split(separator: "\n").map(String.init)) { row in
            String(row.prefix { $0 != "|" })
        }
    }

    /// The server; nil also if this build has no PostgreSQL stores.
    package static var usable: PostgreSQLServer? { PostgreSQLSupport.isIncluded ? shared : nil }

    struct Missing: Error {}

    package static func required() throws -> PostgreSQLServer {
        guard let usable else { throw Missing() }
        return usable
    }
}

private final class ReopenedPostgreSQL: ForwardingStore {
    private let url: String
    private(set) var base: any StoreBackend

    init(_ url: String, schema: Schema) throws {
        self.url = url
        base = try PostgreSQLStores.openForWriting(url, schema: schema)
    }

    func transaction<Result>(_ body: (any StoreWriter) throws -> Result) throws -> Result {
        try transaction(recording: nil, body)
    }

    func transaction<Result>(recording run: String?, _ body: (any StoreWriter) throws -> Result) throws -> Result {
        let result = try base.transaction(recording: run, body)
        base = try PostgreSQLStores.openForWriting(url, schema: base.schema)
        return result
    }
}
