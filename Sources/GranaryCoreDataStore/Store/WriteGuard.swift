import GranaryBase
import GranaryCoordination
import GranaryModel
import GranarySQLite

/// Finds tables and triggers that make a store unsafe to write.
enum WriteGuard {
    /// The prefix of the tables of CloudKit mirroring.
    private static let cloudPrefix = "ANSCK"

    static func problems(_ objects: [SchemaObject], schema: Schema, layout: StoreLayout) -> [Diagnostic] {
        var found: [Diagnostic] = []
        let known = KnownTriggers(schema: schema, layout: layout)
        for object in objects where object.type == "trigger" && !known.contains(object) {
            found.append(
                Diagnostic(
                    .storeLayout,
                    "the trigger \"\(Diagnostic.shortened(object.name))\" is not one of Core Data's, so its effects on "
                        + "rows are unknown"))
        }
        let triggers = Set(objects.filter { $0.type == "trigger" }.map(\.name))
        let trees = Set(objects.filter(\.isRTree).map(\.name))
        for tree in known.trees {
            let isPresent = trees.contains(tree.name)
            let count = tree.triggers.count { triggers.contains($0.name) }
            // A store without both has a model with a new index that no migration created.
            guard isPresent ? count < tree.triggers.count : count > 0 else { continue }
            let name = "the R-tree \(Diagnostic.shortened(tree.name))"
            found.append(
                Diagnostic(
                    .storeLayout,
                    isPresent
                        ? "\(name) has no triggers, as after a migration, so written rows would be missing in it"
                        : "\(name) is missing but its triggers exist, so that no row can be written"))
        }
        for trigger in known.countTriggers where !triggers.contains(trigger.name) {
            found.append(
                Diagnostic(
                    .storeLayout,
                    "the trigger \(Diagnostic.shortened(trigger.name)), which updates an attribute with a trigger key, "
                        + "is missing, so written rows would leave its values outdated"))
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
