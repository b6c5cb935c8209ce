public import GranaryCoordination

extension StoreLocation {
    /// A store in a PostgreSQL database: tables in one schema, in Granary's own layout (docs/postgresql.md).
    ///
    /// The package must be built with its trait `PostgreSQL`; otherwise loading the store throws an error that says so.
    ///
    /// ```swift
    /// let container = try PersistentContainer(model: model, store: .postgresql("postgresql://localhost/seeds"))
    /// ```
    ///
    /// - Parameter connection: a connection string of libpq: a URL `postgresql://USER@HOST:PORT/DATABASE`, or keywords
    ///   such as `service=seeds`. The parameter `schema` names the PostgreSQL schema with the tables. Without it, the
    ///   first schema of the search path has them, usually `public`.
    public static func postgresql(_ connection: String) -> Self { Self(PostgreSQLStoreKind(text: connection)) }
}
