import GranaryBase
import GranaryCoordination
import GranaryModel
import GranaryPredicates

/// Executes a request for dictionaries on the stores.
struct FetchTable {
    private let request: FetchRequest<ManagedObject>
    private let search: FetchSearch
    private let layout: FetchColumns
    /// The condition on groups, with groups as variables.
    private let having: ObjectPredicate?
    private let resolver: PredicateResolver

    /// - Throws: as ``FetchSearch/init(_:context:)`` and ``FetchColumns/init(_:entity:schema:)``.
    init(_ request: FetchRequest<ManagedObject>, context: ManagedObjectContext) throws {
        self.request = request
        let schema = context.persistentStoreCoordinator.schema
        let entity = try context.persistentStoreCoordinator.entity(named: request.entityName ?? "")
        let layout = try FetchColumns(request, entity: entity, schema: schema)
        self.layout = layout
        resolver = PredicateResolver(schema: schema, entity: entity)
        having = try request.havingPredicate.map { try layout.condition($0) }
        var stored = request
        stored.includesPendingChanges = false
        // The keys of groups are columns, which are sorted here.
        if layout.isGrouped { stored.sortDescriptors = [] }
        search = try FetchSearch(stored, context: context)
        try search.checkIsStored(
            layout.columns.map(\.expression) + layout.groups.map(\.expression)
                + layout.aggregates.compactMap(\.argument))
    }

    func rows() throws -> [FetchedRow] {
        if let rows = try storedRows() { return rows }
        let values = try layout.isGrouped ? groupedRows() : plainRows()
        let rows = FetchedRows(names: layout.columns.map(\.name), values: values.flatMap { $0 })
        return values.indices.map { FetchedRow(rows, $0) }
    }

    // MARK: - A row for each object, of its own values

    /// The rows, if they have only values of the objects themselves and one store has them all; nil otherwise.
    private func storedRows() throws -> [FetchedRow]? {
        guard !layout.isGrouped, !request.returnsDistinctResults, search.stores.count <= 1,
            let columns = StoredColumns(
                layout.columns, entities: search.entities, schema: search.context.persistentStoreCoordinator.schema)
        else { return nil }
        guard let store = search.stores.first else { return [] }
        let names = layout.columns.map(\.name)
        let limit = request.fetchLimit > 0 ? request.fetchLimit : nil
        let stored = search.search(order: request.sortDescriptors, limit: limit, offset: max(0, request.fetchOffset))
        let found: [FetchedRow]? = try search.context.reading(store) { attached in
            var found: [FetchedRow] = []
            var isComplete = true
            try attached.search(stored, batchSize: 500) { batch in
                guard let cells = try columns.cells(of: batch, store.identity) else {
                    isComplete = false
                    return false
                }
                let rows = FetchedRows(names: names, cells: cells)
                for row in batch.rows.indices { found.append(FetchedRow(rows, row)) }
                return true
            }
            return isComplete ? found : nil
        }
        return found
    }

    // MARK: - A row for each object

    private func plainRows() throws -> [[PropertyValue]] {
        let order = request.sortDescriptors
        let isDistinct = request.returnsDistinctResults
        let isSingle = search.stores.count <= 1
        // The store applies the window if each of its rows is one of the result.
        let isWindowed = isSingle && !isDistinct
        let whole = isDistinct ? nil : request.wanted
        let limit = isWindowed && request.fetchLimit > 0 ? request.fetchLimit : whole
        let keys: [ObjectExpression] = isSingle ? [] : order.map { .keyPath($0.keyPath) }
        let expressions = layout.columns.map(\.expression) + keys
        var found: [(values: [PropertyValue], keys: [AttributeValue?])] = []
        var seen: Set<[PropertyValue]> = []
        for store in search.stores {
            let stored = search.search(
                order: order, limit: limit, offset: isWindowed ? max(0, request.fetchOffset) : 0)
            try search.context.reading(store) { attached in
                try attached.values(of: expressions, stored) { operands in
                    let values = try row(operands, store.identity)
                    if isDistinct, !seen.insert(values).inserted { return true }
                    found.append((values, operands.suffix(keys.count).map { $0.flatMap(\.attribute) }))
                    return isWindowed || !(isSingle || order.isEmpty) || found.count != request.wanted
                }
            }
            if order.isEmpty, !isWindowed, found.count == request.wanted { break }
        }
        if isWindowed { return found.map(\.values) }
        guard !isSingle, !order.isEmpty else { return request.window(found.map(\.values)) }
        let comparison = SortOrder(order)
        let sorted = found.indices.sorted { left, right in
            let result = comparison.order(found[left].keys, found[right].keys)
            return result != 0 ? result < 0 : left < right
        }
        return request.window(sorted.map { found[$0].values })
    }

    private func row(_ operands: [PredicateOperand?], _ identity: StoreIdentity) throws -> [PropertyValue] {
        var values: [PropertyValue] = []
        values.reserveCapacity(layout.columns.count)
        for (column, operand) in zip(layout.columns, operands) {
            values.append(try value(operand, column.name, identity).converted(to: column.resultType))
        }
        return values
    }

    private func value(
        _ operand: PredicateOperand?, _ name: String, _ identity: StoreIdentity
    ) throws(GranaryError) -> PropertyValue {
        switch operand {
        case nil: return .attribute(nil)
        case .value(let value)?: return .attribute(value)
        case .subject(let subject)?:
            if let row = subject as? RowSubject {
                return .object(ManagedObjectID(origin: identity, entity: row.entity, key: row.key))
            }
            guard let reference = subject.predicateReference else {
                throw layout.error("the column \(FetchColumns.quoted(name)) is a composite; name one of its elements")
            }
            return try value(.reference(reference), name, identity)
        case .reference(let reference)?:
            guard case .stored(let key) = reference.key, let entity = identity.schema.entity(named: reference.root)
            else { return .object(nil) }
            return .object(ManagedObjectID(origin: identity, entity: entity.index, key: key))
        case .list?: throw layout.error("the column \(FetchColumns.quoted(name)) has several values")
        }
    }

    // MARK: - A row for each group

    private struct Group {
        let values: [PropertyValue]
        var aggregates: [FetchAggregate.Accumulator]
    }

    private func groupedRows() throws -> [[PropertyValue]] {
        let groups = try readGroups()
        var found: [(values: [PropertyValue], keys: [AttributeValue?])] = []
        var seen: Set<[PropertyValue]> = []
        let places = try sortPlaces()
        for group in groups {
            var variables: ObjectPredicate.Variables = [:]
            for (index, value) in group.values.enumerated() {
                variables[FetchColumns.groupVariable(index)] = value.expression
            }
            for (index, aggregate) in group.aggregates.enumerated() {
                variables[FetchColumns.aggregateVariable(index)] = PropertyValue.attribute(aggregate.result).expression
            }
            var values: [PropertyValue] = []
            for column in layout.columns { values.append(try value(of: column, group, variables)) }
            if let having {
                for (column, value) in zip(layout.columns, values) { variables[column.name] = value.expression }
                guard try holds(having, variables) else { continue }
            }
            if request.returnsDistinctResults, !seen.insert(values).inserted { continue }
            let keys = places.map { (place) -> AttributeValue? in
                switch place {
                case .column(let index): values[index].attribute
                case .group(let index): group.values[index].attribute
                }
            }
            found.append((values, keys))
        }
        let comparison = SortOrder(request.sortDescriptors)
        let sorted =
            places.isEmpty
            ? Array(found.indices)
            : found.indices.sorted { left, right in
                let result = comparison.order(found[left].keys, found[right].keys)
                return result != 0 ? result < 0 : left < right
            }
        return request.window(sorted.map { found[$0].values })
    }

    private func readGroups() throws -> [Group] {
        let keys = layout.groups.map(\.expression)
        let aggregates = layout.aggregates
        let expressions = keys + aggregates.map { $0.argument ?? .constant(.boolean(true)) }
        let start = aggregates.map { FetchAggregate.Accumulator($0.function) }
        var places: [[PropertyValue]: Int] = [:]
        var groups: [Group] = []
        if keys.isEmpty {
            // All rows are one group, even if there are none.
            places[[]] = 0
            groups.append(Group(values: [], aggregates: start))
        }
        for store in search.stores {
            try search.context.reading(store) { attached in
                try attached.values(of: expressions, search.search(order: [], limit: nil, offset: 0)) { operands in
                    var values: [PropertyValue] = []
                    for (group, operand) in zip(layout.groups, operands) {
                        values.append(try value(operand, group.name, store.identity))
                    }
                    let place = places[values] ?? groups.count
                    if place == groups.count {
                        places[values] = place
                        groups.append(Group(values: values, aggregates: start))
                    }
                    for (index, operand) in operands.dropFirst(keys.count).enumerated() {
                        try Self.add(operand, to: &groups[place].aggregates[index], aggregates[index])
                    }
                    return true
                }
            }
        }
        return groups
    }

    private static func add(
        _ operand: PredicateOperand?, to accumulator: inout FetchAggregate.Accumulator, _ aggregate: FetchAggregate
    ) throws(GranaryError) {
        switch operand {
        case nil: return
        case .value(let value)?: accumulator.add(value)
        case .subject?, .reference?:
            guard aggregate.function == .count else {
                throw GranaryError(.usage, "\(aggregate.function.rawValue) takes values, not objects")
            }
            accumulator.addObject()
        case .list?:
            throw GranaryError(.usage, "\(aggregate.function.rawValue) takes one value of each row, not a collection")
        }
    }

    private func value(
        of column: FetchColumns.Column, _ group: Group, _ variables: ObjectPredicate.Variables
    ) throws -> PropertyValue {
        if case .variable(let name) = column.expression {
            for (index, value) in group.values.enumerated() where FetchColumns.groupVariable(index) == name {
                return value.converted(to: column.resultType)
            }
        }
        // The operands are constants now, so their kinds are known only here.
        let expression = try resolver.resolve(column.expression.substituting(variables))
        switch try CompiledExpression(expression).value(on: EmptySubject()) {
        case nil: return .attribute(nil)
        case .value(let value)?: return PropertyValue.attribute(value).converted(to: column.resultType)
        case .subject?, .reference?, .list?:
            throw layout.error("the column \(FetchColumns.quoted(column.name)) is no single value")
        }
    }

    private func holds(_ condition: ObjectPredicate, _ variables: ObjectPredicate.Variables) throws -> Bool {
        let resolved = try resolver.resolve(condition.substituting(variables))
        return try CompiledPredicate(resolved).outcome(on: EmptySubject()).holds
    }

    private enum SortPlace {
        case column(Int)
        case group(Int)
    }

    private func sortPlaces() throws(GranaryError) -> [SortPlace] {
        var places: [SortPlace] = []
        for path in request.sortDescriptors.map(\.keyPath) {
            if let index = layout.columns.firstIndex(where: { $0.name == path }) {
                places.append(.column(index))
            } else if let index = layout.groups.firstIndex(where: { $0.name == path }) {
                places.append(.group(index))
            } else {
                throw layout.error("groups cannot be sorted by \(FetchColumns.quoted(path)), which is no column")
            }
        }
        return places
    }
}
