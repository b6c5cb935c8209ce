import GranaryBase
import GranaryPropertyLists

/// Receives all events of selected records of a ``PropertyListReader``, even of malformed ones. The closures must not
/// use the reader.
struct PropertyListRecordTap {
    /// Selects records by their numbers.
    var isWanted: (Int) -> Bool
    /// Called before a record's events.
    var begin: (Place) throws(GranaryError) -> Void
    var handle: (PropertyListEvent) throws(GranaryError) -> Void

    /// Where a record is in its list.
    struct Place {
        /// The entity, if the list names it.
        var entity: String?
        /// The places of records up to this one; empty for a list without them.
        var visits: [PlaceVisit] = []
        /// The key under which the record is, if the place is a dictionary of records.
        var name: String?
    }
}
