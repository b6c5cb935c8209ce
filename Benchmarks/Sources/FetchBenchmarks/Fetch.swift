/// One fetch, which every fetcher carries out in its own way and in the same order of rows.
struct Fetch {
    enum Results {
        /// People, of which one value or all are read.
        case objects(Contents)
        /// Rows of all attributes by their names, of which all values are read.
        case dictionaries
        /// Only their number.
        case count
    }

    enum Contents {
        case age, all
    }

    /// What the condition compares with: one of a hundred values.
    static let wantedValue = 42

    let title: String
    let results: Results
    /// The attribute that must have the wanted value; nil for all people.
    let condition: String?
    /// The attribute by which the people are sorted, then by their keys; nil for the order of the keys.
    let order: String?
    /// How many people; nil for all.
    let limit: Int?

    init(
        _ title: String, _ results: Results, where condition: String? = nil, by order: String? = nil, limit: Int? = nil
    ) {
        self.title = title
        self.results = results
        self.condition = condition
        self.order = order
        self.limit = limit
    }

    static let all = [
        Fetch("objects, one value of each read", .objects(.age)),
        Fetch("objects, all values read", .objects(.all)),
        Fetch("dictionaries, all values read", .dictionaries),
        Fetch("count", .count),
        Fetch("count, predicate on an indexed column", .count, where: PeopleModel.indexed),
        Fetch("count, predicate on an unindexed column", .count, where: PeopleModel.unindexed),
        Fetch("objects, predicate on an indexed column (1 %)", .objects(.all), where: PeopleModel.indexed),
        Fetch("objects, predicate on an unindexed column (1 %)", .objects(.all), where: PeopleModel.unindexed),
        Fetch("objects, sorted by an indexed column, limit 10", .objects(.all), by: PeopleModel.indexed, limit: 10),
        Fetch("objects, sorted by an unindexed column, limit 10", .objects(.all), by: "salary", limit: 10),
    ]
}

extension Fetch {
    /// The column of an attribute.
    static func column(_ attribute: String) -> String { "Z" + attribute.uppercased() }

    /// The same as plain SQL. Objects come with their keys and versions, after the attributes.
    var sql: String {
        let attributes = PeopleModel.attributes.map(Self.column).joined(separator: ", ")
        let columns =
            switch results {
            case .objects: attributes + ", Z_PK, Z_OPT"
            case .dictionaries: attributes
            case .count: "COUNT(*)"
            }
        var text = "SELECT \(columns) FROM ZPERSON"
        if let condition { text += " WHERE \(Self.column(condition)) = \(Self.wantedValue)" }
        if let order { text += " ORDER BY \(Self.column(order)), Z_PK" }
        if let limit { text += " LIMIT \(limit)" }
        return text
    }
}
