/// Makes links to objects that there are, by the values of their attributes: ``SeedLink/existing``.
@dynamicCallable
public struct ExistingObjects: Sendable {
    /// The link to the objects with these values.
    ///
    /// - Parameter values: the values by the names of attributes. A value without a name is that of the uniqueness
    ///   constraint.
    public func dynamicallyCall(withKeywordArguments values: KeyValuePairs<String, SeedValue>) -> SeedLink {
        SeedLink(contents: [.existing(values.map { (name: $0.key, value: $0.value) })])
    }
}
