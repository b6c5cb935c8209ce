import Granary

// The plugin GranaryModelPlugin generates Department, Employee and CompanyModel from Company.xcdatamodeld.

let container = try PersistentContainer(CompanyModel.self, at: .inMemory)
let context = container.viewContext

let department = try context.insert(Department.self) { $0.name = "Development" }
for (number, name) in ["Ann", "Bob", "Cleo"].enumerated() {
    try context.insert(Employee.self) { employee in
        employee.name = name
        employee.number = Int64(number) + 1
        employee.isRemote = number == 1
        employee.department = department
    }
}
try context.save()

var request = Employee.fetchRequest()
request.sortDescriptors = [ObjectSortDescriptor("name", ascending: false)]
for employee in try context.fetch(request) {
    print(employee.number, employee.name, employee.isRemote, employee.department?.name ?? "-")
}

// A value that the model refuses is an error of the save; the store keeps the old value.
department.name = ""
do {
    try context.save()
    print("saved")
} catch {
    print("refused")
}
context.rollback()

let remote = try ObjectPredicate("isRemote == YES")
print(try context.count(for: FetchRequest(Employee.self, where: remote)), "remote of", department.employees.count)

// The saved values as structures, which can be passed to other tasks.
let values = try await container.values(of: Employee.self, where: remote)
print(values.map(\.name))
