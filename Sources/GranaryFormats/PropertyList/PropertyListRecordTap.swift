import GranaryBase
import GranaryPropertyLists

/// Receives all events of selected records of a ``PropertyListReader``, even of malformed ones. The closures must not
/// use the reader.
struct PropertyListRecordTap {
    /// Selects records by their numbers.
    var isWanted: (Int) -> Bool
    /// Called before a record's events, with the entity if the list names it.
    var begin: (String?) throws(GranaryError) -> Void
    var handle: (PropertyListEvent) throws(GranaryError) -> Void
}
