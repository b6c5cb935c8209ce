import Foundation
import Granary

/// Objects of a context: every value is checked against the model, inverses are kept.
struct GranaryContestant: Contestant {
    static let title = "Granary"

    private let container: PersistentContainer
    private let people: People

    init(path: String, people: People) throws {
        container = try PersistentContainer(model: PeopleModel.model, store: .sqlite(URL(filePath: path)))
        self.people = people
    }

    /// Makes a store without objects, and closes it.
    static func makeEmptyStore(at path: String) throws {
        _ = try PersistentContainer(model: PeopleModel.model, store: .sqlite(URL(filePath: path)))
    }

    func insert() throws {
        let context = container.makeContext()
        var departments: [ManagedObject] = []
        for index in 0..<People.departmentCount {
            let department = try context.insert(into: "Department")
            try department.setValue(.string("Department \(index)"), forKey: "name")
            departments.append(department)
        }
        for person in people.all {
            let object = try context.insert(into: "Person")
            try object.setValue(.string(person.name), forKey: "name")
            try object.setValue(.string(person.mail), forKey: "mail")
            try object.setValue(.string(person.city), forKey: "city")
            try object.setValue(.integer(person.number), forKey: "number")
            try object.setValue(.integer(person.level), forKey: "level")
            try object.setValue(.double(person.salary), forKey: "salary")
            try object.setValue(.date(person.hired), forKey: "hired")
            try object.setValue(.boolean(person.isActive), forKey: "active")
            try object.setObject(departments[person.department], forKey: "department")
        }
        try context.save()
    }

    func update() throws {
        let context = container.makeContext()
        for person in try context.fetchAll("Person") {
            let level = try person.integer(forKey: "level") ?? 0
            let salary = try person.double(forKey: "salary") ?? 0
            try person.setValue(.integer(level + 1), forKey: "level")
            try person.setValue(.double(salary + 100), forKey: "salary")
        }
        try context.save()
    }

    /// Without prefetching the second fault of a batch still has the addresses of the whole batch read: a context does
    /// that by itself.
    func follow(prefetching: Bool) throws -> Int64 {
        let context = container.makeContext()
        var request = FetchRequest("Person")
        if prefetching { request.relationshipKeyPathsForPrefetching = ["address"] }
        var sum: Int64 = 0
        for person in try context.fetch(request) {
            guard let address = try person.object(forKey: "address") else { continue }
            let level = try person.integer(forKey: "level") ?? 0
            let postcode = try address.integer(forKey: "postcode") ?? 0
            let street = try address.string(forKey: "street") ?? ""
            sum += level + postcode + Int64(street.utf8.count)
        }
        return sum
    }

    /// Goes once over all people of a store, 500 rows at a time, and looks at each.
    ///
    /// - Returns: how many there are.
    static func visit(_ path: String) throws -> Int {
        let container = try PersistentContainer(model: PeopleModel.model, store: .sqlite(URL(filePath: path)))
        let context = container.makeContext()
        var request = FetchRequest("Person")
        request.fetchBatchSize = 500
        var count = 0
        try context.enumerate(request) { person in
            if try person.string(forKey: "name") != nil { count += 1 }
        }
        return count
    }
}
