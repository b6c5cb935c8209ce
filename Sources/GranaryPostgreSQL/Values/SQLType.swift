#if PostgreSQL
    import GranaryModel

    /// A type of PostgreSQL, with its object identifier (`pg_type.dat` of PostgreSQL).
    enum SQLType: UInt32, Sendable {
        case boolean = 16
        case bytea = 17
        case bigint = 20
        case smallint = 21
        case integer = 23
        case text = 25
        case real = 700
        case doublePrecision = 701
        case numeric = 1700
        case uuid = 2950
        case bigints = 1016
        case texts = 1009

        /// The type of the values of an attribute.
        init(_ type: AttributeType) {
            switch type {
            case .integer16: self = .smallint
            case .integer32: self = .integer
            case .integer64: self = .bigint
            case .decimal: self = .numeric
            case .double, .date: self = .doublePrecision
            case .float: self = .real
            case .string, .uri: self = .text
            case .boolean: self = .boolean
            case .uuid: self = .uuid
            case .binary, .transformable, .undefined, .objectID, .composite: self = .bytea
            }
        }

        /// The name in SQL.
        var name: String {
            switch self {
            case .boolean: "boolean"
            case .bytea: "bytea"
            case .bigint: "bigint"
            case .smallint: "smallint"
            case .integer: "integer"
            case .text: "text"
            case .real: "real"
            case .doublePrecision: "double precision"
            case .numeric: "numeric"
            case .uuid: "uuid"
            case .bigints: "bigint[]"
            case .texts: "text[]"
            }
        }
    }
#endif
