import GranaryBase
import GranaryCoordination
import GranarySQLite

extension RunRevert {
    /// Removes the run from the ledger. If nothing else in the metadata has changed, the bytes from before the run are
    /// restored.
    func revertMetadata() throws {
        let objects = try connection.schema()
        let current = try StoreMetadata.read(connection, objects)
        let wanted = current.removing(run: folder.run)
        if let before = try metadataBefore(),
            let old = try? StoreMetadata(identifier: current.identifier, propertyList: before, path: storePath),
            old.entries == wanted.entries
        {
            try connection.withStatement("UPDATE Z_METADATA SET Z_PLIST = ? WHERE Z_VERSION = 1") { statement in
                try statement.bind(blob: before, at: 1)
                try statement.run()
            }
        } else if wanted.entries != current.entries {
            try wanted.write(to: connection, objects)
        }
    }

    /// The property list from before the run; nil if the run did not change it.
    private func metadataBefore() throws -> [UInt8]? {
        guard let table = tables.first(where: { $0.name == Self.metadataTable }),
            let list = table.columns.firstIndex(of: "Z_PLIST")
        else { return nil }
        return try images.withRows(of: table) { row in
            while try row.step() {
                // `Z_VERSION` is the rowid.
                guard row.integer(at: 0) == 1, row.type(at: list + 3) == .blob else { continue }
                return Array(try row.blob(at: list + 3))
            }
            return nil
        }
    }
}
