import GranaryBase
import GranaryContexts
package import GranaryCoordination
package import GranaryFormats
import GranaryModel
import GranaryPredicates
import GranaryRecords

/// A query whose rows are groups of objects: the values that the objects of a group have in common, and aggregates of
/// their other values.
package struct GroupedQuery: Sendable {
    /// An aggregate of the objects of a group: `count`, `sum:price`.
    package struct Aggregate: Sendable, Hashable {
        /// The name of the column, which is the text of the option.
        package let name: String
        fileprivate let expression: ObjectExpression
        /// The key path whose values are added; nil for other aggregates.
        fileprivate let summed: String?

        private static let functions = [
            "sum": "sum:", "avg": "average:", "min": "min:", "max": "max:", "count": "count:",
        ]
        /// The names of the functions.
        package static let names = ["count", "sum", "avg", "min", "max"]

        /// Returns nil for a text of another form than `count` and `FUNCTION:KEYPATH`.
        package init?(_ text: String) {
            name = text
            if text == "count" {
                (expression, summed) = (.keyPath("@count"), nil)
                return
            }
            let parts = text.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
            guard parts.count == 2, !parts[1].isEmpty, let function = Self.functions[parts[0]] else { return nil }
            expression = .function(function, [.keyPath(parts[1])])
            summed = parts[0] == "sum" || parts[0] == "avg" ? parts[1] : nil
        }
    }

    /// The key paths by which objects are grouped; empty for one group of all objects.
    package var keys: [String]
    package var aggregates: [Aggregate]

    package init(keys: [String], aggregates: [Aggregate]) {
        self.keys = keys
        self.aggregates = aggregates
    }
}

/// The rows of a ``GroupedQuery``.
package struct GroupedRows: Sendable {
    private let entity: String
    private let names: [String]
    private let rows: [FetchedRow]
    private let schema: Schema

    fileprivate init(_ entity: String, _ query: GroupedQuery, _ rows: [FetchedRow], _ schema: Schema) {
        self.entity = entity
        names = query.keys + query.aggregates.map(\.name)
        self.rows = rows
        self.schema = schema
    }

    /// Writes one row for each group, and returns their number.
    ///
    /// - Throws: the errors of the writer.
    package func write(into writer: some ValueWriter) throws -> Int {
        try writer.beginTable(entity: entity, columns: names)
        for row in rows {
            try writer.beginRow()
            for (column, value) in row.values.enumerated() {
                switch value {
                case .attribute(let value?): try value.withBorrowed { try writer.write($0, column: column) }
                case .object(let id?):
                    let name = schema.objectName(entity: id.entity, key: id.key ?? 0)
                    try AttributeValue.string(name).withBorrowed { try writer.write($0, column: column) }
                case .attribute(nil), .object(nil), .objects: try writer.write(.null, column: column)
                }
            }
            try writer.endRow()
        }
        try writer.endTable()
        try writer.finish(model: nil)
        return rows.count
    }

    fileprivate var hasDates: Bool {
        rows.contains { $0.values.contains { if case .attribute(.date?) = $0 { true } else { false } } }
    }
}

extension Exporter {
    /// The groups of the objects of an entity and its subentities that satisfy ``ExportOptions/predicate``. They are
    /// sorted by their keys unless the options sort them. Memory grows with the number of groups.
    ///
    /// - Parameter store: the store, which the caller must not use any more.
    /// - Throws: ``GranaryError`` with code `usage` for a key or aggregate that does not fit the entity, and `refused`
    ///   for a sum of integers or Decimals with more than 38 digits.
    package func groups(
        of store: sending any StoreBackend, entity: String, _ query: GroupedQuery
    ) throws -> GroupedRows {
        let schema = store.schema
        guard let described = schema.entity(named: entity) else { throw schema.unknownEntity(entity) }
        var request = FetchRequest(entity, where: options.predicate)
        request.propertiesToFetch =
            query.keys.map(FetchColumn.property)
            + query.aggregates.map { .expression(ExpressionDescription($0.name, $0.expression)) }
        request.propertiesToGroupBy = query.keys
        request.sortDescriptors =
            options.sortDescriptors.isEmpty ? query.keys.map { ObjectSortDescriptor($0) } : options.sortDescriptors
        request.fetchOffset = options.offset
        if let limit = options.limit { request.fetchLimit = limit }
        let context = try PersistentContainer(store: store).makeContext()
        let found = try context.fetchDictionaries(request)
        for row in found {
            for (column, value) in row.values.enumerated() { try check(value, column, query, described, schema) }
        }
        let rows = GroupedRows(entity, query, options.limit == 0 ? [] : found, schema)
        if rows.hasDates, let texts = try ValueTexts(options.form, rounded: nil) { try texts.checkZone() }
        return rows
    }

    /// A sum of exact numbers is a double only if it has too many digits.
    private func check(
        _ value: PropertyValue, _ column: Int, _ query: GroupedQuery, _ entity: Schema.Entity, _ schema: Schema
    ) throws(GranaryError) {
        let index = column - query.keys.count
        guard query.aggregates.indices.contains(index), let path = query.aggregates[index].summed,
            case .attribute(.double?) = value, let type = Self.type(of: path, entity, schema),
            type == .decimal || type.integerRange != nil, query.aggregates[index].name.hasPrefix("sum:")
        else { return }
        throw GranaryError(
            Diagnostic(
                .valuePrecision, "the sum of \(path) has more than 38 digits", entity: entity.name, property: path))
    }

    /// The type of the attribute at the end of a key path; nil for anything else.
    private static func type(of path: String, _ entity: Schema.Entity, _ schema: Schema) -> AttributeType? {
        var entity = entity
        var names = path.split(separator: ".").map(String.init)[...]
        while let name = names.first, let relationship = entity.relationship(named: name) {
            entity = schema.entities[relationship.destination]
            names.removeFirst()
        }
        return entity.attribute(named: names.joined(separator: "."))?.type
    }
}
