import GranaryBase
import GranaryPropertyLists

/// Gets the events of chosen records as a ``PropertyListReader`` takes them: all that the list says, be it a record or
/// not. None of the closures may touch the reader.
struct PropertyListRecordTap {
    /// Picks records by their numbers.
    var isWanted: (Int) -> Bool
    /// Comes before a record's events, with the entity where the list names it.
    var begin: (String?) throws(GranaryError) -> Void
    var handle: (PropertyListEvent) throws(GranaryError) -> Void
}
