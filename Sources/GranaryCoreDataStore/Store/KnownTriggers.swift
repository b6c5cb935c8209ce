import GranaryBase
import GranaryCoordination
package import GranaryModel
package import GranarySQLite

/// The triggers that Core Data creates for a model, whose effects on rows are known.
package struct KnownTriggers {
    /// The beginnings of the names of Core Data's triggers.
    package static let namePrefixes = DerivedTriggerShape.prefixes + ["Z_RT_"]

    /// The R-trees of the model.
    package let trees: [LocationTreeSQL.Tree]
    /// The triggers of attributes with a trigger key.
    let countTriggers: [TriggerKeySQL.Trigger]
    /// The columns that triggers set, by table.
    private let columns: [String: Set<String>]
    /// The triggers of the R-trees. Their text is the same in all frameworks.
    private let treeTriggers: Set<String>

    package init(schema: Schema, layout: StoreLayout) {
        trees = LocationTreeSQL(schema: schema, layout: layout).trees
        countTriggers = TriggerKeySQL(schema: schema, layout: layout).triggers
        columns = layout.derivedColumns(of: schema)
        treeTriggers = Set(trees.flatMap { $0.triggers.map(\.sql.plainSQL) })
    }

    package func contains(_ trigger: SchemaObject) -> Bool {
        treeTriggers.contains(trigger.plainSQL) || DerivedTriggerShape.fits(trigger.sql ?? "", columns: columns)
    }

    /// Whether triggers may write to the R-trees of a store: all its virtual tables are R-trees of the model, and all
    /// its triggers are known.
    func mayWriteTrees(_ objects: [SchemaObject]) -> Bool {
        let tables = Set(trees.map(\.tableSQL.plainSQL))
        return objects.allSatisfy { object in
            object.isVirtual ? tables.contains(object.plainSQL) : object.type != "trigger" || contains(object)
        }
    }
}
