import GranaryModel

extension FetchIndexDescription: ModelElement {
    static let elementName = "fetchIndex"

    static let fields: [ElementField<Self>] = [
        .written("name") { $0.name }, .text("partialIndexPredicate", \.partialIndexPredicate),
    ]

    init(required attributes: inout ElementAttributes) {
        self.init(name: attributes.required("name"), elements: [])
    }

    mutating func removeChildren() { elements = [] }
}

extension FetchIndexDescription.Element: ModelElement {
    static let elementName = "fetchIndexElement"

    static let fields: [ElementField<Self>] = [
        .written("property") { $0.propertyName },
        .written("expression") { $0.expression },
        // No real XML with an expression was examined; a public reimplementation writes these two attributes.
        ElementField(
            name: "expressionType",
            read: {
                let type = $0.choice("expressionType", "an attribute type", AttributeType.init(name:))
                $1.expressionType = type == Self.defaultType(of: $1.parsedExpression) ? nil : type
            },
            text: {
                guard $0.expression != nil else { return nil }
                return ($0.expressionType ?? Self.defaultType(of: $0.parsedExpression)).name
            }),
        ElementField(
            name: "type",
            read: { $1.kind = $0.choice("type", "Binary or RTree", Kind.init(rawValue:)) ?? .binary },
            text: { $0.kind.rawValue }),
        ElementField(
            name: "order",
            read: {
                let orders = ["ascending": true, "descending": false]
                $1.isAscending = $0.choice("order", "ascending or descending") { orders[$0] } ?? true
            },
            text: { $0.isAscending ? "ascending" : "descending" }),
    ]

    init(required attributes: inout ElementAttributes) {
        self.init(propertyName: attributes.text("property"))
        expression = attributes.text("expression")
        if propertyName == nil, expression == nil {
            attributes.problem(nil, "has neither a \"property\" nor an \"expression\"")
        }
    }
}
