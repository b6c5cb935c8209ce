import Foundation
import Granary

/// Shows inheritance with an abstract entity whose class has the logic that subclasses inherit, a fetched
/// property, calculated values and delete rules.
@MainActor
final class CompanyApp {
    let persistentContainer: PersistentContainer

    var managedObjectContext: ManagedObjectContext { persistentContainer.viewContext }

    /// - Parameter model: the model Company.
    init(model: URL, store: StoreLocation = .inMemory) throws {
        persistentContainer = try PersistentContainer(
            model: ManagedObjectModel(contentsOf: model), store: store, classes: CompanyClasses.all)
    }

    func addDepartment(_ name: String, budget: Decimal? = nil) -> DepartmentMO {
        let department = DepartmentMO(context: managedObjectContext)
        department.name = name
        department.budget = budget
        return department
    }

    func addCustomer(_ firstName: String, _ lastName: String, number: Int64) -> CustomerMO {
        let customer = CustomerMO(context: managedObjectContext)
        customer.firstName = firstName
        customer.lastName = lastName
        customer.customerNumber = number
        return customer
    }

    func hire(
        _ firstName: String, _ lastName: String, number: Int32, salary: Decimal, on date: Date,
        for department: DepartmentMO, manager: EmployeeMO? = nil
    ) -> EmployeeMO {
        let employee = EmployeeMO(context: managedObjectContext)
        employee.firstName = firstName
        employee.lastName = lastName
        employee.employeeNumber = number
        employee.salary = salary
        employee.hired = date
        employee.manager = manager
        department.addToEmployees(employee)
        return employee
    }

    /// Returns the employees and customers: a request for the abstract entity Person finds the objects of its
    /// subentities.
    func people() throws -> [PersonMO] {
        var request = PersonMO.fetchRequest()
        request.sortDescriptors = ["lastName", "firstName", "name"].map { ObjectSortDescriptor($0) }
        return try managedObjectContext.fetch(request)
    }

    /// Executes the fetched property "recent hires": the department's employees hired after 2025 began, the latest first.
    func recentHires(of department: DepartmentMO) -> [EmployeeMO] {
        department.recentHires.sorted { $0.hired > $1.hired }
    }

    /// Deletes an object with the delete rules of its relationships, and saves.
    ///
    /// A department with employees is not deleted, because the rule of `employees` is Deny. An employee's reports lose
    /// their manager, because the rule of `reports` is Nullify.
    ///
    /// - Throws: `GranaryError` if a rule forbids it; nothing is deleted then, and unsaved changes are lost.
    func delete(_ object: ManagedObject) throws {
        do {
            try managedObjectContext.delete(object)
            try managedObjectContext.save()
        } catch {
            managedObjectContext.rollback()
            throw error
        }
    }

    func save() throws { if managedObjectContext.hasChanges { try managedObjectContext.save() } }
}
