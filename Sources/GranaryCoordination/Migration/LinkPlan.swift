import GranaryModel

/// What a migration does for the links of a relationship after all rows are written.
enum LinkPlan {
    /// Its links are in the rows, or at its inverse.
    case none
    /// Writes the lists of older to-manys and the references of older to-ones as lists.
    case lists([Schema.Relationship])
    /// Sets the reference of a to-one to the first object of older lists. The other links are dropped.
    case firstOfLists([Schema.Relationship])
    /// Writes the lists of the inverse, which set the references of this to-one.
    case inverseLists([Schema.Relationship])
    /// Sets the reference of a to-one to the object whose reference, of the inverse, leads to its owner.
    case inverseReferences([Schema.Relationship])
    /// Drops the links of older relationships, because the inverse has others.
    case drop([Schema.Relationship])

    init(of relationship: Schema.Relationship, _ mapping: ModelMapping) {
        let source = LinkSource(of: relationship, mapping)
        let inverse = LinkSource.newInverse(of: relationship, mapping)
        self =
            relationship.isToMany
            ? Self.list(relationship, inverse, source, mapping) : Self.reference(inverse, source)
    }

    private static func reference(_ inverse: Schema.Relationship?, _ source: LinkSource) -> LinkPlan {
        guard source.own.isEmpty else {
            let lists = source.own.filter(\.isToMany)
            return lists.isEmpty ? .none : .firstOfLists(lists)
        }
        guard let inverse, let first = source.inverse.first else { return .none }
        if inverse.isToMany, first.isToMany { return .inverseLists(source.inverse.filter(\.isToMany)) }
        let references = source.inverse.filter { !$0.isToMany }
        return references.isEmpty ? .none : .inverseReferences(references)
    }

    private static func list(
        _ relationship: Schema.Relationship, _ inverse: Schema.Relationship?, _ source: LinkSource,
        _ mapping: ModelMapping
    ) -> LinkPlan {
        guard !source.own.isEmpty else { return .none }
        guard let inverse else { return .lists(source.own) }
        let isMirrored = source.own.allSatisfy { own in
            guard let other = own.inverse else { return false }
            let id = LinkLayout.ID(mapping.old.entities[other.owner].relationships[other.relationship])
            return source.inverse.contains { LinkLayout.ID($0) == id }
        }
        if inverse.isToMany {
            let isWritten = LinkLayout(relationship, schema: mapping.new).isWrittenAsLinks
            return isWritten || source.inverse.isEmpty || !isMirrored ? .lists(source.own) : .none
        }
        // The inverse, a to-one, has the links; without a source of its own it takes them from here.
        guard !source.inverse.isEmpty else { return .none }
        guard isMirrored else { return .drop(source.own) }
        let isOrdered = relationship.description.isOrdered && source.own.contains { $0.description.isOrdered }
        return isOrdered && source.inverse.allSatisfy { !$0.isToMany } ? .lists(source.own) : .none
    }
}
