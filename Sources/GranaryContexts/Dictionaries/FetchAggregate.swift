import Foundation
import GranaryBase
import GranaryCoordination
import GranaryModel
import GranaryPredicates

/// A value that combines the rows of a group.
struct FetchAggregate: Hashable {
    enum Function: String {
        case sum = "sum:"
        case average = "average:"
        case minimum = "min:"
        case maximum = "max:"
        case count = "count:"

        /// The function of a key path such as `@sum.salary`.
        init?(keyPathOperator name: Substring) {
            switch name {
            case "@sum": self = .sum
            case "@avg": self = .average
            case "@min": self = .minimum
            case "@max": self = .maximum
            default: return nil
            }
        }
    }

    let function: Function
    /// The value of each row; nil for the row itself, which is only counted.
    let argument: ObjectExpression?

    /// The state of an aggregate for one group. ``NumberSum`` determines the types of sums and averages.
    struct Accumulator {
        private let function: Function
        private var count: Int64 = 0
        private var sum = NumberSum()
        private var extreme: AttributeValue?

        init(_ function: Function) { self.function = function }

        /// Adds the value of a row. NULLs do not count.
        mutating func add(_ value: AttributeValue?) {
            guard let value else { return }
            switch function {
            case .count: count += 1
            case .sum, .average: sum.add(value)
            case .minimum, .maximum:
                guard let known = extreme else {
                    extreme = value
                    return
                }
                let order = Self.order.order([value], [known])
                if function == .minimum ? order < 0 : order > 0 { extreme = value }
            }
        }

        /// Adds a row whose value is an object.
        mutating func addObject() { count += 1 }

        var result: AttributeValue? {
            switch function {
            case .count: .integer(count)
            case .sum: sum.sum
            case .average: sum.mean
            case .minimum, .maximum: extreme
            }
        }

        private static let order = SortOrder([ObjectSortDescriptor("SELF")])
    }
}
