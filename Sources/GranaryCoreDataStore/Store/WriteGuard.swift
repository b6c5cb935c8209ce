import GranaryBase
import GranaryCoordination
import GranarySQLite

/// What in a store's schema keeps Granary from writing it.
enum WriteGuard {
    /// CloudKit mirroring.
    private static let cloudPrefix = "ANSCK"

    /// - Parameter derivedColumns: the derived attributes' columns by table: their triggers are the only ones that Core
    ///   Data makes for a model.
    static func problems(_ objects: [SchemaObject], derivedColumns: [String: Set<String>]) -> [Diagnostic] {
        var found: [Diagnostic] = []
        for object in objects
        where object.type == "trigger" && !DerivedTriggerShape.fits(object.sql ?? "", columns: derivedColumns) {
            found.append(
                Diagnostic(
                    .storeLayout,
                    "the trigger \"\(Diagnostic.shortened(object.name))\" is not Core Data's; nobody knows what it would "
                        + "do to the rows"))
        }
        let tables = objects.filter { $0.type == "table" }.map(\.name)
        if let table = tables.first(where: { $0.hasPrefix(cloudPrefix) }) {
            found.append(
                Diagnostic(
                    .storeLayout,
                    "it is mirrored to CloudKit (\(Diagnostic.shortened(table))); CloudKit would miss the changes"))
        }
        return found
    }
}
