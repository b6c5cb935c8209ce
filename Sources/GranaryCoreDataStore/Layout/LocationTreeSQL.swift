package import GranaryBase
import GranaryCoordination
package import GranaryModel

/// The R-trees over two coordinates, with their triggers.
///
/// The model asks for one with the user info of a transient attribute (26 of 26 stores of Photos, frameworks 973 to
/// 1522). The exact blanks are Core Data's.
package struct LocationTreeSQL {
    /// The key of the user info. Its value names two attributes, as text joined by a comma or as an array.
    package static let key = "_NSLocationAttributeDerivedComponents"

    /// The R-tree of one attribute.
    package struct Tree {
        package let name: String
        /// The entity table whose rows it indexes.
        package let table: String
        package let tableSQL: String
        /// The statements of the three triggers, with their names.
        package let triggers: [(name: String, sql: String)]

        /// The tables in which SQLite keeps the nodes of an R-tree.
        package var shadowTables: [String] { PresentTables.shadowSuffixes.map { name + $0 } }
    }

    package private(set) var trees: [Tree] = []
    /// Warnings about attributes whose R-tree is not created, with the reasons.
    package private(set) var omissions: [Diagnostic] = []

    package init(schema: Schema, layout: StoreLayout) {
        var names = UniqueNames(
            taken: StoreLayout.bookkeepingTables + layout.tables.map(\.name) + layout.joinTables.map(\.name))
        for entity in schema.entities {
            for attribute in entity.attributes where attribute.owner == entity.index {
                guard let value = attribute.description.userInfo[Self.key] else { continue }
                guard attribute.description.isTransient, let columns = Self.columns(value, entity, layout) else {
                    omissions.append(
                        Diagnostic(
                            .storeLayout,
                            "the R-tree of its user info (\(Self.key)) is not created: this needs a transient attribute "
                                + "and the names of two stored Double attributes", severity: .warning,
                            entity: entity.name, property: attribute.name))
                    continue
                }
                let name = names.take("Z_RT_\(entity.name)_\(attribute.name)")
                trees.append(Self.tree(name, on: layout.tableName(of: entity.index), columns))
            }
        }
    }

    var statements: [String] { trees.flatMap { [$0.tableSQL] + $0.triggers.map(\.sql) } }

    private static func columns(
        _ value: UserInfoValue, _ entity: Schema.Entity, _ layout: StoreLayout
    ) -> (first: String, second: String)? {
        let names: [String]
        switch value {
        case .string(let text):
            names = text.split(separator: ",").map { String($0.drop { $0 == " " }.prefix { $0 != " " }) }
        case .array(let values): names = values.compactMap(\.string)
        default: return nil
        }
        let columns = names.compactMap { name -> String? in
            guard let attribute = entity.attribute(named: name), attribute.isPersistent, attribute.type == .double
            else {
                return nil
            }
            return layout.column(of: attribute)
        }
        guard names.count == 2, columns.count == 2 else { return nil }
        return (columns[0], columns[1])
    }

    private static func tree(_ name: String, on table: String, _ columns: (first: String, second: String)) -> Tree {
        let (a, b) = columns
        let fields = "Z_PK, \(a)_MIN, \(a)_MAX, \(b)_MIN, \(b)_MAX"
        let values = "VALUES (NEW.Z_PK, NEW.\(a) ,NEW.\(a), NEW.\(b), NEW.\(b))"
        func trigger(_ event: String, _ body: String) -> (name: String, sql: String) {
            let trigger = "\(name)_\(event)"
            return (trigger, "CREATE TRIGGER \(trigger) AFTER \(event) ON \(table) FOR EACH ROW BEGIN \(body) ; END")
        }
        return Tree(
            name: name, table: table,
            tableSQL: "CREATE VIRTUAL TABLE \(name) USING RTREE (Z_PK INTEGER PRIMARY KEY, "
                + "\(a)_MIN FLOAT, \(a)_MAX FLOAT, \(b)_MIN FLOAT, \(b)_MAX FLOAT)",
            triggers: [
                trigger("INSERT", "INSERT OR REPLACE INTO \(name) (\(fields)) \(values)"),
                trigger(
                    "UPDATE", "DELETE FROM \(name) WHERE Z_PK = NEW.Z_PK ; INSERT INTO \(name) (\(fields)) \(values)"),
                trigger("DELETE", "DELETE FROM \(name) WHERE Z_PK = OLD.Z_PK"),
            ])
    }
}
