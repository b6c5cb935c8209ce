/// An attribute that holds a value: an attribute itself, or a part of a Composite attribute.
struct CompositeLeaf {
    /// Its name; inside a composite a path such as `author.person`.
    let path: String
    let attribute: AttributeDescription
    /// The names of the cases if it is an enumeration of SwiftData without raw values.
    var cases: [String]?
    /// Whether it is an enumeration of SwiftData with raw values: the only element of a composite of the same name.
    var isRawValue = false
}
