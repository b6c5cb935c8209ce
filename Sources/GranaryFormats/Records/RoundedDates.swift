package import GranaryBase
import Synchronization

/// Counts the dates that an export writes without their whole time, because the caller allows it.
package final class RoundedDates: Sendable {
    private struct Place: Hashable {
        let entity: String
        let property: String
        /// Whether the text is a local time that occurs twice.
        let isAmbiguous: Bool
    }

    private struct Found {
        var count: Int
        /// The earliest date. It does not depend on the order in which threads find dates.
        var first: Double
    }

    private let found = Mutex<[Place: Found]>([:])

    package init() {}

    func note(_ date: Double, entity: String, property: String, isAmbiguous: Bool = false) {
        found.withLock { found in
            let place = Place(entity: entity, property: property, isAmbiguous: isAmbiguous)
            let known = found[place]
            found[place] = Found(count: (known?.count ?? 0) + 1, first: min(known?.first ?? date, date))
        }
    }

    /// A warning for each property.
    package func diagnostics(_ form: TextForm) -> [Diagnostic] {
        let formats = form.datesInOrder.map(\.optionText).joined(separator: " or ")
        let sorted = found.withLock { found in
            found.sorted { left, right in
                func text(_ place: Place) -> String {
                    [place.entity, place.property, place.isAmbiguous ? "1" : "0"].joined(separator: "\0")
                }
                return text(left.key).utf8.lexicographicallyPrecedes(text(right.key).utf8)
            }
        }
        return sorted.map { place, found in
            let (count, first) = (CountText.count(found.count, "date"), DateText.text(found.first))
            let message =
                place.isAmbiguous
                ? "\(count) in the format \(formats) \(found.count == 1 ? "is a local time that occurs" : "are local times that occur") "
                    + "twice, the first is \(first); a format with XXX, the offset from UTC, tells them apart"
                : "\(count) lost a part of the time in the format \(formats), the first is \(first); an import of the "
                    + "file gives other dates"
            return Diagnostic(
                .valuePrecision, message, severity: .warning, entity: place.entity, property: place.property)
        }
    }
}
