package import GranaryPredicates

extension AttributeValue {
    /// Whether the value belongs to an attribute type.
    package func fits(_ type: AttributeType) -> Bool {
        switch (self, type) {
        // A transient attribute without a type can hold any value.
        case (_, .undefined): true
        case (.integer(let value), _): type.integerRange?.contains(value) ?? false
        case (.boolean, .boolean), (.float, .float), (.double, .double), (.decimal, .decimal), (.string, .string),
            (.date, .date), (.binary, .binary), (.binary, .transformable), (.uuid, .uuid), (.uri, .uri):
            true
        default: false
        }
    }
}
