import GranaryContexts
import GranaryCoordination
import GranaryCoreDataStore

/// Which record speaks of which object. Worked out when it is first asked for: most imports never do, and there are as many
/// as rows.
final class ClaimedPlaces {
    /// The indexes as reading has left them; nil once they are worked out.
    private var keys: NaturalKeys?
    private var places: [RowID: RecordPlace] = [:]

    init(_ keys: NaturalKeys?) { self.keys = keys }

    subscript(row: RowID) -> RecordPlace? {
        if let keys {
            places = keys.claimedPlaces()
            self.keys = nil
        }
        return places[row]
    }
}
