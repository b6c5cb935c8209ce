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

/// Fetched properties and fetch request templates.
@Suite("Fetched properties and templates") struct FetchedPropertyTests {
    private static let model: ManagedObjectModel = {
        var rich = FetchRequestTemplate(
            name: "rich", entityName: "Person",
            predicateFormat:
                "department == $FETCH_SOURCE.lead.department AND salary >= $FETCHED_PROPERTY.userInfo.least")
        rich.sortDescriptors = [ObjectSortDescriptor("salary", ascending: false)]
        var property = FetchedPropertyDescription(name: "rich", fetchRequest: rich)
        property.userInfo["least"] = "2"
        var department = EntityDescription(
            "Department",
            [
                .attribute("title", .string), .toMany("employees", "Person", inverse: "department"),
                .toOne("lead", "Person", inverse: "leads"),
                .fetched("all", "Person", where: "department == $FETCH_SOURCE"),
            ])
        department.fetchedProperties.append(property)
        var model = ManagedObjectModel(entities: [
            department,
            EntityDescription(
                "Person",
                [
                    .attribute("name", .string), .attribute("salary", .integer64),
                    .toOne("department", "Department", inverse: "employees"),
                    .toOne("leads", "Department", inverse: "lead"),
                ]),
        ])
        var between = FetchRequestTemplate(
            name: "between", entityName: "Person", predicateFormat: "salary BETWEEN {$least, $most}")
        between.fetchLimit = 2
        model.fetchRequestTemplates = [between, FetchRequestTemplate(name: "all", entityName: "Person")]
        return model
    }()

    private func context(_ factory: StoreFactory) throws -> ManagedObjectContext {
        let context = try PersistentContainer(Self.model, factory).makeContext()
        for title in ["A", "B"] {
            let department = try context.insert(into: "Department")
            try department.setValue(.string(title), forKey: "title")
            for salary in 1...3 as ClosedRange<Int64> {
                let person = try context.insert(into: "Person")
                try person.setValue(.string("\(title)\(salary)"), forKey: "name")
                try person.setValue(.integer(salary), forKey: "salary")
                try person.setObject(department, forKey: "department")
                if salary == 2 { try department.setObject(person, forKey: "lead") }
            }
        }
        try context.save()
        return context
    }

    @Test("A fetched property finds objects by its source and itself", arguments: StoreFactory.all)
    func fetchedProperties(_ factory: StoreFactory) throws {
        let context = try context(factory)
        let department = try #require(try context.first("Department", where: "title == 'B'"))
        func names(_ property: String) throws -> [AttributeValue?] {
            try department.fetchedObjects(property).map { $0["name"] }
        }
        #expect(try names("all") == ["B1", "B2", "B3"])
        #expect(try names("rich") == ["B3", "B2"])
        let error = #expect(throws: GranaryError.self) { try department.fetchedObjects("rihc") }
        #expect(error?.code == .usage && error?.message.contains("did you mean \"rich\"?") == true)
        // Without a lead the path from the source is NULL.
        try department.setObject(nil, forKey: "lead")
        #expect(try names("rich") == [])
    }

    @Test("A template takes values for its variables", arguments: StoreFactory.kinds)
    func templates(_ factory: StoreFactory) throws {
        let context = try context(factory)
        let request = try Self.model.fetchRequestFromTemplate(
            withName: "between", substitutionVariables: ["least": 2, "most": 9])
        #expect(request.entityName == "Person" && request.fetchLimit == 2)
        #expect(try context.fetch(request).map { $0["name"] } == ["A2", "A3"])
        #expect(try context.count(for: Self.model.fetchRequestFromTemplate(withName: "all")) == 6)
        #expect(Self.model.fetchRequestTemplate(named: "between")?.fetchLimit == 2)
        for (name, variables) in [("between", ["least": 2]), ("betwen", [:])] as [(String, [String: Int])] {
            let error = #expect(throws: GranaryError.self) {
                try Self.model.fetchRequestFromTemplate(withName: name, substitutionVariables: variables)
            }
            #expect(error?.code == .usage)
            #expect(error?.message.contains(name == "between" ? "$most" : "\"between\"") == true)
        }
    }

    @Test("A template built in code has the options of a new fetch request, and its own order")
    func defaults() throws {
        var template = FetchRequestTemplate(name: "all", entityName: "Person")
        #expect(template.includesSubentities && template.includesPendingChanges && template.includesPropertyValues)
        #expect(template.returnsObjectsAsFaults && !template.returnsDistinctResults)
        template.sortDescriptors = [ObjectSortDescriptor("name", ascending: false)]
        // The order that a reader could only note counts as long as there is no other.
        var noted = FetchRequestTemplate(name: "noted", entityName: "Person")
        noted.notes["NSSortDescriptors"] = "name:desc"
        var model = ManagedObjectModel(entities: [
            EntityDescription(
                "Person", [.attribute("name", .string), .fetched("others", "Person", where: "name != nil")]),
            EntityDescription("Child", [], superentity: "Person"),
        ])
        model.fetchRequestTemplates = [template, noted]
        let context = try PersistentContainer(model: model, store: .inMemory).makeContext()
        let first = try context.insert(into: "Person")
        try first.setValue("a", forKey: "name")
        try context.insert(into: "Child").setValue("b", forKey: "name")
        for name in ["all", "noted"] {
            let found = try context.fetch(model.fetchRequestFromTemplate(withName: name))
            #expect(found.map { $0["name"] } == ["b", "a"], "\(name)")
        }
        #expect(try first.fetchedObjects("others").count == 2)
        var unordered = model
        unordered.fetchRequestTemplates[0].sortDescriptors = []
        #expect(model.differences(to: unordered).changes.count == 1 && model.differences(to: model).changes.isEmpty)
    }
}
