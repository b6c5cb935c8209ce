package import GranaryBase
import GranaryModel

/// Counts the numbers in a store that their attributes cannot have and that an export writes as they are stored.
///
/// Core Data does not check the width of integers, and other programs can write any number to a column.
package final class IrregularValues {
    private struct Place: Hashable {
        let entity: String
        let property: String
    }

    /// The first value of each property, in the order of their discovery.
    private var first: [Diagnostic] = []
    private var indexes: [Place: Int] = [:]
    private var counts: [Int] = []

    package init() {}

    /// - Parameter refusal: the error that a strict reading would throw.
    func note(_ refusal: GranaryError) {
        guard let diagnostic = refusal.diagnostics.first else { return }
        let place = Place(entity: diagnostic.entity ?? "", property: diagnostic.property ?? "")
        if let index = indexes[place] {
            counts[index] += 1
        } else {
            indexes[place] = first.count
            first.append(diagnostic)
            counts.append(1)
        }
    }

    /// Moves all values that another one has noted to this one.
    func takeAll(of other: IrregularValues) {
        guard !other.first.isEmpty else { return }
        for (place, otherIndex) in other.indexes.sorted(by: { $0.value < $1.value }) {
            if let index = indexes[place] {
                counts[index] += other.counts[otherIndex]
            } else {
                indexes[place] = first.count
                first.append(other.first[otherIndex])
                counts.append(other.counts[otherIndex])
            }
        }
        (other.first, other.indexes, other.counts) = ([], [:], [])
    }

    /// A warning for each property, with the first object and the number of values.
    package var diagnostics: [Diagnostic] {
        zip(first, counts).map { diagnostic, count in
            var warning = diagnostic
            warning.severity = .warning
            let rest = count - 1
            warning.message +=
                rest == 0
                ? "; it was exported as it is stored, and an import with --as-is restores it"
                : "; it and \(rest) more such value\(rest == 1 ? "" : "s") were exported as they are stored, and an "
                    + "import with --as-is restores them"
            return warning
        }
    }
}

extension RowBatch {
    /// The number of a cell that is not a value of its attribute but a number that its column can hold. Nil if there is
    /// none, and if the attribute is of another type.
    func irregularNumber(row: Int, of attribute: Schema.Attribute) -> BorrowedValue? {
        switch (attribute.type, self[row, attribute.slot]) {
        case (.boolean, .integer(let number)): .integer(number)
        case (.boolean, .real(let number)), (.integer16, .real(let number)), (.integer32, .real(let number)),
            (.integer64, .real(let number)), (.float, .real(let number)), (.decimal, .real(let number)):
            .double(number)
        default: nil
        }
    }
}
