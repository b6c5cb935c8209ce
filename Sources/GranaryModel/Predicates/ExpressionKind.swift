package import GranaryPredicates

/// What an expression gives, as far as the model tells.
package indirect enum ExpressionKind: Sendable {
    /// NULL, which compares with everything.
    case null
    /// A transformable value, or a mixture: its kind is known only when it is evaluated.
    case unknown
    /// Numbers and Booleans.
    case number
    /// Text and URIs.
    case text
    case date
    case uuid
    case data
    /// An object; nil if its entity is not known.
    case object(Schema.Entity?)
    /// Several values of one kind.
    case list(ExpressionKind)

    package init(_ value: AttributeValue) {
        switch value {
        case .integer, .boolean, .float, .double, .decimal: self = .number
        case .string, .uri: self = .text
        case .date: self = .date
        case .binary: self = .data
        case .uuid: self = .uuid
        }
    }

    package init(_ type: AttributeType) {
        switch type {
        case .integer16, .integer32, .integer64, .decimal, .double, .float, .boolean: self = .number
        case .string, .uri: self = .text
        case .date: self = .date
        case .binary: self = .data
        case .uuid: self = .uuid
        case .undefined, .transformable, .objectID, .composite: self = .unknown
        }
    }

    /// The kind of the elements of a collection; the kind itself for a single value.
    package var element: ExpressionKind { if case .list(let element) = self { element } else { self } }

    package var isList: Bool { if case .list = self { true } else { false } }

    /// Whether values of the two kinds can be equal.
    func isComparable(with other: ExpressionKind) -> Bool {
        switch (self, other) {
        case (.null, _), (_, .null), (.unknown, _), (_, .unknown), (.number, .number), (.text, .text), (.date, .date),
            (.uuid, .uuid), (.data, .data):
            true
        case (.object(let left?), .object(let right?)): left.root == right.root
        case (.object, .object): true
        case (.list(let left), .list(let right)): left.isComparable(with: right)
        default: false
        }
    }

    /// Whether values of the kind have an order.
    var isOrdered: Bool {
        switch self {
        case .null, .unknown, .number, .text, .date, .uuid, .data: true
        case .object, .list: false
        }
    }

    var isText: Bool {
        switch self {
        case .null, .unknown, .text: true
        default: false
        }
    }

    /// The kind with its article, for messages.
    var phrase: String {
        switch self {
        case .null: "nil"
        case .unknown: "a value"
        case .number: "a number"
        case .text: "text"
        case .date: "a date"
        case .uuid: "a UUID"
        case .data: "binary data"
        case .object(let entity): entity.map { "an object (\($0.name))" } ?? "an object"
        case .list: "a collection"
        }
    }
}
