import GranaryModel
import GranaryPredicates

/// Related objects: the tables that lead to them, and the values at the end of a key path.
extension SearchSQL {
    /// The tables between a row and the objects that a path of relationships leads to.
    struct Route {
        /// Tables with their aliases.
        var tables: [String] = []
        var conditions: [String] = []
        /// The row at the end.
        var scope: Scope
        /// Whether it can lead to several objects.
        var isMany = false

        func source(and test: String? = nil) -> String {
            let all = conditions + [test].compactMap { $0 }
            return "FROM \(tables.joined(separator: ", ")) WHERE \(SearchSQL.joined(all[...], "AND"))"
        }
    }

    /// A collection: where its elements come from, and the value of one.
    struct Elements {
        let route: Route
        let term: Term
        /// The row of an element; nil if the elements are values, or objects whose rows are not read.
        let scope: Scope?

        func source(and test: String) -> String { route.source(and: test) }
    }

    /// The end of a path: an attribute or a to-one relationship, the objects themselves, or an operator.
    private enum End {
        case objects
        case attribute(Schema.Attribute)
        case reference(Schema.Relationship)
        case collectionOperator(String, keys: ArraySlice<String>)
    }

    /// Follows the relationships of a path. The last to-one relationship is not followed: its column is its value.
    private func route(_ keys: inout ArraySlice<String>, from start: Scope) -> (route: Route, end: End)? {
        var route = Route(scope: start)
        if keys.first == "SELF" { keys.removeFirst() }
        while let key = keys.popFirst() {
            if key.hasPrefix("@") { return (route, .collectionOperator(key, keys: keys)) }
            let entity = route.scope.entity
            switch entity.property(named: key) {
            case .attribute(let index)?:
                return keys.isEmpty ? (route, .attribute(entity.attributes[index])) : nil
            case .relationship(let index)?:
                let relationship = entity.relationships[index]
                guard relationship.isPersistent else { return nil }
                if keys.isEmpty, !relationship.isToMany { return (route, .reference(relationship)) }
                guard follow(relationship, &route) else { return nil }
            case nil:
                let name = ([key] + keys).joined(separator: ".")
                return entity.attribute(named: name).map { (route, .attribute($0)) }
            }
        }
        return (route, .objects)
    }

    private func follow(_ relationship: Schema.Relationship, _ route: inout Route) -> Bool {
        let alias = newAlias()
        let owner = route.scope.alias
        let destination = schema.entities[relationship.destination]
        let table = layout.tableName(of: relationship.destination)
        relatedTables.insert(table)
        if relationship.isToMany {
            route.isMany = true
            switch layout.linkPlace(of: relationship) {
            case .foreignKey(_, let column, _, _)?:
                route.conditions.append("\(alias).\(column) = \(owner).Z_PK")
                // Rows of sibling entities may hold values of an earlier model in the column.
                let member = schema.entities[relationship.memberEntity]
                if member.superentity != nil {
                    route.conditions.append(Self.entityCondition(member.family, alias: alias))
                }
            case .join(let join, let ownerColumn, let destinationColumn, _)?:
                let name = layout.joinTables[join].source
                relatedTables.insert(layout.joinTables[join].name)
                // A link may be twice in join tables of old frameworks.
                route.conditions.append(
                    "\(alias).Z_PK IN (SELECT \(destinationColumn) FROM \(name) WHERE \(ownerColumn) = \(owner).Z_PK)")
            case nil: return false
            }
        } else {
            // Several objects without a related one would count as NULL, which a join leaves out.
            guard !route.isMany, let column = layout.column(of: relationship) else { return false }
            route.conditions.append("\(alias).Z_PK = \(owner).\(column)")
        }
        route.tables.append("\(table) \(alias)")
        route.scope = Scope(alias: alias, entity: destination)
        return true
    }

    // MARK: - Values

    /// The single value at the end of a path.
    func term(_ path: String, from scope: Scope) -> Term? {
        var keys = path.split(separator: ".", omittingEmptySubsequences: false).map(String.init)[...]
        guard let (route, end) = route(&keys, from: scope) else { return nil }
        switch end {
        case .collectionOperator(let name, let rest): return aggregate(name, rest, of: route)
        case .objects, .attribute, .reference:
            guard !route.isMany, let value = value(of: end, in: route.scope) else { return nil }
            guard !route.tables.isEmpty else { return value }
            return Term(
                sql: "(SELECT \(value.sql) \(route.source()))", kind: value.kind)
        }
    }

    /// The elements of a collection at the end of a path, or of a subquery.
    func elements(of expression: ObjectExpression, _ scope: Scope) -> Elements? {
        let (path, start): (String, Scope)
        switch expression {
        case .keyPath(let own): (path, start) = (own, scope)
        case .path(let other, of: .variable(let name)):
            guard let bound = variables[name] else { return nil }
            (path, start) = (other, bound)
        case .subquery(let collection, let variable, let condition):
            guard let elements = elements(of: collection, scope), let row = elements.scope,
                let test = self.condition(condition, binding: variable, to: row, scope)
            else { return nil }
            var route = elements.route
            route.conditions.append(test)
            return Elements(route: route, term: elements.term, scope: row)
        default: return nil
        }
        var keys = path.split(separator: ".", omittingEmptySubsequences: false).map(String.init)[...]
        guard let (route, end) = route(&keys, from: start), route.isMany, let value = value(of: end, in: route.scope)
        else { return nil }
        let row: Scope? = if case .objects = end { route.scope } else { nil }
        return Elements(route: route, term: value, scope: row)
    }

    private func value(of end: End, in scope: Scope) -> Term? {
        switch end {
        case .objects:
            return Term(sql: "\(scope.alias).Z_PK", kind: .object(root: scope.entity.root), isColumn: true)
        case .attribute(let attribute):
            guard attribute.isPersistent, let column = layout.column(of: attribute),
                let kind = Term.Kind(attribute.type),
                readsAsStored(layout.tableName(of: scope.entity.index), column, ValueForm(attribute.type))
            else { return nil }
            return Term(
                sql: "\(scope.alias).\(column)", kind: kind, isColumn: true,
                isExactSum: [.integer16, .integer32, .boolean].contains(attribute.type))
        case .reference(let relationship):
            guard let column = layout.column(of: relationship) else { return nil }
            return Term(
                sql: "\(scope.alias).\(column)",
                kind: .object(root: schema.entities[relationship.destination].root), isColumn: true)
        case .collectionOperator: return nil
        }
    }

    /// `@count`, and `@sum`, `@avg`, `@min` and `@max` of an attribute.
    private func aggregate(_ name: String, _ keys: ArraySlice<String>, of route: Route) -> Term? {
        guard route.isMany else { return nil }
        if name == "@count" {
            return keys.isEmpty ? Term(sql: "(SELECT COUNT(*) \(route.source()))", kind: .number) : nil
        }
        var rest = keys
        guard let (inner, end) = self.route(&rest, from: route.scope), let value = value(of: end, in: inner.scope)
        else { return nil }
        var whole = route
        whole.tables += inner.tables
        whole.conditions += inner.conditions
        let source = whole.source()
        switch (name, value.kind) {
        // The sum of doubles depends on their order, and SQLite may compensate rounding.
        case ("@sum", .number) where value.isExactSum:
            return Term(sql: "(SELECT IFNULL(SUM(\(value.sql)), 0) \(source))", kind: value.kind)
        case ("@avg", .number) where value.isExactSum:
            return Term(sql: "(SELECT AVG(\(value.sql)) \(source))", kind: .real)
        case ("@min", .number), ("@min", .real), ("@min", .text), ("@min", .date):
            return Term(sql: "(SELECT MIN(\(value.sql)) \(source))", kind: value.kind)
        case ("@max", .number), ("@max", .real), ("@max", .text), ("@max", .date):
            return Term(sql: "(SELECT MAX(\(value.sql)) \(source))", kind: value.kind)
        default: return nil
        }
    }

    /// The number of elements of `SUBQUERY(collection, $variable, condition)`.
    func count(
        _ collection: ObjectExpression, _ variable: String, _ condition: ObjectPredicate, _ scope: Scope
    ) -> Term? {
        guard let elements = elements(of: collection, scope), let row = elements.scope,
            let test = self.condition(condition, binding: variable, to: row, scope)
        else { return nil }
        return Term(sql: "(SELECT COUNT(*) \(elements.source(and: test)))", kind: .number)
    }

    private func condition(
        _ predicate: ObjectPredicate, binding variable: String, to element: Scope, _ scope: Scope
    ) -> String? {
        let outer = variables[variable]
        variables[variable] = element
        defer { variables[variable] = outer }
        // Key paths without the variable belong to the tested object.
        return condition(predicate, scope)
    }
}

extension SearchSQL.Term.Kind {
    /// The kind of a column; nil for columns that SQL does not compare as values.
    fileprivate init?(_ type: AttributeType) {
        switch type {
        case .integer16, .integer32, .integer64, .boolean, .double, .float: self = .number
        case .decimal: self = .real
        case .string, .uri: self = .text
        case .date: self = .date
        case .uuid: self = .uuid
        case .binary, .transformable, .undefined, .objectID, .composite: return nil
        }
    }
}
