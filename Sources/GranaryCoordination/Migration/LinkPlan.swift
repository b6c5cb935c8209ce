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
    /// Makes a one-to-one of older to-ones of this relationship and of its inverse, which were not each other's inverse.
    case join([Schema.Relationship], [Schema.Relationship])
    /// Drops the links of older relationships, because the inverse has others.
    case drop([Schema.Relationship])

    init(of relationship: Schema.Relationship, _ mapping: ModelMapping) {
        let source = LinkSource(of: relationship, mapping)
        let inverse = LinkSource.newInverse(of: relationship, mapping)
        self =
            relationship.isToMany
            ? Self.list(relationship, inverse, source, mapping)
            : Self.reference(relationship, inverse, source, mapping)
    }

    /// Whether the older relationships of both ends were each other's inverses.
    private static func areMirrored(_ source: LinkSource, _ mapping: ModelMapping) -> Bool {
        source.own.allSatisfy { own in
            guard let other = own.inverse else { return false }
            let id = LinkLayout.ID(mapping.old.entities[other.owner].relationships[other.relationship])
            return source.inverse.contains { LinkLayout.ID($0) == id }
        }
    }

    /// Whether the lists of a to-many keep their order although its inverse, a to-one, was a to-many.
    private static func keepsOrder(_ list: Schema.Relationship, _ own: [Schema.Relationship]) -> Bool {
        list.isToMany && list.description.isOrdered && own.contains { $0.isToMany && $0.description.isOrdered }
    }

    private static func reference(
        _ relationship: Schema.Relationship, _ inverse: Schema.Relationship?, _ source: LinkSource,
        _ mapping: ModelMapping
    ) -> LinkPlan {
        guard source.own.isEmpty else {
            let lists = source.own.filter(\.isToMany)
            if !lists.isEmpty {
                // The ordered lists at the other end set the references.
                if let inverse, keepsOrder(inverse, source.inverse), areMirrored(source, mapping) { return .none }
                return .firstOfLists(lists)
            }
            guard let inverse, !inverse.isToMany, !source.inverse.isEmpty, source.inverse.allSatisfy({ !$0.isToMany }),
                !areMirrored(source, mapping),
                LinkLayout.ID(relationship) < LinkLayout.ID(inverse)
            else { return .none }
            return .join(source.own, source.inverse)
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
        let isMirrored = areMirrored(source, mapping)
        if inverse.isToMany {
            let isWritten = LinkLayout(relationship, schema: mapping.new).isWrittenAsLinks
            if isWritten && isMirrored || source.inverse.isEmpty { return .lists(source.own) }
            // Links of two older relationships cannot be told apart in one join table.
            if isMirrored { return .none }
            return LinkLayout.ID(relationship) < LinkLayout.ID(inverse) ? .lists(source.own) : .drop(source.own)
        }
        // The inverse, a to-one, has the links; without a source of its own it takes them from here.
        guard !source.inverse.isEmpty else { return .none }
        guard isMirrored else { return .drop(source.own) }
        return keepsOrder(relationship, source.own) ? .lists(source.own) : .none
    }
}

extension LinkLayout.ID {
    fileprivate static func < (left: Self, right: Self) -> Bool { (left.owner, left.slot) < (right.owner, right.slot) }
}
