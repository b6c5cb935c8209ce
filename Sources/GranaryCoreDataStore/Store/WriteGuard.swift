import GranaryBase
import GranaryCoordination
import GranarySQLite

/// Finds tables and triggers that make a store unsafe to write.
enum WriteGuard {
    /// The prefix of the tables of CloudKit mirroring.
    private static let cloudPrefix = "ANSCK"

    /// - Parameter derivedColumns: the columns of derived attributes by table. Core Data creates triggers only for
    ///   them.
    static func problems(_ objects: [SchemaObject], derivedColumns: [String: Set<String>]) -> [Diagnostic] {
        var found: [Diagnostic] = []
        for object in objects
        where object.type == "trigger" && !DerivedTriggerShape.fits(object.sql ?? "", columns: derivedColumns) {
            found.append(
                Diagnostic(
                    .storeLayout,
                    "the trigger \"\(Diagnostic.shortened(object.name))\" is not one of Core Data's, so its effects on "
                        + "rows are unknown"))
        }
        let tables = objects.filter { $0.type == "table" }.map(\.name)
        if let table = tables.first(where: { $0.hasPrefix(cloudPrefix) }) {
            found.append(
                Diagnostic(
                    .storeLayout,
                    "the store is mirrored to CloudKit (\(Diagnostic.shortened(table))), and CloudKit would miss the changes"
                ))
        }
        return found
    }
}
