import Foundation

/// The median of values, and between which values it is.
package struct Spread: CustomStringConvertible {
    private let sorted: [Double]

    package init(_ values: [Double]) { sorted = values.sorted() }

    /// Nil without values.
    package var median: Double? { sorted.isEmpty ? nil : sorted[sorted.count / 2] }

    package var description: String {
        guard let median, let least = sorted.first, let most = sorted.last else { return "" }
        return sorted.count == 1
            ? String(format: "%.2f", median) : String(format: "%.2f (%.2f to %.2f)", median, least, most)
    }
}
