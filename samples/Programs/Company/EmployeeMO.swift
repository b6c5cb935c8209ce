import Granary

/// An object of the entity Employee.
class EmployeeMO: _EmployeeMO {
    override class var importsInBulk: Bool { true }

    /// The name with that of the department, calculated from two objects.
    var title: String { department.map { "\(fullName), \($0.name)" } ?? fullName }
}
