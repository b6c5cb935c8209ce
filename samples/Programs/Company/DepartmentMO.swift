import Foundation
import Granary

/// An object of the entity Department.
class DepartmentMO: _DepartmentMO {
    override class var importsInBulk: Bool { true }

    /// The sum of the employees' salaries, calculated from the objects each time.
    var payroll: Decimal { employees.reduce(0) { $0 + ($1.salary ?? 0) } }

    /// What the salaries leave of the budget; nil without a budget.
    var remainingBudget: Decimal? { budget.map { $0 - payroll } }
}
