import GranaryModel

extension FetchIndexDescription: ModelElement {
    static let elementName = "fetchIndex"
    static let attributeNames = ["name", "partialIndexPredicate"]

    init(_ attributes: inout ElementAttributes) {
        self.init(name: attributes.required("name"), elements: [])
        partialIndexPredicate = attributes.text("partialIndexPredicate")
    }

    var attributeTexts: [String: String] {
        var texts = ["name": name]
        texts["partialIndexPredicate"] = partialIndexPredicate
        return texts
    }

    var attributesOnly: Self {
        var copy = FetchIndexDescription(name: name, elements: [])
        copy.partialIndexPredicate = partialIndexPredicate
        return copy
    }
}

extension FetchIndexDescription.Element: ModelElement {
    static let elementName = "fetchIndexElement"
    static let attributeNames = ["property", "expression", "expressionType", "type", "order"]

    init(_ attributes: inout ElementAttributes) {
        self.init(propertyName: attributes.text("property"))
        expression = attributes.text("expression")
        if propertyName == nil, expression == nil {
            attributes.problem(nil, "has neither a \"property\" nor an \"expression\"")
        }
        kind = attributes.choice("type", "Binary or RTree", Kind.init(rawValue:)) ?? .binary
        isAscending =
            attributes.choice("order", "ascending or descending") { text -> Bool? in
                switch text {
                case "ascending": true
                case "descending": false
                default: nil
                }
            } ?? true
    }

    var attributeTexts: [String: String] {
        var texts = ["type": kind.rawValue, "order": isAscending ? "ascending" : "descending"]
        texts["property"] = propertyName
        texts["expression"] = expression
        return texts
    }

    var attributesOnly: Self {
        var copy = self
        copy.notes = [:]
        return copy
    }
}
