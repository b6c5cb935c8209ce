import GranaryBase
import GranaryCoordination
import GranaryModel
import GranarySQLite

/// Infers a model from the tables of a store that contains no usable model (frameworks 241 to 519 store none).
///
/// This applies the rules of docs/core-data/sqlite-layout.md in reverse. Where they are ambiguous, the values are read
/// as their columns store them.
///
/// - **Entities** and their inheritance come from `Z_PRIMARYKEY`. None is abstract. The tables do not show which entity
///   of a hierarchy declares a property, so the root declares all.
/// - **Names** are the columns' names in lower case: `ZSCREENNAME` gives `screenname`. If that name is taken or not
///   allowed, another spelling with the same column name is used (`Entity` for `ZENTITY`). If there is none, the column
///   is left out.
/// - **Attributes** have the type of the column's declaration: INTEGER is Integer 64 (Booleans too), TIMESTAMP Date,
///   FLOAT Double, DECIMAL Decimal, VARCHAR String, BLOB Binary (UUIDs and Transformables too, as unchanged bytes). For
///   other declarations, SQLite's type affinity decides. All are optional, without validation rules and defaults. A
///   BLOB column has external storage if all values have a tag byte and at least one refers to a file.
/// - **To-one.** A column `ZNAME` with a companion `Z<n>_NAME` refers to entity n. Otherwise an INTEGER column with an
///   index on that column only is a to-one if all its values are keys of one table: the table with its name (`ZUSER`);
///   the only such table whose name ends with the column's name (`ZTYPE`, `ZRECIPETYPE`); or the only such table,
///   unless it is the column's own. A column without values is a number. The names of indexes are ignored, because
///   migrations leave outdated names.
/// - **To-many.** A column `Z<n>NAME` is a to-many of entity n without an inverse. A column `Z_FOK_NAME` is the order
///   of `ZNAME` or `Z<n>NAME`; for a to-one, an ordered inverse with a made-up name is added. Other inverses of to-ones
///   cannot be inferred.
/// - **Many-to-many.** A table `Z_<n>NAME` with the columns `Z_<n>OTHER` and `Z_<m>NAME` gives `NAME` of entity n and
///   `OTHER` of entity m.
///
/// Each column and table that has no place in the model gives a warning.
struct ModelInference {
    /// The table of a root entity.
    struct Table {
        /// The index of the root in ``entities``.
        let root: Int
        let name: String
    }

    /// The place of a relationship: the index of its entity in ``entities``, and its index in that entity.
    struct Place {
        let entity: Int
        let index: Int
    }

    let connection: Connection
    let present: PresentTables
    let tableNames: [String]
    let numbers: EntityNumbers
    /// The index of each entity's root.
    let roots: [Int]
    /// The index of the last entity of each entity's family.
    let lastOfFamily: [Int]

    /// The entities in the order of their numbers, which begin at 1.
    var entities: [EntityDescription]
    var tables: [Table] = []
    var tablesByName: [String: Table] = [:]
    /// The property names in use, by the root of the hierarchy.
    var names: [Int: Set<String>] = [:]
    /// The to-one relationships by `TABLE.COLUMN`.
    var toOnes: [String: Place] = [:]
    /// The to-many relationships with a column, by `TABLE.COLUMN`.
    var toManys: [String: Place] = [:]
    /// The number of further comparisons of values with keys. It limits the time for large stores.
    var comparisons: Int64 = 50_000_000
    /// The cached numbers of rows by table.
    var rowCounts: [String: Int64] = [:]
    /// The cached least and largest keys by table; nil for a table without rows.
    var keyRanges: [String: ClosedRange<Int64>?] = [:]
    /// Whether a column with the name of a table is a to-one if only most of its values are keys. Store checks set
    /// this.
    var toleratesDanglingKeys = false
    /// The reasons why no model can be inferred.
    var problems: [Diagnostic] = []
    var warnings = DiagnosticCollector(limit: 1000)

    /// - Parameter numbers: entity numbers without ``EntityNumbers/problems()``.
    init(connection: Connection, present: PresentTables, tableNames: [String], numbers: EntityNumbers) {
        self.connection = connection
        self.present = present
        self.tableNames = tableNames
        self.numbers = numbers
        roots = numbers.roots()
        lastOfFamily = numbers.lastOfFamilies()
        entities = numbers.rows.map { row in
            var entity = EntityDescription(name: row.name)
            entity.notes[ManagedObjectModel.inferredNote] = "yes"
            return entity
        }
        for (index, row) in numbers.rows.enumerated() where row.parent > 0 {
            entities[index].superentityName = entities[row.parent - 1].name
        }
    }

    /// Infers the model, without checking it. The result is not valid if ``problems`` is not empty.
    mutating func run() throws -> ManagedObjectModel {
        for index in entities.indices where roots[index] == index {
            let name = "Z" + entities[index].name.uppercased()
            if present[name] == nil {
                problems.append(
                    Diagnostic(
                        .storeLayout, "the table \(Diagnostic.shortened(name)) is missing",
                        entity: Diagnostic.shortened(entities[index].name)))
            }
            let table = Table(root: index, name: name)
            tables.append(table)
            tablesByName[name] = table
        }
        guard problems.isEmpty else { return ManagedObjectModel() }
        var later: [NumberedColumns] = []
        for table in tables { later.append(try addColumns(of: table)) }
        for columns in later { addOwners(columns) }
        for columns in later { addOrders(columns) }
        for name in tableNames { addJoinTable(name) }
        warnOfHierarchies()
        var model = ManagedObjectModel(entities: entities)
        model.notes[ManagedObjectModel.inferredNote] = "yes"
        return model
    }

    /// Returns an unused property name whose upper case is the column's name, and marks it as used; nil if there is
    /// none.
    mutating func takeName(_ column: String, in entity: Int) -> String? {
        let lowered = column.lowercased()
        let capitalised = lowered.prefix(1).uppercased() + lowered.dropFirst()
        for name in [lowered, capitalised, column] {
            // By bytes: names that differ only in Unicode normalisation are different columns.
            guard name.uppercased().utf8.elementsEqual(column.utf8), EntityDescription.mayHaveProperty(named: name),
                names[roots[entity], default: []].insert(name).inserted
            else { continue }
            return name
        }
        return nil
    }

    /// The index of the entity with a number; nil if there is none.
    func entity(_ number: Int) -> Int? {
        // A damaged file may contain any number: subtracting 1 from the smallest one would overflow.
        number >= 1 && number <= entities.count ? number - 1 : nil
    }

    func hasSubentities(_ entity: Int) -> Bool { lastOfFamily[entity] > entity }

    mutating func warn(_ message: String) {
        warnings.add(Diagnostic(.storeLayout, message, severity: .warning))
    }

    private mutating func warnOfHierarchies() {
        for table in tables where hasSubentities(table.root) {
            let entity = entities[table.root]
            guard !entity.attributes.isEmpty || !entity.relationships.isEmpty else { continue }
            warnings.add(
                Diagnostic(
                    .storeLayout,
                    "it gets all properties of its subentities, because the table does not show which entity "
                        + "declares them", severity: .warning, entity: entity.name))
        }
    }
}

extension ModelInference {
    /// Warnings about the columns and tables that have no place in the model. At most 1,001.
    func leftovers(_ layout: StoreLayout) -> [Diagnostic] {
        var used: [String: Set<String>] = [:]
        for table in layout.tables { used[table.name] = ColumnName.system.union(table.columns.map(\.name)) }
        for join in layout.joinTables {
            used[join.name] = Set([join.firstColumn, join.secondColumn] + join.orderColumns)
        }
        var found: [Diagnostic] = []
        for name in tableNames {
            guard let columns = present[name], !StoreLayout.bookkeepingTables.contains(name) else { continue }
            if let used = used[name] {
                let rest = columns.filter { !used.contains($0) }
                for column in rest {
                    found.append(warning("the column \(Diagnostic.shortened("\(name).\(column)")) is left out"))
                }
            } else if name.hasPrefix("Z") {
                found.append(warning("the table \(Diagnostic.shortened(name)) is left out"))
            }
            if found.count >= 1000 {
                found.append(warning("more columns and tables are left out"))
                break
            }
        }
        return found
    }

    private func warning(_ message: String) -> Diagnostic {
        Diagnostic(.storeLayout, message + ": it has no place in the inferred model", severity: .warning)
    }
}
