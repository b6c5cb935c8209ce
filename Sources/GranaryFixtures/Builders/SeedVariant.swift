/// Values and links with a name, for the kinds of objects that several tests need.
///
/// ```swift
/// extension SeedVariant {
///     static let minor = SeedVariant("a minor", ["age": 12])
///     static let homeless = SeedVariant("without an address", ["street": nil, "city": nil])
/// }
///
/// .objects("Patient", 3, as: [.minor, .homeless])
/// ```
public struct SeedVariant: Sendable {
    /// The name, which failures of tests contain.
    public let name: String
    let values: [String: SeedValue]
    let links: [String: SeedLink]

    /// - Parameters:
    ///   - name: the name, which failures of tests contain.
    ///   - values: the values of attributes by name.
    ///   - links: the objects of relationships by name.
    public init(_ name: String, _ values: [String: SeedValue] = [:], with links: [String: SeedLink] = [:]) {
        self.name = name
        self.values = values
        self.links = links
    }
}
