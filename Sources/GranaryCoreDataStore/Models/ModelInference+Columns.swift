import GranaryBase
import GranaryCoordination
import GranaryModel
import GranarySQLite

extension ModelInference {
    /// Columns that belong to relationships of other tables.
    struct NumberedColumns {
        let table: Table
        /// The columns `Z<n>NAME`, with the number and the name.
        var owners: [(column: String, number: Int, name: String)] = []
        /// The columns `Z_FOK_…`.
        var orders: [String] = []
    }

    /// Adds the attributes and to-one relationships of a table's columns. Returns the columns of other relationships.
    mutating func addColumns(of table: Table) throws -> NumberedColumns {
        let columns = (present[table.name] ?? []).filter { !ColumnName.system.contains($0) }
        let known = Set(columns)
        var later = NumberedColumns(table: table)
        var own: [String] = []
        var entityNumbers: [String: Int] = [:]
        for column in columns {
            if ColumnName.rest(ColumnName.orderPrefix, column) != nil {
                later.orders.append(column)
            } else if let (number, rest) = ColumnName.numbered("Z", column) {
                let key = "Z" + rest.dropFirst()
                if rest.hasPrefix("_"), known.contains(key) {
                    entityNumbers[key] = number
                } else {
                    later.owners.append((column, number, rest))
                }
            } else {
                own.append(column)
            }
        }
        let indexed = try indexedColumns(of: table.name)
        for column in own {
            guard let upper = ColumnName.rest("Z", column) else { continue }
            if let destination = try destination(
                of: column, in: table, entityNumber: entityNumbers[column], isIndexed: indexed.contains(column))
            {
                addToOne(upper, column, destination, table)
            } else {
                try addAttribute(upper, column, table)
            }
        }
        return later
    }

    private mutating func addToOne(_ upper: String, _ column: String, _ destination: Int, _ table: Table) {
        guard let name = takeName(upper, in: table.root) else { return }
        var relationship = RelationshipDescription(name: name, destination: entities[destination].name)
        relationship.isOptional = true
        relationship.notes[ManagedObjectModel.inferredNote] = "yes"
        toOnes["\(table.name).\(column)"] = add(relationship, to: table.root)
    }

    private mutating func addAttribute(_ upper: String, _ column: String, _ table: Table) throws {
        let declared = present.type(of: column, in: table.name) ?? ""
        let (type, isKnown) = Self.attributeType(declaredAs: declared)
        guard let name = takeName(upper, in: table.root) else { return }
        var attribute = AttributeDescription(name: name, type: type)
        attribute.isOptional = true
        if type == .binary { attribute.allowsExternalBinaryDataStorage = try isExternal(column, table) }
        if !isKnown {
            let shown = declared.isEmpty ? "without a type" : "as \(Diagnostic.shortened(declared))"
            warn(
                "the column \(Diagnostic.shortened("\(table.name).\(column)")) is declared \(shown), which Core Data "
                    + "does not do; it is read as \(type.phrase)")
        }
        entities[table.root].attributes.append(attribute)
    }

    /// The attribute type for a declared type (docs/core-data/sqlite-layout.md#declared-types-and-stored-values), and
    /// whether Core Data uses that declaration.
    static func attributeType(declaredAs declared: String) -> (AttributeType, isKnown: Bool) {
        switch declared.uppercased() {
        case "INTEGER": (.integer64, true)
        case "TIMESTAMP": (.date, true)
        case "FLOAT": (.double, true)
        case "DECIMAL": (.decimal, true)
        case "VARCHAR": (.string, true)
        case "BLOB": (.binary, true)
        default:
            switch LayoutCheck.affinity(of: declared) {
            case "INTEGER": (.integer64, false)
            case "TEXT": (.string, false)
            case "REAL": (.double, false)
            case "NUMERIC": (.decimal, false)
            default: (.binary, false)
            }
        }
    }

    /// Whether every value has a tag byte and at least one refers to a file
    /// (docs/core-data/sqlite-layout.md#external-storage). If none refers to a file, the first bytes may belong to the
    /// values.
    private func isExternal(_ column: String, _ table: Table) throws -> Bool {
        let column = SQL.quoteIdentifier(column)
        let rows = "FROM \(SQL.quoteIdentifier(table.name)) WHERE"
        // The length is compared first: SQLite gets it without reading the value.
        let leadsToFile =
            "typeof(\(column)) = 'blob' AND length(\(column)) = 38 AND substr(\(column), 1, 1) = x'02' "
            + "AND substr(\(column), 38, 1) = x'00'"
        guard try connection.integer("SELECT 1 \(rows) \(leadsToFile) LIMIT 1") != nil else { return false }
        let hasNoTag =
            "\(column) IS NOT NULL AND (typeof(\(column)) <> 'blob' OR length(\(column)) = 0 "
            + "OR substr(\(column), 1, 1) NOT IN (x'01', x'02'))"
        return try connection.integer("SELECT 1 \(rows) \(hasNoTag) LIMIT 1") == nil
    }

    /// Adds a relationship to an entity, and returns its place.
    /// Adds a relationship to an entity, and returns its place.
    mutating func add(_ relationship: RelationshipDescription, to entity: Int) -> Place {
        entities[entity].relationships.append(relationship)
        return Place(entity: entity, index: entities[entity].relationships.count - 1)
    }
}
