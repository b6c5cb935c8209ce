package import GranaryBase

/// A database server that speaks PostgreSQL's protocol.
package enum ServerEngine: String, CaseIterable, Sendable {
    case postgresql
    case citus
    case cockroach
    case yugabyte

    /// - Parameters:
    ///   - version: the result of `version()`.
    ///   - hasCitus: whether the database has the extension `citus`.
    package init(version: String, hasCitus: Bool) {
        // CockroachDB CCL v23.1.11 (x86_64-pc-linux-gnu, …); PostgreSQL 11.2-YB-2.19.0.0-b0 on x86_64-pc-linux-gnu, …
        self =
            version.hasPrefix("CockroachDB")
            ? .cockroach : version.contains("-YB-") ? .yugabyte : hasCitus ? .citus : .postgresql
    }

    /// What prevents stores, with the name of the engine; nil if nothing does.
    package var obstacle: String? {
        switch self {
        case .postgresql, .citus: nil
        case .cockroach:
            "CockroachDB has no deferred constraints and no LOCK TABLE, on which PostgreSQL stores depend"
        case .yugabyte: "YugabyteDB has no LOCK TABLE, on which PostgreSQL stores depend"
        }
    }

    /// - Throws: ``GranaryError`` with code `refused` if stores cannot be created.
    package func check(_ source: String) throws(GranaryError) {
        guard let obstacle else { return }
        throw GranaryError(.refused, "\(source): \(obstacle); use PostgreSQL 12 or later (docs/postgresql.md)")
    }
}

#if PostgreSQL
    extension PostgreSQLConnection {
        func engine() throws -> ServerEngine {
            let result = try query(
                "SELECT version(), (SELECT count(*) FROM pg_extension WHERE extname = 'citus')::bigint")
            return ServerEngine(version: result.text(0, 0) ?? "", hasCitus: result.integer(0, 1) == 1)
        }
    }
#endif
