import GranaryBase
import GranaryModel
import GranarySQLite

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Darwin)
    import Darwin
#endif

/// Looks for the files that a store's external data lies in.
struct ExternalFileCheck {
    let store: SQLiteStore

    /// Tells what is missing, and gives back the entities, as indexes, that miss something.
    func run(_ collector: inout DiagnosticCollector) throws -> Set<Int> {
        var incomplete: Set<Int> = []
        for entity in store.schema.entities where !entity.isAbstract {
            guard let external = store.sql.entities[entity.index].external else { continue }
            for (slot, column) in zip(external.slots, external.names) {
                let property = entity.attributes.first { $0.slot == slot }?.name
                let statement = try store.connection.prepare(
                    "SELECT Z_PK, \(column) FROM \(external.table) WHERE Z_ENT = \(entity.index + 1) "
                        + "AND \(ExternalData.leadsToFile(column)) ORDER BY Z_PK")
                while try statement.step() {
                    // A name that is none is told where the value is read.
                    guard let name = ExternalData.fileName(in: try statement.blob(at: 1)) else { continue }
                    let file = ExternalData.file(name, ofStore: store.path)
                    guard access(file, R_OK) != 0 else { continue }
                    incomplete.insert(entity.index)
                    let reason = errnoText()
                    collector.add(
                        Diagnostic(
                            .storeCorrupt,
                            "p\(statement.integer(at: 0)): its external data cannot be read: \(file): \(reason)",
                            entity: entity.name, property: property))
                }
            }
        }
        return incomplete
    }
}
