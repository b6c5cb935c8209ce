/// Dependencies between records other than references: records can name one object, find it by a key that another
/// record sets, or be equal.
struct RecordUses {
    /// A record that depends on another one: it changes an object that the other creates, finds its object by a key
    /// that the other sets, or equals the other.
    struct Use {
        /// The other record.
        let record: RecordID
        /// The line of `record`.
        let line: Int
        /// The place of the dependent record.
        let place: RecordLocation
        let reason: Reason

        /// The other record creates the object, sets the natural key, or equals the dependent record.
        enum Reason: Int { case object, key, equal }
    }

    /// Records that depend on another record.
    var all: [Use] = []
    /// Records that were skipped because another record creates their object.
    var skipped: Set<RecordID> = []
    /// Records that count as unchanged because they equal another record.
    var repeated: Set<RecordID> = []
    /// Records with nested objects that are nested in later records too.
    var sharedNested: Set<RecordID> = []
    /// Objects that records of several jobs name.
    var sharedRows: Set<RowID> = []
    /// The places of records that set a unique key which another object has.
    var conflictPlaces: [RecordConflict: (place: RecordLocation, field: String?)] = [:]
}
