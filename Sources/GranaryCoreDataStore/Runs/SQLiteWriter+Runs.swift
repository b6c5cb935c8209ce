import GranaryBase
import GranaryCoordination
import GranarySQLite

extension SQLiteWriter {
    func importLedger() throws -> ImportLedger {
        try StoreMetadata.read(connection, try connection.schema()).importLedger
    }

    /// Writes upon what the metadata hold now: another process may have written them since the store was opened.
    func recordRun(_ run: ImportRun) throws {
        let objects = try connection.schema()
        guard let changed = try StoreMetadata.read(connection, objects).adding(run) else { return }
        try changed.write(to: connection, objects)
        store.pendingMetadata = changed
    }
}
