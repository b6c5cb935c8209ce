package import GranaryPredicates

/// An index of an entity's table. (`NSFetchIndexDescription`)
///
/// ```swift
/// var favourites = FetchIndexDescription(
///     name: "favourites", elements: [.init(propertyName: "date", isAscending: false), .init(expression: "SELF")])
/// favourites.partialIndexPredicate = "isFavourite == 1"
/// ```
public struct FetchIndexDescription: Sendable, Hashable {
    /// One column or expression of an index. (`NSFetchIndexElementDescription`)
    public struct Element: Sendable, Hashable {
        /// The type of an index. The raw values are those of the XML. (`NSFetchIndexElementType`)
        public enum Kind: String, Sendable, Hashable, Codable {
            /// A sorted index; the usual kind.
            case binary = "Binary"
            /// An index of ranges of numbers. It is kept in the model, but Granary does not create it in stores: no
            /// real model has such an element. The R-tree of a location comes from user info
            /// (docs/core-data-compatibility.md).
            case rTree = "RTree"
        }

        /// The property; nil if the element is an expression.
        public var propertyName: String?
        /// The expression in the predicate format language; nil if the element is a property.
        /// (`NSExpressionDescription`)
        ///
        /// Stores have two: `SELF` is the primary key, `entity` the number of the entity. An index over another
        /// expression is kept in the model and not created in stores.
        public var expression: String?
        /// The type of the expression's values; nil for ObjectID if the expression is `SELF`, and for Undefined if it
        /// is another. (`NSExpressionDescription.expressionResultType`)
        public var expressionType: AttributeType?
        /// The type of the index. Granary does not create an index in stores if one of its elements is an R-tree.
        public var kind = Kind.binary
        /// Whether the order is ascending. (`NSFetchIndexElementDescription.isAscending`)
        public var isAscending = true
        /// Data of the source that Granary does not interpret. It is kept and written back.
        public var notes: [String: String] = [:]

        /// A sorted element over a property. With nil for the property, set ``expression`` afterwards.
        public init(propertyName: String?, isAscending: Bool = true) {
            self.propertyName = propertyName
            self.isAscending = isAscending
        }

        /// A sorted element over an expression: `SELF` or `entity`.
        public init(expression: String, isAscending: Bool = true) {
            self.expression = expression
            self.isAscending = isAscending
        }
    }

    /// The name, which must be unique in an entity. (`NSFetchIndexDescription.name`)
    public var name: String
    /// The sort columns, the most significant first. (`NSFetchIndexDescription.elements`)
    public var elements: [Element]
    /// The predicate of a partial index, in the predicate format language; nil if there is none.
    /// (`NSFetchIndexDescription.partialIndexPredicate`)
    public var partialIndexPredicate: String?
    /// Data of the source that Granary does not interpret. It is kept and written back.
    public var notes: [String: String] = [:]

    /// An index over all objects of the entity.
    public init(name: String, elements: [Element]) {
        self.name = name
        self.elements = elements
    }
}

extension FetchIndexDescription {
    /// The parsed predicate; nil if there is none or it cannot be parsed. The editor writes an empty text for a cleared
    /// field.
    package var parsedPredicate: ObjectPredicate? {
        partialIndexPredicate.flatMap { $0.isEmpty ? nil : try? ObjectPredicate.parse($0) }
    }

    /// The first names of the key paths in the predicate.
    package var predicateProperties: [String] {
        guard let predicate = parsedPredicate, !predicate.isTooDeep else { return [] }
        return predicate.parts.compactMap { part in
            guard case .expression(.keyPath(let path)) = part else { return nil }
            return path.split(separator: ".").first.map(String.init)
        }
    }
}

extension FetchIndexDescription.Element {
    /// The type that an expression's description has without ``expressionType``.
    package static func defaultType(of expression: ObjectExpression?) -> AttributeType {
        if case .evaluatedObject? = expression { .objectID } else { .undefined }
    }

    /// The parsed expression; nil if there is none or it cannot be parsed.
    package var parsedExpression: ObjectExpression? {
        expression.flatMap { try? ObjectExpression.parse($0) }
    }
}
