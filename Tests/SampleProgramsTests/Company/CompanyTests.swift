import Foundation
import Granary
import TestSupport
import Testing

@testable import SamplePrograms

@Suite("Sample: Company, inheritance and delete rules") @MainActor struct CompanyTests {
    private let app: CompanyApp
    private let sales: DepartmentMO
    private let ann: EmployeeMO
    private let bob: EmployeeMO

    /// The second that begins 2025 is 757,382,400 seconds after 2001.
    private static func date(_ daysInto2025: Double) -> Date {
        Date(timeIntervalSinceReferenceDate: 757_382_400 + daysInto2025 * 86_400)
    }

    init() throws {
        app = try CompanyApp(model: Samples.url("Company/Company.xcdatamodeld"))
        sales = app.addDepartment("Sales", budget: 100_000)
        ann = app.hire("Ann", "Berg", number: 1, salary: 50_000, on: Self.date(-1), for: sales)
        bob = app.hire("Bob", "Lind", number: 2, salary: 30_000.5, on: Self.date(1), for: sales, manager: ann)
        try app.save()
    }

    @Test("A request for the abstract entity finds employees and customers, each of its own class")
    func inheritance() throws {
        let dora = app.addCustomer("Dora", "Abel", number: 9_000_000_000)
        try app.save()
        // By last and first name.
        #expect(try app.people().map(\.fullName) == ["Dora Abel", "Ann Berg", "Bob Lind"])
        #expect(try app.people().first === dora)
        #expect(try app.people().map { $0.entity.name } == ["Customer", "Employee", "Employee"])
        #expect(try app.people().compactMap { ($0 as? CustomerMO)?.customerNumber } == [9_000_000_000])
    }

    @Test("Employees and customers inherit the logic of the superclass")
    func inheritedLogic() throws {
        let dora = app.addCustomer("Dora", "Abel", number: 1)
        for (person, name) in [(ann as PersonMO, "Berg, Ann"), (dora, "Abel, Dora")] {
            #expect(person.sortName == name)
            #expect(person.age(on: Self.date(0)) == nil)
            // 2001 began 24 years before 2025.
            person.birthday = Date(timeIntervalSinceReferenceDate: 0)
            #expect(person.age(on: Self.date(-1)) == 23)
            #expect(person.age(on: Self.date(0)) == 24)
        }
        dora.lastName = nil
        #expect(dora.fullName == "Dora" && dora.sortName == "Dora")
        (dora.firstName, dora.lastName) = (nil, "Abel")
        #expect(dora.fullName == "Abel" && dora.sortName == "Abel")
        // A person of one name.
        (dora.lastName, dora.name) = (nil, "Dora of Elm")
        #expect(dora.fullName == "Dora of Elm" && dora.sortName == "Dora of Elm")
    }

    @Test("The abstract entity itself has no objects")
    func abstractEntity() throws {
        let person = PersonMO(context: app.managedObjectContext)
        #expect(person.managedObjectContext == nil)
        let error = #expect(throws: GranaryError.self) { try app.managedObjectContext.save() }
        #expect(error?.diagnostics.map(\.code.rawValue) == ["entity.abstract"])
        #expect(try app.people().map(\.fullName) == ["Ann Berg", "Bob Lind"])
    }

    @Test("The fetched property recent hires is executed again each time")
    func recentHires() throws {
        #expect(app.recentHires(of: sales) == [bob])
        let support = app.addDepartment("Support")
        let cleo = app.hire("Cleo", "Hart", number: 3, salary: 1, on: Self.date(5), for: sales)
        _ = app.hire("Emil", "Orr", number: 4, salary: 1, on: Self.date(6), for: support)
        try app.save()
        #expect(app.recentHires(of: sales) == [cleo, bob])
    }

    @Test("Values calculated from other objects")
    func calculatedValues() throws {
        #expect(sales.payroll == Decimal(string: "80000.5"))
        #expect(sales.remainingBudget == Decimal(string: "19999.5"))
        #expect(bob.title == "Bob Lind, Sales")
        bob.salary = nil
        bob.department = nil
        #expect(sales.payroll == 50_000)
        #expect(bob.title == "Bob Lind")
        #expect(app.addDepartment("Support").remainingBudget == nil)
    }

    @Test("Deny: a department with employees stays; it goes when they have gone")
    func denied() throws {
        let error = #expect(throws: GranaryError.self) { try app.delete(sales) }
        #expect(error?.coreDataCode == 1600)
        #expect(sales.employees == [ann, bob])
        ann.department = nil
        sales.removeFromEmployees(bob)
        try app.save()
        try app.delete(sales)
        #expect(try app.managedObjectContext.count("Department") == 0)
        #expect(try app.people().map(\.fullName) == ["Ann Berg", "Bob Lind"])
    }

    @Test("Nullify: the reports of a deleted manager have no manager")
    func nullified() throws {
        #expect(ann.reports == [bob])
        try app.delete(ann)
        #expect(bob.manager == nil)
        #expect(sales.employees == [bob])
        #expect(try app.people().map(\.fullName) == ["Bob Lind"])
    }

    @Test("Each class has its own values, also below a class with values")
    func values() async throws {
        let context = app.managedObjectContext
        let dora = app.addCustomer("Dora", "Abel", number: 7)
        try app.save()
        let employees = try context.values(
            of: EmployeeMO.self, where: try ObjectPredicate("salary > 1"),
            sort: [ObjectSortDescriptor("employeeNumber")])
        #expect(employees.map(\.firstName) == ["Ann", "Bob"])
        #expect(employees.map(\.salary) == [50_000, Decimal(string: "30000.5")])
        #expect(employees.map(\.manager) == [nil, ann.objectID])
        #expect(employees.map(\.id) == [ann.objectID, bob.objectID])
        let people: [PersonMO.Values] = try await app.persistentContainer.values(
            of: PersonMO.self, sort: [ObjectSortDescriptor("lastName")])
        #expect(people.map(\.lastName) == ["Abel", "Berg", "Lind"])
        #expect(people.map(\.objectID.entityName) == ["Customer", "Employee", "Employee"])
        #expect(people[0].objectID == dora.objectID)
        let decoder = JSONDecoder()
        decoder.userInfo = app.persistentContainer.decodingUserInfo
        #expect(try decoder.decode([EmployeeMO.Values].self, from: JSONEncoder().encode(employees)) == employees)
        #expect(CompanyModel.name == "Company" && CompanyModel.bundle == nil && CompanyModel.classes.count == 4)
    }
}
