/// The counts of written rows.
struct WrittenCounts {
    /// The counts of one job.
    struct OfJob {
        var created = 0
        var nested = 0
        var updated = 0
        var unchanged = 0
    }

    var byJob: [Int: OfJob] = [:]
    var replaced = 0
    var nestedInserts = 0
    /// The number of written objects that lookups created while reading.
    var made = 0
    /// The number of records and nested objects that changed a stored object.
    var changed = 0

    /// Whether rows were written that the counts of records do not show.
    var hasOthers: Bool { nestedInserts > 0 || changed > 0 }
}
