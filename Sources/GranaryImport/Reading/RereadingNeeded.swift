import GranaryBase

/// A rejected record has nested objects that other records have too. The sources must be read again without it, so that
/// the objects belong to one of the others.
struct RereadingNeeded: Error {
    let rejected: [RecordID: [Diagnostic]]
}
