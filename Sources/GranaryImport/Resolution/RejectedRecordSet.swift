/// The records that are rejected after reading, because of other records or the store.
///
/// Records that are rejected while they are read are not included; they never become rows.
struct RejectedRecordSet {
    private var records: Set<RecordID> = []
    /// Records whose dependents are not rejected yet.
    private var open: [RecordID] = []
    private let places: RowPlaces

    init(places: RowPlaces) { self.places = places }

    var count: Int { records.count }

    /// The records in the order of reading.
    var sorted: [RecordID] { records.sorted() }

    /// Whether there are records whose dependents are not rejected yet.
    var isOpen: Bool { !open.isEmpty }

    /// - Returns: whether the record was not rejected before.
    mutating func insert(_ record: RecordID) -> Bool {
        guard records.insert(record).inserted else { return false }
        open.append(record)
        return true
    }

    func contains(_ record: RecordID) -> Bool { !records.isEmpty && records.contains(record) }

    func contains(_ place: RecordLocation) -> Bool { contains(RecordID(place)) }

    /// Whether a rejected record created the row, so that the object will not exist.
    func isGone(_ row: RowID) -> Bool {
        guard !records.isEmpty, let place = places[row] else { return false }
        return records.contains(RecordID(file: place.file, record: place.record))
    }

    mutating func next() -> RecordID? { open.popLast() }
}
