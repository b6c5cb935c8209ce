import GranaryCoordination

/// A record of an import.
struct RecordID: Hashable, BitwiseCopyable {
    let file: Int32
    let record: Int
}

extension RecordID: Comparable {
    init(_ place: RecordLocation) { self.init(file: place.file, record: place.record) }

    /// Compares in the order of reading.
    static func < (left: RecordID, right: RecordID) -> Bool {
        left.file == right.file ? left.record < right.record : left.file < right.file
    }
}
