import CFloor

/// The C loop: what SQLite takes by itself. It updates without reading, and reads only the columns that it adds up.
struct FloorContestant: Contestant {
    static let title = "C"

    private let path: String
    private let people: People

    init(path: String, people: People) throws {
        self.path = path
        self.people = people
    }

    func insert() throws { try Self.insert(people, into: path, firstKey: 1) }

    func update() throws {
        guard floor_people_update(path, people.rows.count) == people.rows.count else {
            throw BenchmarkError(message: "the C loop could not update \(path)")
        }
    }

    func follow(prefetching: Bool) throws -> Int64 {
        let sum = floor_people_follow(path, prefetching ? 1 : 0)
        guard sum >= 0 else { throw BenchmarkError(message: "the C loop could not read \(path)") }
        return sum
    }

    /// - Parameter firstKey: the key of the first of the people; with 1 the departments are inserted, too.
    static func insert(_ people: People, into path: String, firstKey: Int) throws {
        let departments = firstKey == 1 ? People.departmentCount : 0
        let count = floor_people_insert(path, people.rows, people.rows.count, Int64(firstKey), departments)
        guard count == people.rows.count else {
            throw BenchmarkError(message: "the C loop could not insert into \(path)")
        }
    }

    /// Gives each of the people in a store an address, whoever inserted them.
    static func addAddresses(to path: String, count: Int) throws {
        guard floor_people_house(path, count) == count else {
            throw BenchmarkError(message: "the addresses could not be added to \(path)")
        }
    }
}
