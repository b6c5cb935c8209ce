package import GranaryBase
package import GranaryCoordination
import GranarySQLite

/// What is read of a store before its model is known.
package struct StoreGlance {
    package let metadata: StoreMetadata
    /// A note that another process has locked the store and a copy of it is read; nil if the file itself is read.
    package let copyNote: Diagnostic?
    /// How long later reads wait for another process: not again if waiting was useless.
    package let timeout: Duration

    /// - Throws: ``GranaryError``: `unreadable` if the file does not exist; `refused` if it is not a Core Data store;
    ///   `busy`.
    package init(path: String, busyTimeout: Duration) throws(GranaryError) {
        self = try converting {
            let connection = try Connection.reading(path: path, busyTimeout: busyTimeout, once: true)
            let metadata = try StoreMetadata.read(connection, try connection.schema())
            let note = Self.note(connection)
            return StoreGlance(metadata: metadata, copyNote: note, timeout: note == nil ? busyTimeout : .zero)
        }
    }

    private init(metadata: StoreMetadata, copyNote: Diagnostic?, timeout: Duration) {
        self.metadata = metadata
        self.copyNote = copyNote
        self.timeout = timeout
    }

    /// A note if a connection reads an older state than the file will have.
    static func note(_ connection: Connection) -> Diagnostic? {
        guard connection.isSnapshotOlder, let note = connection.snapshotNote else { return nil }
        return Diagnostic(.storeLayout, "\(connection.path): \(note)", severity: .note)
    }
}
