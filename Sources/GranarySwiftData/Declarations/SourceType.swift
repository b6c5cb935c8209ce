/// A type as written.
package indirect enum SourceType: Codable, Sendable, Hashable {
    /// A name with dots and its generic arguments: `String`, `SchemaV1.Trip`, `Set<String>`.
    case named(String, [SourceType])
    /// `T?`, `T!`.
    case optional(SourceType)
    case array(SourceType)
    case dictionary(SourceType, SourceType)
    /// Any other type, such as a tuple or a function, as text of at most 200 characters.
    case other(String)
}
