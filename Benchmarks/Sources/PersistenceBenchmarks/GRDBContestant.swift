import GRDB

/// Records of GRDB: values that are fetched, inserted and updated one by one in a transaction.
struct GRDBContestant: Contestant {
    static let title = "GRDB"

    private let queue: DatabaseQueue
    private let people: People

    init(path: String, people: People) throws {
        queue = try DatabaseQueue(path: path)
        self.people = people
    }

    func insert() throws {
        try queue.write { database in
            for index in 0..<People.departmentCount {
                try DepartmentRecord(id: Int64(index) + 1, name: "Department \(index)").insert(database)
            }
            for (index, person) in people.all.enumerated() {
                try PersonRecord(id: Int64(index) + 1, person).insert(database)
            }
        }
    }

    /// With `update`, which writes every column, as a context's save does.
    func update() throws {
        try queue.write { database in
            for record in try PersonRecord.fetchAll(database) {
                var person = record
                person.version += 1
                person.level += 1
                person.salary += 100
                try person.update(database)
            }
        }
    }

    func follow(prefetching: Bool) throws -> Int64 {
        try queue.read { database -> Int64 in
            try prefetching ? followIncluded(database) : followOneByOne(database)
        }
    }

    private func followOneByOne(_ database: Database) throws -> Int64 {
        var sum: Int64 = 0
        for person in try PersonRecord.fetchAll(database) {
            guard let key = person.address, let address = try AddressRecord.fetchOne(database, key: key) else {
                continue
            }
            sum += person.level + address.postcode + Int64(address.street.utf8.count)
        }
        return sum
    }

    private func followIncluded(_ database: Database) throws -> Int64 {
        let request = PersonRecord.including(required: PersonRecord.addressOfPerson)
            .asRequest(of: PersonWithAddress.self)
        var sum: Int64 = 0
        for both in try request.fetchAll(database) {
            sum += both.person.level + both.address.postcode + Int64(both.address.street.utf8.count)
        }
        return sum
    }
}
