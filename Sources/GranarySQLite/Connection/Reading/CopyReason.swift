import GranaryBase

/// The reason why a database file must be read from a copy.
enum CopyReason: String, Equatable {
    case hotJournal = "a process was killed while it wrote to the store; the copy has the state before that"
    case locked = "another process has locked the store; the copy has the state before its transaction"
    case logContent = "so that the -wal file stays as it is"
    case logFiles = "an earlier process has left the files of a write-ahead log beside it"
    case logInProtectedFolder = "it has a write-ahead log, and its folder is not writable"

    /// Whether the file has changes that are not in the copy.
    var isOlder: Bool { self == .hotJournal || self == .locked }
}
