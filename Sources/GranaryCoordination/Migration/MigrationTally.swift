import GranaryBase
import GranaryModel

/// The number of objects that a migration keeps, changes and drops.
package struct MigrationTally: Sendable {
    /// By index in the newer version: the objects that were kept, including changed ones.
    package internal(set) var kept: [Int]
    /// By index in the newer version: the kept objects of which a value was converted, filled in or dropped, or a
    /// reference was dropped.
    package internal(set) var changed: [Int]
    /// By index in the older version.
    package internal(set) var dropped: [Int]
    /// By index in the newer version: the objects with another primary key, because their hierarchy was joined with
    /// another one.
    package internal(set) var renumbered: [Int]
    /// The values that the copy could not compute.
    package internal(set) var reported = ReportedValues()

    init(old: Int, new: Int) {
        kept = Array(repeating: 0, count: new)
        changed = kept
        renumbered = kept
        dropped = Array(repeating: 0, count: old)
    }

    /// Checks that a migrated store has all objects.
    ///
    /// - Parameter name: the store in the message.
    /// - Throws: ``GranaryError`` with code `internalDefect` if it has not.
    package func checkCounts(of store: any StoreBackend, _ name: String) throws {
        for entity in store.schema.entities where !entity.isAbstract {
            let count = try store.count(entity: entity.index)
            guard count != kept[entity.index] else { continue }
            throw GranaryError(
                .internalDefect,
                "\(name): the migrated store has \(count) objects of \(entity.name), not \(kept[entity.index]); nothing was "
                    + "changed")
        }
    }
}
