package import GranaryModel

/// The resolved source of a derived attribute's value.
package enum DerivedSource {
    case now
    /// An attribute of the same object.
    case own(Schema.Attribute, DerivedExpression.TextFunction?)
    /// An attribute of the destination of a to-one.
    case toOne(Schema.Relationship, Schema.Attribute, DerivedExpression.TextFunction?)
    /// An aggregate over a to-many. The attribute is nil for a count.
    case aggregate(DerivedExpression.Aggregate, Schema.Relationship, Schema.Attribute?)

    /// The attribute that provides the values.
    package var attribute: Schema.Attribute? {
        switch self {
        case .now: nil
        case .own(let attribute, _), .toOne(_, let attribute, _): attribute
        case .aggregate(_, _, let attribute): attribute
        }
    }

    /// Resolves the source of an attribute. Nil if no trigger can compute it: the expression has another form or a
    /// longer path, a name is not in the model or not in the store, or the value does not have the attribute's type.
    ///
    /// - Parameter entity: the entity that declares the attribute.
    package static func resolve(
        _ attribute: Schema.Attribute, of entity: Schema.Entity, schema: Schema, layout: some DerivedLayout
    ) -> DerivedSource? {
        // The name of a composite's element is a path, so the names in its expression are ambiguous.
        guard let text = attribute.description.derivationExpression, !attribute.name.contains("."),
            layout.hasColumn(of: attribute),
            let expression = DerivedExpression.parse(text)
        else { return nil }
        switch expression {
        case .now: return attribute.type == .date ? .now : nil
        case .value(let path, let function):
            if let own = entity.attribute(named: path.joined(separator: ".")) {
                return attribute.canCopy(own, through: function, layout: layout) ? .own(own, function) : nil
            }
            guard let relationship = relationship(path, entity), !relationship.isToMany,
                layout.hasColumn(of: relationship),
                let source = attributeAtEnd(path, relationship, schema),
                attribute.canCopy(source, through: function, layout: layout)
            else { return nil }
            return .toOne(relationship, source, function)
        case .aggregate(let aggregate, let path):
            guard let relationship = relationship(path, entity), relationship.isToMany,
                layout.hasLinks(of: relationship)
            else { return nil }
            if aggregate == .count {
                let isNumber = path.count == 1 && attribute.type != .boolean && attribute.type.isNumber
                return isNumber ? .aggregate(.count, relationship, nil) : nil
            }
            guard let source = attributeAtEnd(path, relationship, schema),
                attribute.canKeep(aggregate, of: source, layout: layout)
            else { return nil }
            return .aggregate(aggregate, relationship, source)
        }
    }

    private static func relationship(_ path: [String], _ entity: Schema.Entity) -> Schema.Relationship? {
        path.first.flatMap { entity.relationship(named: $0) }
    }

    private static func attributeAtEnd(
        _ path: [String], _ relationship: Schema.Relationship, _ schema: Schema
    ) -> Schema.Attribute? {
        schema.entities[relationship.destination].attribute(named: path.dropFirst().joined(separator: "."))
    }
}

extension Schema.Attribute {
    fileprivate func canCopy(
        _ source: Schema.Attribute, through function: DerivedExpression.TextFunction?, layout: some DerivedLayout
    ) -> Bool {
        guard source.hasPlainColumn(layout), hasPlainColumn(layout) else { return false }
        return function == nil ? type.takes(source.type) : type == .string && source.type == .string
    }

    fileprivate func canKeep(
        _ aggregate: DerivedExpression.Aggregate, of source: Schema.Attribute, layout: some DerivedLayout
    ) -> Bool {
        guard source.hasPlainColumn(layout), hasPlainColumn(layout) else { return false }
        return switch aggregate {
        case .count: false
        case .sum: source.type.isNumber && type != .boolean && type.takes(source.type)
        case .average: source.type.isNumber && type.isNumber && type.integerRange == nil && type != .boolean
        case .min, .max:
            (source.type.isNumber || source.type == .date || source.type == .string) && type.takes(source.type)
        }
    }

    /// Whether the attribute has a column without external storage. A tagged value cannot be copied: it may refer to a
    /// file of one object.
    private func hasPlainColumn(_ layout: some DerivedLayout) -> Bool {
        !description.allowsExternalBinaryDataStorage && layout.hasColumn(of: self)
    }
}

extension AttributeType {
    fileprivate var isNumber: Bool {
        switch self {
        case .integer16, .integer32, .integer64, .boolean, .double, .float, .decimal: true
        default: false
        }
    }

    /// Whether a column of this type can store values of another type unchanged.
    fileprivate func takes(_ source: AttributeType) -> Bool {
        switch self {
        case .integer16, .integer32, .integer64: source.integerRange != nil || source == .boolean
        case .double, .float, .decimal: source.isNumber
        default: self == source
        }
    }
}
