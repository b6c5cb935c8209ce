public import GranaryBase
public import GranaryPredicates

/// The object for which a ``CustomGenerator`` makes a value.
public struct GenerationContext: Sendable {
    /// The name of the object's entity.
    public let entity: String
    /// The object's number among all objects of its entity, from 0. Stored objects are counted.
    public let number: Int
    /// Random numbers of this value, the same in each run with the same seed number.
    public var random: GeneratedRandomNumbers
    private let sources: [String]
    private let values: [String: AttributeValue]

    init(
        entity: String, number: Int, sources: [String], values: [String: AttributeValue],
        random: GeneratedRandomNumbers
    ) {
        self.entity = entity
        self.number = number
        self.sources = sources
        self.values = values
        self.random = random
    }

    /// Another value of the object; nil for NULL.
    ///
    /// - Throws: ``GranaryError`` with code `usage` for an attribute that the generator does not name as a source.
    public func value(of attribute: String) throws(GranaryError) -> AttributeValue? {
        guard sources.contains(attribute) else {
            let known = sources.isEmpty ? "" : ", not only \(sources.joined(separator: ", "))"
            throw GranaryError(
                .usage, "CustomGenerator(from:) must name \"\(Diagnostic.shortened(attribute))\"\(known)")
        }
        return values[attribute]
    }
}
