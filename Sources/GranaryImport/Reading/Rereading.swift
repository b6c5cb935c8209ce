import GranaryBase

/// What a reading of the sources has from the readings before it.
struct Rereading {
    /// The records that the readings before accepted at first and rejected later.
    var rejected: [RecordID: [Diagnostic]] = [:]
    /// Whether the sources can be read again.
    var isPossible = false

    /// The maximum number of readings. After it, records that need a nested object of a rejected record are rejected.
    static let limit = 32
}
