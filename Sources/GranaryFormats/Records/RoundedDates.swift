package import GranaryBase
import Synchronization

/// Counts the dates that an export writes without their whole time, because the caller allows it.
package final class RoundedDates: Sendable {
    private struct Place: Hashable {
        let entity: String
        let property: String
    }

    private struct Found {
        var count: Int
        /// The earliest date. It does not depend on the order in which threads find dates.
        var first: Double
    }

    private let found = Mutex<[Place: Found]>([:])

    package init() {}

    func note(_ date: Double, entity: String, property: String) {
        found.withLock { found in
            let place = Place(entity: entity, property: property)
            let known = found[place]
            found[place] = Found(count: (known?.count ?? 0) + 1, first: min(known?.first ?? date, date))
        }
    }

    /// A warning for each property.
    package func diagnostics(_ form: TextForm) -> [Diagnostic] {
        let formats = form.datesInOrder.map(\.optionText).joined(separator: " or ")
        let sorted = found.withLock { found in
            found.sorted { left, right in
                let (one, other) = ([left.key.entity, left.key.property], [right.key.entity, right.key.property])
                return one.joined(separator: "\0").utf8.lexicographicallyPrecedes(other.joined(separator: "\0").utf8)
            }
        }
        return sorted.map { place, found in
            Diagnostic(
                .valuePrecision,
                "\(CountText.count(found.count, "date")) lost a part of the time in the format \(formats), the first is "
                    + DateText.text(found.first) + "; an import of the file gives other dates",
                severity: .warning, entity: place.entity, property: place.property)
        }
    }
}
