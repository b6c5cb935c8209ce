#if PostgreSQL
    import GranaryBase
    import GranaryCoordination
    import GranaryModel

    /// The tables of a model (docs/postgresql.md#layout).
    struct StoreLayout: Sendable {
        /// The schema with the tables, quoted.
        var namespace: String
        /// One table for each root entity, in the order of the entities.
        let tables: [EntityTable]
        let joinTables: [JoinTable]
        /// The index of each entity's table.
        let tableOfEntity: [Int]
        /// The places of the links of to-many relationships.
        let places: [LinkLayout.ID: LinkPlace]
        /// Whether the store has the tables of a persistent history.
        var hasHistory = false

        /// The table with the model and the metadata.
        static let storeTable = "granary_store"
        /// The version of the layout, which other versions of Granary could change.
        static let version: Int64 = 1
        /// The limit of PostgreSQL for the columns of a table (https://www.postgresql.org/docs/current/limits.html).
        static let columnLimit = 1600

        /// The place of the links of a to-many relationship.
        enum LinkPlace: Sendable {
            /// The to-one inverse in the rows of the members: the indices of the table, its column and its order column.
            case reference(table: Int, column: Int, order: Int?)
            /// A join table.
            case join(table: Int, isForward: Bool)
        }

        func place(of relationship: Schema.Relationship) -> LinkPlace? { places[LinkLayout.ID(relationship)] }

        /// A table's name with its schema, quoted.
        func qualified(_ name: String) -> String { "\(namespace).\(SQLIdentifier.quoted(name))" }

        var storeTable: String { qualified(Self.storeTable) }

        func table(of entity: Int) -> EntityTable { tables[tableOfEntity[entity]] }

        /// All tables, those with foreign keys first.
        var allNames: [String] {
            joinTables.map(\.name) + tables.map(\.name) + (hasHistory ? HistoryTables.names : []) + [Self.storeTable]
        }
    }
#endif
