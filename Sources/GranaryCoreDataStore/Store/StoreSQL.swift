import GranaryCoordination
import GranaryModel

/// The SQL statements for rows, computed once from a store's layout.
package struct StoreSQL: Sendable {
    /// A parameter of an INSERT or UPDATE or a column of a SELECT, and the part of a row that it stores.
    struct Field: Sendable {
        enum Content: UInt8, Sendable {
            case value
            /// A value after the tag byte of external storage (sqlite-layout §8), inline at any length.
            case tagged
            /// As ``tagged``, but a long value is in a file.
            case external
            case referenceKey
            case referenceEntity
        }

        /// The index of the parameter (from 1) or of the column (from 0).
        let index: Int
        let slot: Int
        let content: Content
        /// The index of the declared destination entity of a reference.
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
    }

    /// The statement that reads objects of one inheritance hierarchy.
    package struct RootPlan: Sendable {
        package let table: String
        /// The names of the columns after the first three.
        let columns: [String]
        /// The columns of each entity of the hierarchy, inherited ones included, in the entities' order.
        let fields: [[Field]]
        /// The index of the root entity.
        let root: Int
        /// `SELECT Z_PK, Z_ENT, Z_OPT, columns … FROM table`
        package let select: String
    }

    package let entities: [EntityPlan]
    /// By the index of the root entity; nil for other entities.
    package let roots: [RootPlan?]

    init(schema: Schema, layout: StoreLayout) {
        var roots = [RootPlan?](repeating: nil, count: schema.entities.count)
        for table in layout.tables { roots[table.root] = Self.rootPlan(table, layout, schema: schema) }
        self.roots = roots
        let orders = layout.orderColumns
        entities = schema.entities.map { entity in
            Self.entityPlan(entity, layout.table(of: entity.index), orders: orders, schema: schema)
        }
    }

    private static func rootPlan(_ table: EntityTable, _ layout: StoreLayout, schema: Schema) -> RootPlan {
        let columns = table.columns.filter { $0.isOwnValue || $0.content == .referenceEntity }
        let fields = schema.entities[table.root].family.map { index in
            columns.enumerated().compactMap { place, column in
                field(column, of: schema.entities[index], index: place + 3)
            }
        }
        let values = columns.map { value(of: $0, in: table, layout, schema: schema) }
        return RootPlan(
            table: table.name, columns: columns.map(\.name), fields: fields, root: table.root,
            select: "SELECT \((["Z_PK", "Z_ENT", "Z_OPT"] + values).joined(separator: ", ")) FROM \(table.name)")
    }

    /// The SQL expression that reads a column.
    ///
    /// A column with the entity number of a reference may be NULL: a migration that adds the first subentity to the
    /// destination does not fill it. The number then comes from the destination's row.
    private static func value(
        of column: EntityTable.Column, in table: EntityTable, _ layout: StoreLayout, schema: Schema
    ) -> String {
        guard column.content == .referenceEntity,
            let key = table.columns.first(where: {
                $0.content == .reference && $0.entity == column.entity && $0.slot == column.slot
            }),
            let relationship = schema.entities[column.entity].relationships.first(where: { $0.slot == column.slot })
        else { return column.name }
        let destination = layout.tableName(of: relationship.destination)
        return "IFNULL(\(column.name), (SELECT d.Z_ENT FROM \(destination) d WHERE d.Z_PK = "
            + "\(table.name).\(key.name)))"
    }

    /// The number of rows that one statement inserts. Larger numbers are hardly faster.
    private static let bulkLimit = 100
    /// SQLite allows 32,766 parameters in a statement.
    private static let parameterLimit = 30_000

    /// - Parameter orders: the order columns by table and foreign key (``StoreLayout/orderColumns``).
    private static func entityPlan(
        _ entity: Schema.Entity, _ table: EntityTable, orders: [String: [String: String]], schema: Schema
    ) -> EntityPlan {
        var inserted: [String] = []
        var insertFields: [Field] = []
        var assignments = ["Z_OPT = ?2"]
        var updateFields: [Field] = []
        var external: [(slot: Int, name: String)] = []
        for column in table.columns {
            guard let field = field(column, of: entity, index: inserted.count + 4) else { continue }
            inserted.append(column.name)
            insertFields.append(field)
            let isDerived = entity.attributes.contains {
                $0.slot == column.slot && $0.description.derivationExpression != nil
            }
            guard !isDerived else { continue }
            if field.content == .tagged || field.content == .external { external.append((field.slot, column.name)) }
            let parameter = updateFields.count + 3
            updateFields.append(
                Field(index: parameter, slot: field.slot, content: field.content, destination: field.destination))
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
            external: ExternalColumns(table: table.name, columns: external))
    }

    /// The field that a column stores for `entity`; nil if the column belongs to another branch of the hierarchy, or to
    /// a relationship of another object.
    private static func field(_ column: EntityTable.Column, of entity: Schema.Entity, index: Int) -> Field? {
        guard let content = content(of: column, entity) else { return nil }
        let destination = entity.relationships.first { $0.slot == column.slot }?.destination ?? 0
        return Field(
            index: index, slot: column.slot, content: content, destination: Int32(truncatingIfNeeded: destination))
    }

    private static func content(of column: EntityTable.Column, _ entity: Schema.Entity) -> Field.Content? {
        // Own and inherited properties of an entity never share a slot.
        switch column.content {
        case .attribute:
            entity.attributes.firstIndex { $0.slot == column.slot && $0.owner == column.entity }
                .map { entity.content(ofAttribute: $0) }
        case .reference where entity.declares(column): .referenceKey
        case .referenceEntity where entity.declares(column): .referenceEntity
        case .reference, .referenceEntity, .order, .owner: nil
        }
    }
}

extension Schema.Entity {
    /// Whether the entity declares or inherits the relationship of a column.
    fileprivate func declares(_ column: EntityTable.Column) -> Bool {
        relationships.contains { $0.slot == column.slot && $0.owner == column.entity }
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
