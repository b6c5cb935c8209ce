/// Rows stream to the store as long as no later record can cause their rejection and no reference waits. From the first
/// record on for which this is not so, all rows wait (``ParsedRows/waits``).
struct RowStream {
    /// Whether rows stream to the store.
    private(set) var isOpen: Bool
    /// The primary keys before the first record that waits; nil if all records wait or none does.
    private(set) var keysBefore: PrimaryKeys?
    /// The first record whose rows wait; nil while rows stream, or if all rows wait.
    private(set) var firstWaiting: RecordID?

    init(isOpen: Bool) { self.isOpen = isOpen }

    /// Lets the rows of a record and of all later ones wait.
    ///
    /// - Parameter keys: the primary keys after the record's rows.
    mutating func close(at record: RecordID, _ keys: PrimaryKeys) {
        guard isOpen else { return }
        isOpen = false
        var keys = keys
        keys.rewindRecord()
        keysBefore = keys
        firstWaiting = record
    }

    /// Whether the rows of a record wait.
    func isWaiting(_ place: RecordLocation) -> Bool {
        guard !isOpen else { return false }
        return firstWaiting.map { !(RecordID(place) < $0) } ?? true
    }
}
