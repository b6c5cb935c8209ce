public import GranaryCoordination

/// The values of one object as a structure: `Book.Values`. Generated code conforms to it; see ``ManagedObjectContext``'s
/// `values(_:where:sort:limit:offset:)`.
///
/// As JSON the values have the form of Granary's JSON export: dates in ISO 8601, binary data in Base64, null for NULL,
/// the objects as `Book/p1`. Decoding needs the container of the objects:
/// `decoder.userInfo = container.decodingUserInfo`.
public protocol ManagedObjectValues: Sendable, Codable, Hashable, Identifiable {
    /// The entity in the model.
    static var entityName: String { get }
    /// The properties. A source and an encoder know each by its index here.
    static var properties: [ValueProperty] { get }
    /// The object.
    var objectID: ManagedObjectID { get }
    /// Copies the values of an object. The source is valid only during the call; nothing else may be read meanwhile.
    init(_ source: some ValueSource) throws
    /// Encodes each value.
    func write(to encoder: inout ValueEncoder) throws
}

extension ManagedObjectValues {
    /// Decodes the values from the form of Granary's JSON export.
    ///
    /// A missing property is nil if it is optional. Null in a required property gives the type's empty value.
    ///
    /// - Throws: `DecodingError` if the decoder has no ``PersistentContainer/decodingUserInfo``, a value has another
    ///   form, a required property is missing, or the object is of another entity.
    public init(from decoder: any Decoder) throws {
        try self.init(DecodedValueSource(decoder, Self.self))
    }

    /// Encodes the values in the form of Granary's JSON export.
    ///
    /// - Throws: `EncodingError` for an infinite number, a date outside the years 0000 to 9999, and a temporary ID.
    public func encode(to encoder: any Encoder) throws {
        var values = ValueEncoder(encoder, Self.properties)
        try values.write(objectID)
        try write(to: &values)
    }
}
