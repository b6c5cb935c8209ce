import Foundation
import GRDB

/// A record as GRDB's README writes it, with decoding by hand, which is its quicker form.
struct PersonRecord: FetchableRecord, TableRecord {
    static let databaseTableName = "ZPERSON"

    let id: Int64
    let version: Int64
    let values: PersonValues

    init(row: Row) {
        id = row["Z_PK"]
        version = row["Z_OPT"]
        values = PersonValues(row)
    }
}

extension PersonValues {
    /// The values of a row of all columns of attributes.
    fileprivate init(_ row: Row) {
        // A number as Core Data stores it; GRDB's own form of dates is a text.
        let seconds: Double = row["ZHIRED"]
        self.init(
            name: row["ZNAME"], age: row["ZAGE"], salary: row["ZSALARY"], email: row["ZEMAIL"], city: row["ZCITY"],
            hired: Date(timeIntervalSinceReferenceDate: seconds), isActive: row["ZACTIVE"], score: row["ZSCORE"])
    }
}

/// Records of GRDB by its query interface, and its rows in place of dictionaries.
struct GRDBFetcher: Fetcher {
    static let title = "GRDB"

    private let queue: DatabaseQueue

    init(path: String) throws { queue = try DatabaseQueue(path: path) }

    func run(_ fetch: Fetch) throws -> UInt64 {
        try queue.read { database -> UInt64 in
            var sum = Checksum()
            switch fetch.results {
            case .objects(.age):
                for person in try request(fetch).fetchAll(database) { sum.add(person.values.age) }
            case .objects(.all):
                for person in try request(fetch).fetchAll(database) { sum.add(person.values.number) }
            case .dictionaries:
                for row in try Row.fetchAll(database, sql: fetch.sql) { sum.add(PersonValues(row).number) }
            case .count: sum.add(Int64(try request(fetch).fetchCount(database)))
            }
            return sum.value
        }
    }

    /// Fetches all people and keeps them until one value of each is read.
    ///
    /// - Returns: how many there are.
    func readAll() throws -> Int {
        let people = try queue.read { database in try PersonRecord.fetchAll(database) }
        return people.count { $0.values.age >= 0 }
    }

    private func request(_ fetch: Fetch) -> QueryInterfaceRequest<PersonRecord> {
        var request = PersonRecord.all()
        if let condition = fetch.condition {
            request = request.filter(Column(Fetch.column(condition)) == Fetch.wantedValue)
        }
        if let order = fetch.order { request = request.order(Column(Fetch.column(order)), Column("Z_PK")) }
        if let limit = fetch.limit { request = request.limit(limit) }
        return request
    }
}
