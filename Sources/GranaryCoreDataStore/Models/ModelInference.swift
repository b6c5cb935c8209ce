import GranaryBase
import GranaryCoordination
import GranaryModel
import GranarySQLite

/// Reads a model off the tables of a store that carries none (frameworks 241 to 519), or none that can be used.
///
/// The rules of sqlite-layout §3 to §6 backwards. What they leave open is settled so that no value is read as something
/// that it is not: an attribute keeps what its column keeps.
///
/// - **Entities** and their inheritance are `Z_PRIMARYKEY`'s. None is abstract. The tables do not tell which entity of a
///   hierarchy has a property: all are given to the root.
/// - **Names** are the columns' in lower case: `ZSCREENNAME` is `screenname`. Where that is taken, or no name of a
///   property, another spelling with the same column is (`ZENTITY` is `Entity`), otherwise the column is left out.
/// - **Attributes** have the type that the column is declared with: INTEGER is Integer 64 (Booleans too), TIMESTAMP Date,
///   FLOAT Double, DECIMAL Decimal, VARCHAR String, BLOB Binary (UUIDs and Transformables too: the bytes as they are).
///   Other declarations stand for what SQLite makes of them. All are optional, without rules and defaults. A BLOB column
///   has external storage when all its values have a tag byte and one leads to a file.
/// - **To-one.** A column `ZNAME` beside a `Z<n>_NAME` leads to entity n. Otherwise an INTEGER column with an index on it
///   alone is one when all its values are keys of one table: of the table of its name (`ZUSER`), or of the only such
///   table whose name ends with its own (`ZTYPE`, `ZRECIPETYPE`), or of one table only, which is not its own. Without
///   values it is a number. Indexes are looked at by what they are on, not by name: migrations leave stale names.
/// - **To-many.** A column `Z<n>NAME` is one of entity n, without inverse. A column `Z_FOK_NAME` says that `ZNAME` or
///   `Z<n>NAME` has an order; the to-many behind a to-one is made up. Other to-manys of to-ones have left no trace.
/// - **Many-to-many.** A table `Z_<n>NAME` with the columns `Z_<n>OTHER` and `Z_<m>NAME` is `NAME` of entity n and
///   `OTHER` of entity m.
///
/// What of the tables has then no place in the model is a warning each.
struct ModelInference {
    /// The table of a root entity.
    struct Table {
        /// A place in ``entities``.
        let root: Int
        let name: String
    }

    /// A relationship of the model: places in ``entities`` and among the relationships there.
    struct Place {
        let entity: Int
        let index: Int
    }

    let connection: Connection
    let present: PresentTables
    let tableNames: [String]
    let numbers: EntityNumbers
    /// For each entity the place of its root.
    let roots: [Int]
    /// For each entity the place of the last one of its family.
    let lastOfFamily: [Int]

    /// By number, from the one with number 1.
    var entities: [EntityDescription]
    var tables: [Table] = []
    var tablesByName: [String: Table] = [:]
    /// The names that are taken in each hierarchy, by its root.
    var names: [Int: Set<String>] = [:]
    /// The to-ones by `TABLE.COLUMN`, and the to-manys that have a column.
    var toOnes: [String: Place] = [:]
    var toManys: [String: Place] = [:]
    /// How many comparisons of a value with a table's keys are left, for stores of any size.
    var comparisons: Int64 = 50_000_000
    /// How many rows a table has, as far as that was asked for.
    var rowCounts: [String: Int64] = [:]
    /// The least and the largest key of a table, nil without rows; as far as that was asked for.
    var keyRanges: [String: ClosedRange<Int64>?] = [:]
    /// Whether a column that is named after a table is a to-one where most of its values are keys, not all: for checks.
    var toleratesDanglingKeys = false
    /// What keeps a model from fitting at all.
    var problems: [Diagnostic] = []
    var warnings = DiagnosticCollector(limit: 1000)

    /// - Parameter numbers: without problems.
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

    /// The model; it is not checked. With ``problems`` it is of no use.
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

    /// A spelling of a property's name whose upper case is the column's and that the hierarchy does not have yet.
    mutating func takeName(_ column: String, in entity: Int) -> String? {
        let lowered = column.lowercased()
        let capitalised = lowered.prefix(1).uppercased() + lowered.dropFirst()
        for name in [lowered, capitalised, column] {
            // By bytes: names that are equal but for the form of their accents are different columns.
            guard name.uppercased().utf8.elementsEqual(column.utf8), EntityDescription.mayHaveProperty(named: name),
                names[roots[entity], default: []].insert(name).inserted
            else { continue }
            return name
        }
        return nil
    }

    /// The place of an entity by its number; nil where there is none.
    func entity(_ number: Int) -> Int? {
        // A file may say any number: the smallest one has no predecessor.
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
                    "all properties of its subentities are given to it: their table does not tell whose "
                        + "they are", severity: .warning, entity: entity.name))
        }
    }
}

extension ModelInference {
    /// What of the tables has no place in the model, a warning each; at most 1,001.
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
                    found.append(warning("the column \(Self.shown("\(name).\(column)")) is left out"))
                }
            } else if name.hasPrefix("Z") {
                found.append(warning("the table \(Self.shown(name)) is left out"))
            }
            if found.count >= 1000 {
                found.append(warning("what else is left out is not named"))
                break
            }
        }
        return found
    }

    private func warning(_ message: String) -> Diagnostic {
        Diagnostic(.storeLayout, message + ": no property of the inferred model is for it", severity: .warning)
    }

    private static func shown(_ name: String) -> String { Diagnostic.shortened(name) }
}
