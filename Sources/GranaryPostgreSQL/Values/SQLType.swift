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
        case booleans = 1000
        case byteas = 1001
        case smallints = 1005
        case integers = 1007
        case texts = 1009
        case bigints = 1016
        case reals = 1021
        case doublePrecisions = 1022
        case numerics = 1231
        case uuids = 2951

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
            case .booleans: "boolean[]"
            case .byteas: "bytea[]"
            case .smallints: "smallint[]"
            case .integers: "integer[]"
            case .texts: "text[]"
            case .bigints: "bigint[]"
            case .reals: "real[]"
            case .doublePrecisions: "double precision[]"
            case .numerics: "numeric[]"
            case .uuids: "uuid[]"
            }
        }

        /// The type of arrays of this type. No column has an array of arrays.
        var array: SQLType {
            switch self {
            case .boolean: .booleans
            case .bytea: .byteas
            case .smallint: .smallints
            case .integer: .integers
            case .text: .texts
            case .bigint: .bigints
            case .real: .reals
            case .doublePrecision: .doublePrecisions
            case .numeric: .numerics
            case .uuid: .uuids
            case .booleans, .byteas, .smallints, .integers, .texts, .bigints, .reals, .doublePrecisions, .numerics,
                .uuids:
                self
            }
        }

        /// Whether it is the type of a parameter only.
        var isArray: Bool { array == self }
    }
#endif
