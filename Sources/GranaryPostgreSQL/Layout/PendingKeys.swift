#if PostgreSQL
    /// The keys, indexes and foreign keys that the tables of a new store do not have yet, as statements. To create them after
    /// the rows takes less time than to update them with each row.
    struct PendingKeys {
        /// The primary keys and the indexes, by the indices of the tables.
        var tables: [Int: [String]] = [:]
        /// The same for join tables.
        var joins: [Int: [String]] = [:]
        /// The foreign keys of all tables. They need the primary keys.
        var references: [String] = []
        /// The triggers of derived attributes and the first values. They need all rows.
        var derived: [String] = []

        var isEmpty: Bool { tables.isEmpty && joins.isEmpty && references.isEmpty && derived.isEmpty }
    }
#endif
