import GranaryBase
import GranaryCoordination
import GranaryModel
import GranaryPredicates

/// Rows of a fetch for dictionaries that were read together. ``FetchedRow`` is one of them.
final class FetchedRows: Sendable {
    let names: [String]
    private let contents: Contents

    private enum Contents {
        /// The values of the first row, then of the next.
        case computed([PropertyValue])
        /// The cells of the rows, which are converted when a value is wanted. They have no errors.
        case stored(StoredColumns.Cells)
    }

    /// - Parameter values: those of the first row, then those of the next.
    init(names: [String], values: [PropertyValue]) {
        self.names = names
        contents = .computed(values)
    }

    init(names: [String], cells: StoredColumns.Cells) {
        self.names = names
        contents = .stored(cells)
    }

    /// The value of a column in a row; NULL if there is no such place.
    func value(_ row: Int, _ column: Int) -> PropertyValue {
        let place = row * names.count + column
        switch contents {
        case .computed(let values): return values.indices.contains(place) ? values[place] : .attribute(nil)
        case .stored(let cells): return cells.value(at: place, column)
        }
    }
}
