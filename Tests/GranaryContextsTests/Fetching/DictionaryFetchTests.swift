import Foundation
import GranaryBase
import GranaryContexts
import GranaryCoordination
import GranaryCoreDataStore
import GranaryInspection
import GranaryModel
import GranaryPredicates
import StoreTestSupport
import TestSupport
import Testing

/// The AGG scenarios of docs/core-data/behaviours.md#agg-dictionaries-groups-aggregates, under their numbers.
@Suite("Dictionaries") struct DictionaryFetchTests {
    /// Law: c 1, d 3. Sales: a 2. None: b NULL.
    private func context(_ factory: StoreFactory) throws -> ManagedObjectContext {
        let container = try PersistentContainer(PeopleModel.model, factory)
        let writer = container.makeContext()
        let (sales, law) = (try writer.department("Sales"), try writer.department("Law"))
        for (name, salary, department) in [("a", 2, sales), ("b", nil, nil), ("c", 1, law), ("d", 3, law)]
            as [(String, Int64?, ManagedObject?)]
        {
            try writer.person(name, salary: salary).setObject(department, forKey: "department")
        }
        try writer.save()
        return container.makeContext()
    }

    private func column(
        _ name: String, _ format: String, _ type: AttributeType? = nil
    ) throws -> FetchColumn {
        .expression(ExpressionDescription(name, try ObjectExpression(format: format), resultType: type))
    }

    @Test("AGG-01: without columns every stored attribute, no relationship", arguments: StoreFactory.all)
    func defaultColumns(_ factory: StoreFactory) throws {
        let context = try context(factory)
        // FET-05: unsaved changes are ignored.
        _ = try context.person("new")
        let rows = try context.fetchDictionaries(FetchRequest("Person"))
        #expect(rows.map { $0["name"] } == ["a", "b", "c", "d"])
        #expect(Set(rows[0].dictionary.keys) == ["name", "number", "salary"])
        #expect(Set(rows[1].dictionary.keys) == ["name", "number"])
        #expect(Set(rows[1].names) == ["name", "number", "salary", "note"])
    }

    @Test("AGG-07: a to-one gives the ID of its object, a to-many is refused", arguments: StoreFactory.all)
    func relationships(_ factory: StoreFactory) throws {
        let context = try context(factory)
        let law = try #require(try context.first("Department", where: "title == 'Law'"))
        var request = FetchRequest("Person", where: try ObjectPredicate("name IN {'b', 'd'}"))
        request.propertiesToFetch = ["name", "department", "department.title"]
        let rows = try context.fetchDictionaries(request)
        #expect(rows.map { $0.objectID("department") } == [nil, law.objectID])
        #expect(rows.map { $0["department.title"] } == [nil, "Law"])
        for path in ["pets", "department.employees", "pets.name", "mood", "nmae", "department.nmae"] {
            request.propertiesToFetch = [.property(path)]
            let error = #expect(throws: GranaryError.self, "\(path)") { try context.fetchDictionaries(request) }
            #expect(error?.code == .usage, "\(path)")
        }
    }

    @Test("AGG-03: aggregates of all rows give one row", arguments: StoreFactory.all)
    func aggregates(_ factory: StoreFactory) throws {
        let context = try context(factory)
        var request = FetchRequest("Person")
        request.propertiesToFetch = [
            try column("sum", "sum:(salary)"), try column("average", "average:(salary)"),
            try column("least", "min:(salary)"), try column("most", "max:(name)"),
            try column("values", "count:(salary)"), try column("rows", "@count"),
            try column("more", "sum:(salary) + 1"), try column("decimal", "sum:(salary)", .decimal),
        ]
        let rows = try context.fetchDictionaries(request)
        #expect(
            rows.map(\.dictionary) == [
                [
                    "sum": .attribute(6), "average": .attribute(2.0), "least": .attribute(1), "most": .attribute("d"),
                    "values": .attribute(3), "rows": .attribute(4), "more": .attribute(7),
                    "decimal": .attribute(.decimal(6)),
                ]
            ])
        request.predicate = .constant(false)
        let none = try context.fetchDictionaries(request)
        #expect(none.map { $0["rows"] } == [0] && none.map { $0["sum"] } == [0] && none.map { $0["most"] } == [nil])
    }

    @Test("Groups, their conditions, order and window", arguments: StoreFactory.all)
    func groups(_ factory: StoreFactory) throws {
        let context = try context(factory)
        var request = FetchRequest("Person")
        request.propertiesToGroupBy = ["department.title"]
        request.propertiesToFetch = [
            "department.title", try column("total", "sum:(salary)"), try column("n", "@count"),
        ]
        func titles() throws -> [AttributeValue?] {
            try context.fetchDictionaries(request).map { $0["department.title"] }
        }
        #expect(try titles() == ["Sales", nil, "Law"])
        request.sortDescriptors = [ObjectSortDescriptor("total", ascending: false)]
        #expect(try titles() == ["Law", "Sales", nil])
        request.fetchOffset = 1
        request.fetchLimit = 1
        #expect(try titles() == ["Sales"])
        (request.fetchOffset, request.fetchLimit) = (0, 0)
        request.havingPredicate = try ObjectPredicate("$n > 1 OR $total == 2")
        #expect(try titles() == ["Law", "Sales"])
        request.havingPredicate = try ObjectPredicate("department.title BEGINSWITH 'S'")
        #expect(try titles() == ["Sales"])
        // AGG-05, DIS-1
        for format in ["n > 1", "count:(name) > 1", "$m > 1", "name == 'a'"] {
            request.havingPredicate = try ObjectPredicate(format)
            let error = #expect(throws: GranaryError.self, "\(format)") { try context.fetchDictionaries(request) }
            #expect(error?.code == .usage, "\(format)")
        }
        request.havingPredicate = nil
        let refused: [(inout FetchRequest<ManagedObject>) throws -> Void] = [
            { $0.propertiesToFetch.append("name") },
            { $0.propertiesToFetch.append("department.title") },
            { $0.propertiesToFetch.append(try column("x", "sum:(name)")) },
            { $0.propertiesToFetch.append(try column("x", "sum:(sum:(salary))")) },
            { $0.sortDescriptors = [ObjectSortDescriptor("name")] },
            { $0.propertiesToGroupBy = ["total"] },
            { $0.propertiesToGroupBy = ["pets"] },
        ]
        for (number, change) in refused.enumerated() {
            var wrong = request
            try change(&wrong)
            let error = #expect(throws: GranaryError.self, "\(number)") { try context.fetchDictionaries(wrong) }
            #expect(error?.code == .usage, "\(number)")
        }
    }

    @Test("Equal rows are returned once if the request wants it", arguments: StoreFactory.all)
    func distinct(_ factory: StoreFactory) throws {
        let context = try context(factory)
        var request = FetchRequest("Person")
        request.propertiesToFetch = ["department.title"]
        request.sortDescriptors = [ObjectSortDescriptor("department.title")]
        func titles() throws -> [AttributeValue?] {
            try context.fetchDictionaries(request).map { $0["department.title"] }
        }
        #expect(try titles() == [nil, "Law", "Law", "Sales"])
        request.returnsDistinctResults = true
        #expect(try titles() == [nil, "Law", "Sales"])
        request.fetchOffset = 1
        request.fetchLimit = 1
        #expect(try titles() == ["Law"])
    }

    @Test("Several stores give one table")
    func severalStores() throws {
        let container = try PersistentContainer(name: "Two", model: PeopleModel.model, descriptions: [])
        container.persistentStoreDescriptions = [
            PersistentStoreDescription(.inMemory), PersistentStoreDescription(.inMemory),
        ]
        try container.loadPersistentStores()
        let stores = container.persistentStoreCoordinator.persistentStores
        let context = container.makeContext()
        for (place, salary) in [(0, 4), (1, 1), (0, 2), (1, 3)] as [(Int, Int64)] {
            try context.assign(try context.person("\(salary)", salary: salary), to: stores[place])
        }
        try context.save()
        var request = FetchRequest("Person")
        request.propertiesToFetch = ["salary"]
        request.sortDescriptors = [ObjectSortDescriptor("salary")]
        request.fetchOffset = 1
        request.fetchLimit = 2
        #expect(try context.fetchDictionaries(request).map { $0["salary"] } == [2, 3])
        #expect(try context.fetch(request).map { $0["salary"] } == [2, 3])
        #expect(try context.fetchObjectIDs(request) == context.fetch(request).map(\.objectID))
        request = FetchRequest("Person")
        request.propertiesToFetch = [try column("sum", "sum:(salary)")]
        #expect(try context.fetchDictionaries(request).map { $0["sum"] } == [10])
    }

    private static let shops = ManagedObjectModel(entities: [
        EntityDescription("Shop", [.attribute("name", .string), .toMany("items", "Item", inverse: "shop")]),
        EntityDescription(
            "Item",
            [
                .attribute("price", .decimal), .attribute("kind", .integer16),
                .toOne("shop", "Shop", inverse: "items"),
            ]),
    ])

    @Test("Sums, means and extremes of Decimals are those of Foundation's Decimal", arguments: StoreFactory.all)
    func decimals(_ factory: StoreFactory) throws {
        let container = try PersistentContainer(Self.shops, factory)
        let writer = container.makeContext()
        var generator = SeededGenerator(seed: 11)
        var prices: [Int: [Decimal]] = [:]
        for shop in 0..<4 {
            let object = try writer.insert(into: "Shop")
            try object.setValue(.string("\(shop)"), forKey: "name")
            for _ in 0..<25 {
                let item = try writer.insert(into: "Item")
                let price = Decimal(Int64.random(in: -99_999...999_999, using: &generator)) / 100
                try item.setValue(.decimal(price), forKey: "price")
                try item.setValue(.integer(Int64(shop % 2)), forKey: "kind")
                try item.setObject(object, forKey: "shop")
                prices[shop, default: []].append(price)
            }
        }
        try writer.save()
        let context = container.makeContext()
        func check(_ row: FetchedRow, _ values: [Decimal]) throws {
            let sum = values.reduce(0, +)
            #expect(row["sum"] == .decimal(sum))
            #expect(row["least"] == .decimal(try #require(values.min())))
            #expect(row["most"] == .decimal(try #require(values.max())))
            guard case .decimal(let mean)? = row["mean"] else {
                Issue.record("the mean is no Decimal: \(String(describing: row["mean"]))")
                return
            }
            #expect((mean * Decimal(values.count) - sum).magnitude < Decimal(string: "1e-25") ?? 0)
        }
        func columns(_ path: String, _ isPath: Bool) throws -> [FetchColumn] {
            let formats =
                isPath
                ? ["items.@sum.\(path)", "items.@avg.\(path)", "items.@min.\(path)", "items.@max.\(path)"]
                : ["sum:(\(path))", "average:(\(path))", "min:(\(path))", "max:(\(path))"]
            return try zip(["sum", "mean", "least", "most"], formats).map { try column($0, $1) }
        }
        var request = FetchRequest("Item")
        request.propertiesToFetch = try columns("price", false)
        let all = try #require(try context.fetchDictionaries(request).first)
        try check(all, prices.values.flatMap { $0 })
        request.propertiesToGroupBy = ["kind"]
        request.propertiesToFetch = [.property("kind")] + (try columns("price", false))
        for row in try context.fetchDictionaries(request) {
            guard case .integer(let kind)? = row["kind"] else { continue }
            try check(row, [0, 1, 2, 3].filter { $0 % 2 == Int(kind) }.flatMap { prices[$0] ?? [] })
        }
        var shops = FetchRequest("Shop")
        shops.propertiesToFetch = [.property("name")] + (try columns("price", true))
        for row in try context.fetchDictionaries(shops) {
            guard case .string(let name)? = row["name"], let number = Int(name) else { continue }
            try check(row, prices[number] ?? [])
        }
        // Predicates compare the exact sum, in SQL too.
        for (shop, values) in prices {
            let sum = values.reduce(0, +)
            let found = FetchRequest("Shop", where: try ObjectPredicate("items.@sum.price == \(sum)"))
            #expect(try context.fetchDictionaries(found).map { $0["name"] } == [.string("\(shop)")])
        }
    }

    /// Departments: Sales has 1 person, Law 2. Grouped by the first letter that all titles share, there is one group.
    @Test(
        "Grouped requests take counts over relationships, and aggregates of them",
        arguments: [
            ("employees.@count", 3), ("sum:(employees.@count)", 3), ("@sum.employees.@count", 3),
            ("max:(employees.@count)", 2), ("min:(employees.@count)", 1), ("average:(employees.@count)", 1.5),
            ("count:(employees.@count)", 2), ("employees.@count + 1", 4), ("employees.@sum.salary", 6),
            ("employees.@max.salary", 3), ("employees.@min.salary", 1),
        ] as [(String, AttributeValue)])
    func collections(_ format: String, _ whole: AttributeValue) throws {
        for factory in StoreFactory.kinds {
            let context = try context(factory)
            var request = FetchRequest("Department")
            request.propertiesToFetch = [try column("size", "title.length * 0"), try column("value", format)]
            request.propertiesToGroupBy = ["size"]
            let rows = try context.fetchDictionaries(request)
            #expect(rows.count == 1)
            let value = try #require(rows.first?["value"])
            #expect(value.doubleValue == whole.doubleValue, "\(value), \(factory.name)")
            // Where each group is one row, the value is that row's, as Core Data's SQL gives it.
            guard !format.hasPrefix("count"), !format.contains("+") else { continue }
            request.propertiesToFetch = ["title", try column("value", format)]
            request.propertiesToGroupBy = ["title"]
            request.sortDescriptors = [ObjectSortDescriptor("title")]
            let titles = try context.fetchDictionaries(request).map { $0["title"] }
            #expect(titles == ["Law", "Sales"])
        }
    }

    @Test("An average of a relationship cannot be combined over the rows of a group")
    func averages() throws {
        let context = try context(.inMemory)
        var request = FetchRequest("Department")
        request.propertiesToFetch = ["title", try column("value", "employees.@avg.salary")]
        request.propertiesToGroupBy = ["title"]
        #expect(throws: GranaryError.self) { try context.fetchDictionaries(request) }
    }
}
