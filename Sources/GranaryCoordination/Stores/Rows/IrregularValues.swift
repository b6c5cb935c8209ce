package import GranaryBase
package import GranaryModel

/// Counts the values that an export writes with a warning: numbers that their attributes cannot have and that are
/// written as they are stored, and values that are too large for an import.
///
/// Core Data does not check the width of integers, and other programs can write any number to a column.
package final class IrregularValues {
    private struct Place: Hashable {
        let entity: String
        let property: String
        let code: Diagnostic.Code
    }

    /// The largest record that an import reads by default, in bytes of text.
    private static let recordBytes = 64 << 20

    /// The first value of each property, in the order of their discovery.
    private var first: [Diagnostic] = []
    private var indexes: [Place: Int] = [:]
    private var counts: [Int] = []

    package init() {}

    /// - Parameter refusal: the error that a strict reading would throw.
    func note(_ refusal: GranaryError) {
        if let diagnostic = refusal.diagnostics.first { note(diagnostic) }
    }

    /// Notes a binary value if it is too large for an import.
    ///
    /// - Parameter count: the number of bytes; Base64 has a third more.
    package func note(bytes count: Int64, of attribute: Schema.Attribute, _ row: RowBatch.Header, _ schema: Schema) {
        guard count > Int64(Self.recordBytes / 4 * 3) else { return }
        let entity = schema.entities[Int(row.entity)]
        note(
            Diagnostic(
                .limitExceeded,
                "\(schema.objectName(entity: entity.index, key: row.key)): the value has \(count) bytes",
                severity: .warning, entity: entity.name, property: attribute.name, help: "--blobs files"))
    }

    private func note(_ diagnostic: Diagnostic) {
        let place = Place(
            entity: diagnostic.entity ?? "", property: diagnostic.property ?? "", code: diagnostic.code)
        if let index = indexes[place] {
            counts[index] += 1
        } else {
            indexes[place] = first.count
            first.append(diagnostic)
            counts.append(1)
        }
    }

    /// Moves all values that another one has noted to this one.
    package func takeAll(of other: IrregularValues) {
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
            if diagnostic.code == .limitExceeded {
                let others = rest == 0 ? "" : ", and \(rest) more value\(rest == 1 ? " is" : "s are") as large"
                warning.message += "\(others); an import rejects records of more than \(Self.recordBytes >> 20) MiB"
                return warning
            }
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
