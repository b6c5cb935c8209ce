package import GranaryBase
package import GranaryModel
package import GranaryPredicates

/// Finds transient properties in predicates, orders and expressions that are evaluated on stored rows.
///
/// Stores do not have these properties, so a row would give NULL for them. A search that only objects can answer is
/// refused instead.
package struct TransientCheck {
    private let schema: Schema
    private let entity: Schema.Entity
    /// The entities of the variables of enclosing subqueries.
    private var variables: [String: Set<Int>] = [:]

    package init(schema: Schema, entity: Schema.Entity) {
        self.schema = schema
        self.entity = entity
    }

    /// - Throws: ``GranaryError`` with code `usage` if the predicate or the order uses a transient property; the same
    ///   for the functions below.
    package func check(_ search: StoreSearch) throws(GranaryError) {
        if let predicate = search.predicate { try check(predicate) }
        try check(search.order)
    }

    /// Checks a predicate that a ``PredicateResolver`` has resolved, so recursion is bounded.
    package func check(_ predicate: ObjectPredicate) throws(GranaryError) {
        switch predicate {
        case .constant: return
        case .and(let parts), .or(let parts): for part in parts { try check(part) }
        case .not(let part): try check(part)
        case .comparison(let comparison):
            try check(comparison.left)
            try check(comparison.right)
        }
    }

    package func check(_ order: [ObjectSortDescriptor]) throws(GranaryError) {
        for descriptor in order { _ = try follow(descriptor.keyPath, from: [entity.index]) }
    }

    /// Checks an expression that a ``PredicateResolver`` has resolved.
    package func check(_ expression: ObjectExpression) throws(GranaryError) { _ = try entities(of: expression) }

    // MARK: - Expressions

    /// The entities of the objects that an expression gives, alone or in a collection; empty for other values.
    private func entities(of expression: ObjectExpression) throws(GranaryError) -> Set<Int> {
        switch expression {
        case .evaluatedObject: return [entity.index]
        case .constant, .null, .className: return []
        case .object(let reference): return schema.entity(named: reference.root).map { Set($0.family) } ?? []
        case .variable(let name): return variables[name] ?? []
        case .keyPath(let path): return try follow(path, from: [entity.index])
        case .path(let path, let operand): return try follow(path, from: try entities(of: operand))
        case .list(let elements), .function(_, let elements): return try entities(of: elements)
        case .method(_, let operand, let arguments): return try entities(of: [operand] + arguments)
        case .subquery(let collection, let variable, let condition):
            let found = try entities(of: collection)
            var inner = self
            inner.variables[variable] = found
            try inner.check(condition)
            return found
        case .conditional(let condition, let first, let second):
            try check(condition)
            return try entities(of: [first, second])
        case .element(let collection, let index):
            if case .at(let place) = index { try check(place) }
            return try entities(of: collection)
        case .combined(let left, _, let right): return try entities(of: [left, right])
        }
    }

    private func entities(of expressions: [ObjectExpression]) throws(GranaryError) -> Set<Int> {
        var found: Set<Int> = []
        for expression in expressions { found.formUnion(try entities(of: expression)) }
        return found
    }

    // MARK: - Key paths

    private func follow(_ path: String, from starts: Set<Int>) throws(GranaryError) -> Set<Int> {
        let keys = path.split(separator: ".").map(String.init)
        var found: Set<Int> = []
        for start in starts.sorted() {
            if let last = try end(of: keys, from: schema.entities[start]) { found.insert(last) }
        }
        return found
    }

    /// The entity at the end of a path; nil if the path ends at a value.
    private func end(of path: [String], from start: Schema.Entity) throws(GranaryError) -> Int? {
        var entity = start
        var keys = path[...]
        if keys.first == "SELF" { keys.removeFirst() }
        while let key = keys.popFirst() {
            switch entity.property(named: key) {
            case .attribute(let index)?:
                try check(entity.attributes[index], of: entity)
                return nil
            case .relationship(let index)?:
                let relationship = entity.relationships[index]
                guard relationship.isPersistent else { throw Self.error(relationship.name, of: entity) }
                entity = schema.entities[relationship.destination]
            case nil where key.hasPrefix("@") || key == "self" || key == "objectID": continue
            case nil:
                // The name of a composite's element contains points.
                var name = key
                while let next = keys.popFirst() {
                    name += "." + next
                    guard let attribute = entity.attribute(named: name) else { continue }
                    try check(attribute, of: entity)
                    break
                }
                return nil
            }
        }
        return entity.index
    }

    private func check(_ attribute: Schema.Attribute, of entity: Schema.Entity) throws(GranaryError) {
        guard attribute.isPersistent else { throw Self.error(attribute.name, of: entity) }
    }

    /// The error for a transient property.
    package static func error(_ name: String, of entity: Schema.Entity) -> GranaryError {
        GranaryError(.usage, "\(entity.name).\(name) is transient, so it is not in the store")
    }
}
