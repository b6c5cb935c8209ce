import GranaryModel
import GranaryPredicates

/// Conditions on the object of a to-one relationship as a search for that object.
extension SearchSQL {
    /// A comparison of an indexed property of a related object, `author.name == "Ann"`: SQLite finds the authors by the
    /// index, and their books by the index of the relationship's column. As a subquery for each book
    /// (``term(_:from:)``) it would read all books.
    ///
    /// Nil if no index helps, or if the comparison could be true without a related object.
    func lookup(_ comparison: ObjectPredicate.Comparison, _ scope: Scope) -> String? {
        guard case .keyPath(let path) = comparison.left, Self.isFalseForNull(comparison) else { return nil }
        var keys = path.split(separator: ".", omittingEmptySubsequences: false).map(String.init)[...]
        if keys.first == "SELF" { keys.removeFirst() }
        guard keys.count > 1, let key = keys.popFirst(), let relationship = scope.entity.relationship(named: key),
            relationship.isPersistent, !relationship.isToMany, let column = layout.column(of: relationship)
        else { return nil }
        let destination = schema.entities[relationship.destination]
        let rest = keys.joined(separator: ".")
        guard hasIndex(on: rest, destination) else { return nil }
        let inner = Scope(alias: newAlias(), entity: destination)
        let reduced = ObjectPredicate.Comparison(
            .keyPath(rest), comparison.operation, comparison.right, options: comparison.options)
        guard let test = direct(reduced, inner) else { return nil }
        let table = layout.tableName(of: relationship.destination)
        relatedTables.insert(table)
        return
            "\(scope.alias).\(column) IN (SELECT \(inner.alias).Z_PK FROM \(table) \(inner.alias) WHERE \(test))"
    }

    private static func isFalseForNull(_ comparison: ObjectPredicate.Comparison) -> Bool {
        guard comparison.modifier == .direct, comparison.options.isEmpty || comparison.options == .normalized else {
            return false
        }
        switch (comparison.operation, comparison.right) {
        case (.equal, .constant), (.equal, .object), (.less, .constant), (.lessOrEqual, .constant),
            (.greater, .constant), (.greaterOrEqual, .constant), (.beginsWith, .constant), (.isIn, .list),
            (.between, .list):
            return true
        default: return false
        }
    }

    /// Whether an index of the store begins with a property of the entity itself.
    private func hasIndex(on name: String, _ entity: Schema.Entity) -> Bool {
        if let relationship = entity.relationship(named: name) {
            return relationship.isPersistent && !relationship.isToMany
        }
        guard let attribute = entity.attribute(named: name), attribute.isPersistent else { return false }
        let isUnique = entity.uniquenessConstraints.contains { $0.names.first == name }
        if isUnique || attribute.description.isIndexed { return true }
        var next: Schema.Entity? = entity
        while let owner = next {
            let isIndexed = owner.description.fetchIndexes.contains { index in
                guard index.partialIndexPredicate == nil, let first = index.elements.first else { return false }
                return first.propertyName == name && first.kind == .binary
            }
            if isIndexed { return true }
            next = owner.superentity.map { schema.entities[$0] }
        }
        return false
    }
}
