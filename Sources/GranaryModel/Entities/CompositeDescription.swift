import GranaryBase

/// A named structure of attributes. (The type of an `NSCompositeAttributeDescription`.)
public struct CompositeDescription: Sendable, Hashable {
    /// The name, to which ``AttributeDescription/compositeName`` refers. Not part of the version hash.
    public var name: String
    /// Its elements, which can be composites themselves. (`NSCompositeAttributeDescription.elements`)
    public var elements: [AttributeDescription]
    /// Data of the source that Granary does not interpret. It is kept and written back.
    public var notes: [String: String] = [:]

    /// A composite of elements.
    public init(name: String, elements: [AttributeDescription]) {
        self.name = name
        self.elements = elements
    }
}
