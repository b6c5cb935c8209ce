import Foundation
import Granary

/// Fetch requests in a new context each time, so that no object is registered before.
struct GranaryFetcher: Fetcher {
    static let title = "Granary"

    private let container: PersistentContainer
    private let name = AttributeKey<String>("name")
    private let age = AttributeKey<Int64>("age")
    private let salary = AttributeKey<Double>("salary")
    private let email = AttributeKey<String>("email")
    private let city = AttributeKey<String>("city")
    private let hired = AttributeKey<Date>("hired")
    private let isActive = AttributeKey<Bool>("active")
    private let score = AttributeKey<Int64>("score")

    init(path: String) throws {
        container = try PersistentContainer(model: PeopleModel.model, store: .sqlite(URL(filePath: path)))
    }

    func run(_ fetch: Fetch) throws -> UInt64 {
        let context = container.makeContext()
        let request = try self.request(fetch)
        var sum = Checksum()
        switch fetch.results {
        case .objects(.age):
            for person in try context.fetch(request) { sum.add(try person.integer(forKey: "age") ?? 0) }
        case .objects(.all):
            for person in try context.fetch(request) { sum.add(try values(person).number) }
        case .dictionaries:
            for row in try context.fetchDictionaries(request) { sum.add(try values(row).number) }
        case .count: sum.add(Int64(try context.count(for: request)))
        }
        return sum.value
    }

    private func request(_ fetch: Fetch) throws -> FetchRequest<ManagedObject> {
        var request = FetchRequest("Person")
        if let condition = fetch.condition {
            request.predicate = try ObjectPredicate("%K == %@", condition, Fetch.wantedValue)
        }
        if let order = fetch.order { request.sortDescriptors = [ObjectSortDescriptor(order)] }
        if let limit = fetch.limit { request.fetchLimit = limit }
        return request
    }

    private func values(_ person: ManagedObject) throws -> PersonValues {
        PersonValues(
            name: try person.string(forKey: "name") ?? "", age: try person.integer(forKey: "age") ?? 0,
            salary: try person.double(forKey: "salary") ?? 0, email: try person.string(forKey: "email") ?? "",
            city: try person.string(forKey: "city") ?? "", hired: try person.date(forKey: "hired") ?? .distantPast,
            isActive: try person.boolean(forKey: "active") ?? false, score: try person.integer(forKey: "score") ?? 0)
    }

    private func values(_ row: FetchedRow) throws -> PersonValues {
        PersonValues(
            name: try row[name] ?? "", age: try row[age] ?? 0, salary: try row[salary] ?? 0,
            email: try row[email] ?? "", city: try row[city] ?? "", hired: try row[hired] ?? .distantPast,
            isActive: try row[isActive] ?? false, score: try row[score] ?? 0)
    }

    // MARK: - Whole tables

    /// Fetches all people and keeps them until one value of each is read.
    ///
    /// - Returns: how many there are.
    func readAll() throws -> Int {
        let context = container.makeContext()
        let people = try context.fetch(FetchRequest("Person"))
        var count = 0
        for person in people {
            if try person.integer(forKey: "age") != nil { count += 1 }
        }
        return count
    }

    /// Visits all people in batches of 500 rows, without keeping them.
    ///
    /// - Parameters:
    ///   - order: the attribute by which they are sorted; nil for none.
    ///   - isConditional: whether there is a predicate, which is true for all.
    /// - Returns: how many there are.
    func visit(by order: String?, isConditional: Bool) throws -> Int {
        let context = container.makeContext()
        var request = FetchRequest("Person")
        request.fetchBatchSize = 500
        if let order { request.sortDescriptors = [ObjectSortDescriptor(order)] }
        if isConditional { request.predicate = try ObjectPredicate("%K >= %@", PeopleModel.unindexed, 0) }
        var count = 0
        try context.enumerate(request) { person in
            if try person.string(forKey: "name") != nil { count += 1 }
        }
        return count
    }
}
