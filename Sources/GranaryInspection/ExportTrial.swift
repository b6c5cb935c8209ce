import GranaryBase
import GranaryCoordination
import GranaryCoreDataStore
import GranaryModel

/// Reads a store as an export does, to find out whether an export would be refused.
enum ExportTrial {
    private static let batchSize = 512

    /// - Parameter model: the model that an export would be given; nil for the store's.
    static func works(path: String, model: ManagedObjectModel?, busyTimeout: Duration) -> Bool {
        do {
            var warnings: [Diagnostic] = []
            let store = try SQLiteStore.openForReading(
                path: path, model: model, busyTimeout: busyTimeout, warnings: &warnings)
            store.leavesFiles = true
            try store.reading {
                for entity in store.schema.entities where !entity.isAbstract { try read(entity, of: store) }
            }
            return true
        } catch {
            return false
        }
    }

    private static func read(_ entity: Schema.Entity, of store: SQLiteStore) throws {
        let attributes = entity.attributes.filter(\.isPersistent)
        let toManys = entity.relationships.filter { $0.isPersistent && $0.isToMany }
        try store.read(entities: entity.index..<entity.index + 1, batchSize: batchSize) { batch in
            for row in batch.rows.indices {
                for attribute in attributes where batch.externalFile(row: row, slot: attribute.slot) == nil {
                    try batch.withCheckedValue(
                        row: row, of: attribute, store.schema, irregular: IrregularValues(), check)
                }
            }
            let owners = batch.rows.map(\.key)
            for relationship in toManys { try store.readStoredLinks(of: relationship, owners: owners) { _ in } }
            return true
        }
    }

    /// Numbers and dates that an export writes only with an option.
    private static func check(_ value: BorrowedValue) throws {
        var text: [UInt8] = []
        let isWritable =
            switch value {
            case .double(let number): number.isFinite
            case .float(let number): number.isFinite
            case .date(let seconds): DateText.append(seconds, to: &text)
            case .null, .boolean, .integer, .decimal, .text, .uri, .uuid, .binary: true
            }
        if !isWritable { throw GranaryError(.refused, "the value needs an option") }
    }
}
