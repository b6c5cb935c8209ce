import Granary

// The plugin GranaryModelPlugin generates Department, Employee and CompanyClasses from Company.xcdatamodeld.

let container = try PersistentContainer(name: "Company", classes: CompanyClasses.all)
container.persistentStoreDescriptions = [PersistentStoreDescription(.inMemory)]
try container.loadPersistentStores()
let context = container.viewContext

let department = Department(context: context)
department.name = "Development"
for (number, name) in ["Ann", "Bob", "Cleo"].enumerated() {
    let employee = Employee(context: context)
    employee.name = name
    employee.number = Int64(number) + 1
    employee.isRemote = number == 1
    department.addToEmployees(employee)
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
