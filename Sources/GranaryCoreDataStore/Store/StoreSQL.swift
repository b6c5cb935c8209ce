import GranaryCoordination
import GranaryModel

/// The SQL statements for rows, computed once from a store's layout.
package struct StoreSQL: Sendable {
    /// A parameter of an INSERT or UPDATE or a column of a SELECT, and the part of a row that it stores.
    struct Field: Sendable {
        enum Content: UInt8, Sendable {
            case value
            /// A value after the tag byte of external storage (docs/core-data/sqlite-layout.md#external-storage),
            /// inline at any length.
            case tagged
            /// As ``tagged``, but a long value is in a file.
            case external
            case referenceKey
            case referenceEntity
            /// The name of a case of an enumeration, or NULL if the value is another case.
            case enumerationCase
        }

        /// The index of the parameter (from 1) or of the column (from 0).
        let index: Int
        let slot: Int
        let content: Content
        /// The storage classes of the values of an attribute. Values of other classes are converted.
        let form: ValueForm
        /// The index of the declared destination entity of a reference, or of a case in its enumeration.
        let destination: Int32
    }

    /// The statements that write rows of one concrete entity.
    package struct EntityPlan: Sendable {
        let table: String
        /// Parameters: key, entity number, version, then the fields.
        let insert: String
        let insertFields: [Field]
        /// The names of the columns of ``insertFields``.
        let insertColumns: [String]
        /// As ``insert``, for ``bulkRows`` rows: the parameters of each row follow those of the row before.
        let bulkInsert: String
        let bulkRows: Int
        /// Parameters: key, version, then the fields. Triggers set derived attributes.
        let update: String
        let updateFields: [Field]
        let delete: String
        /// Nil if no attribute allows external storage.
        package let external: ExternalColumns?
        let enumerations: EnumerationCases
    }

    /// The statement that reads objects of one inheritance hierarchy.
    package struct RootPlan: Sendable {
        package let table: String
        /// The names of the columns after the first three.
        let columns: [String]
        /// The columns of each entity of the hierarchy, inherited ones included.
        let fields: RowFields
        /// The index of the root entity.
        let root: Int
        /// `SELECT Z_PK, Z_ENT, Z_OPT, columns … FROM table`
        package let select: String
        /// The tables in which the statement looks up missing entity numbers of references.
        let lookedUpTables: Set<String>
    }

    package let entities: [EntityPlan]
    /// By the index of the root entity; nil for other entities.
    package let roots: [RootPlan?]

    init(schema: Schema, layout: StoreLayout) {
        var roots = [RootPlan?](repeating: nil, count: schema.entities.count)
        for table in layout.tables { roots[table.root] = Self.rootPlan(table, layout, schema: schema) }
        self.roots = roots
        let orders = layout.orderColumns
        let places = layout.tables.map { ColumnPlaces($0.columns) }
        entities = schema.entities.map { entity in
            let table = layout.tableOfEntity[entity.index]
            return Self.entityPlan(entity, layout.tables[table], places[table], orders: orders)
        }
    }

    private static func rootPlan(_ table: EntityTable, _ layout: StoreLayout, schema: Schema) -> RootPlan {
        let columns = table.columns.filter { $0.isOwnValue || $0.content == .referenceEntity }
        let places = ColumnPlaces(columns)
        let fields = schema.entities[table.root].family.map { index in
            let entity = schema.entities[index]
            return places.columns(of: entity).map { place, property in
                field(columns[place], property, of: entity, index: place + 3)
            }
        }
        var tables: Set<String> = []
        let values = columns.map { column in
            let key = places.reference(entity: column.entity, slot: column.slot).map { columns[$0].name }
            return value(of: column, key: key, in: table, layout, schema: schema, &tables)
        }
        return RootPlan(
            table: table.name, columns: columns.map(\.name),
            fields: RowFields(fields, root: table.root, schema: schema), root: table.root,
            select: "SELECT \((["Z_PK", "Z_ENT", "Z_OPT"] + values).joined(separator: ", ")) FROM \(table.name)",
            lookedUpTables: tables)
    }

    /// The SQL expression that reads a column.
    ///
    /// A column with the entity number of a reference may be NULL: a migration that adds the first subentity to the
    /// destination does not fill it. The number then comes from the destination's row.
    ///
    /// - Parameter key: the column with the key of the same reference.
    private static func value(
        of column: EntityTable.Column, key: String?, in table: EntityTable, _ layout: StoreLayout, schema: Schema,
        _ tables: inout Set<String>
    ) -> String {
        guard column.content == .referenceEntity, let key,
            let relationship = schema.entities[column.entity].relationships.first(where: { $0.slot == column.slot })
        else { return column.name }
        let destination = layout.tableName(of: relationship.destination)
        tables.insert(destination)
        return "IFNULL(\(column.name), (SELECT d.Z_ENT FROM \(destination) d WHERE d.Z_PK = "
            + "\(table.name).\(key)))"
    }

    /// The number of rows that one statement inserts. Larger numbers are hardly faster.
    private static let bulkLimit = 100
    /// SQLite allows 32,766 parameters in a statement.
    private static let parameterLimit = 30_000

    /// - Parameter orders: the order columns by table and foreign key (``StoreLayout/orderColumns``).
    private static func entityPlan(
        _ entity: Schema.Entity, _ table: EntityTable, _ places: ColumnPlaces, orders: [String: [String: String]]
    ) -> EntityPlan {
        var inserted: [String] = []
        var insertFields: [Field] = []
        var assignments = ["Z_OPT = ?2"]
        var updateFields: [Field] = []
        var external: [(slot: Int, name: String)] = []
        for (place, property) in places.columns(of: entity) {
            let column = table.columns[place]
            let field = field(column, property, of: entity, index: inserted.count + 4)
            inserted.append(column.name)
            insertFields.append(field)
            if case .attribute(let index) = property,
                entity.attributes[index].description.derivationExpression != nil
            {
                continue
            }
            if field.content == .tagged || field.content == .external { external.append((field.slot, column.name)) }
            let parameter = updateFields.count + 3
            updateFields.append(
                Field(
                    index: parameter, slot: field.slot, content: field.content, form: field.form,
                    destination: field.destination))
            assignments.append("\(column.name) = ?\(parameter)")
            // An object that joins another list has no position in it yet.
            if let order = orders[table.name]?[column.name] {
                assignments.append("\(order) = CASE WHEN \(column.name) IS ?\(parameter) THEN \(order) END")
            }
        }
        let names = (["Z_PK", "Z_ENT", "Z_OPT"] + inserted).joined(separator: ", ")
        let marks = Array(repeating: "?", count: inserted.count + 3).joined(separator: ", ")
        let insert = "INSERT OR ABORT INTO \(table.name) (\(names)) VALUES "
        let bulkRows = max(1, min(bulkLimit, parameterLimit / (inserted.count + 3)))
        return EntityPlan(
            table: table.name,
            insert: insert + "(\(marks))", insertFields: insertFields, insertColumns: inserted,
            bulkInsert: insert + Array(repeating: "(\(marks))", count: bulkRows).joined(separator: ", "),
            bulkRows: bulkRows,
            update: "UPDATE OR ABORT \(table.name) SET \(assignments.joined(separator: ", ")) WHERE Z_PK = ?1",
            updateFields: updateFields, delete: "DELETE FROM \(table.name) WHERE Z_PK = ?",
            external: ExternalColumns(table: table.name, columns: external),
            enumerations: EnumerationCases(of: entity))
    }

    /// The field of an entity's property in its column.
    private static func field(
        _ column: EntityTable.Column, _ property: Schema.Slot, of entity: Schema.Entity, index: Int
    ) -> Field {
        switch property {
        case .attribute(let place):
            if case .enumerationCase(let number) = column.content {
                return Field(
                    index: index, slot: column.slot, content: .enumerationCase, form: .text,
                    destination: Int32(truncatingIfNeeded: number))
            }
            let form: ValueForm = if case .attribute(let type) = column.content { ValueForm(type) } else { .any }
            return Field(
                index: index, slot: column.slot, content: entity.content(ofAttribute: place), form: form, destination: 0
            )
        case .relationship(let place):
            return Field(
                index: index, slot: column.slot,
                content: column.content == .referenceEntity ? .referenceEntity : .referenceKey, form: .any,
                destination: Int32(truncatingIfNeeded: entity.relationships[place].destination))
        }
    }
}

extension StoreLayout {
    /// The order column of each foreign key that has one, by table and foreign key.
    fileprivate var orderColumns: [String: [String: String]] {
        var result: [String: [String: String]] = [:]
        for case .foreignKey(let table, let column, _, let order?) in linkPlaces.values {
            result[tables[table].name, default: [:]][column] = order
        }
        return result
    }
}
