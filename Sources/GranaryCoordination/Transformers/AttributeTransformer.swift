public import Foundation
import GranaryBase

/// Converts the value of a Transformable attribute to the bytes in the store, and back. (`NSValueTransformer`;
/// Foundation has that name as `ValueTransformer` on macOS and lacks it on Linux.)
///
/// The model names an attribute's transformer; the container gets the transformers:
///
/// ```swift
/// // Equal values must give equal bytes.
/// let point = AttributeTransformer(
///     name: "PointTransformer",
///     encode: { (point: Point) in
///         let encoder = JSONEncoder()
///         encoder.outputFormatting = .sortedKeys
///         return try encoder.encode(point)
///     },
///     decode: { data in try JSONDecoder().decode(Point.self, from: data) })
/// let container = try PersistentContainer(model: model, store: .sqlite(url), transformers: [point])
/// ```
///
/// Transformers for property-list classes are built in (``keyedArchive(name:)``). Core Data runs some of its
/// transformers forwards and some backwards; here the two directions have separate names.
public struct AttributeTransformer: Sendable {
    /// The name in the model (``AttributeDescription/valueTransformerName``).
    public let name: String
    /// Whether Core Data saves values with this transformer. It refuses a transformer that instantiates any class that
    /// an archive names.
    package let isSecure: Bool
    /// Equal for transformers that do the same: copies of one value, and keyed archives.
    let identity: String
    let encodeValue: @Sendable (any Sendable) throws -> Data
    let decodeValue: @Sendable (Data) throws -> any Sendable

    /// Creates a transformer for values of one type.
    ///
    /// - Parameters:
    ///   - name: the name in the model.
    ///   - encode: returns the bytes of a value. Equal values should give equal bytes, so that setting an equal value
    ///     is not a change.
    ///   - decode: returns the value of bytes. It must throw, not trap, for invalid bytes.
    public init<Value: Sendable>(
        name: String, encode: @escaping @Sendable (Value) throws -> Data,
        decode: @escaping @Sendable (Data) throws -> Value
    ) {
        self.name = name
        isSecure = true
        identity = UUID().uuidString
        encodeValue = { value in
            guard let fitting = value as? Value else {
                throw GranaryError(
                    Diagnostic(
                        .valueSyntax,
                        "the transformer \"\(name)\" cannot encode a value of the type \(type(of: value)); "
                            + "it takes \(Value.self)"))
            }
            return try encode(fitting)
        }
        decodeValue = { data in try decode(data) }
    }

    /// Returns the bytes of a value.
    ///
    /// - Throws: ``GranaryError`` with code `refused` (`value.syntax`) for a value of the wrong type; any error from
    ///   the transformer.
    public func encode(_ value: any Sendable) throws -> Data { try encodeValue(value) }

    /// Returns the value of bytes.
    ///
    /// - Throws: any error from the transformer.
    public func decode(_ data: Data) throws -> any Sendable { try decodeValue(data) }
}

extension AttributeTransformer {
    /// The default transformer of attributes. (`NSSecureUnarchiveFromDataTransformerName`, Core Data's default since
    /// iOS 13)
    public static let secureUnarchiveFromData = keyedArchive(name: "NSSecureUnarchiveFromData")

    /// The default of older models. (`NSKeyedUnarchiveFromDataTransformerName`) It reads the same values as
    /// ``secureUnarchiveFromData`` and never instantiates a class that an archive names. Saving a context refuses new
    /// values for it, as Core Data does (134060).
    public static let keyedUnarchiveFromData = insecure(name: "NSKeyedUnarchiveFromData")

    static func insecure(name: String) -> AttributeTransformer {
        AttributeTransformer(keyedArchiveNamed: name, isSecure: false)
    }

    /// A transformer between property lists and keyed archives in the format of `NSKeyedArchiver`, under any name. Use
    /// it for models whose own transformer only allows further classes.
    ///
    /// | Swift | Apple's class | read as |
    /// |---|---|---|
    /// | `String`, `Data`, `Date`, `UUID`, `URL`, `Decimal` | `NSString`, …, `NSDecimalNumber` | the same |
    /// | `Bool` | `NSNumber` | `Bool` |
    /// | integers | `NSNumber` | `Int64`, above its range `UInt64` |
    /// | `Double`, `Float` | `NSNumber` | `Double` |
    /// | ``ArchivedNull``, nil inside a collection | `NSNull` | ``ArchivedNull`` |
    /// | arrays | `NSArray` | `[any Sendable]` |
    /// | sets | `NSSet` | `[any Sendable]` in the archive's order; `NSOrderedSet` too |
    /// | dictionaries of text or integers | `NSDictionary` | `[String: any Sendable]`, `[Int64: any Sendable]` |
    ///
    /// These are the classes that `NSSecureUnarchiveFromDataTransformer` allows, including mutable ones. Equal values
    /// give equal bytes. An archive may be binary or XML. Decoding accepts at most 128 nested collections and at most
    /// 100,000 values plus one for each byte of the archive; 64 bytes of text or data count as one value.
    ///
    /// Encoding throws ``GranaryError`` with code `refused`: `value.syntax` for a value of another type, `value.range`
    /// for a number or date that an archive cannot hold, `limit.exceeded`. Decoding throws `plist.syntax` for data that
    /// is not a valid keyed archive, a collection that contains itself, or an object of another class, which the
    /// message names; and `limit.exceeded`.
    public static func keyedArchive(name: String) -> AttributeTransformer {
        AttributeTransformer(keyedArchiveNamed: name)
    }

    private static let secureArchive = "keyed archive"
    private static let insecureArchive = "insecure keyed archive"

    /// Whether the transformer was made by ``keyedArchive(name:)``, or is built in.
    var readsKeyedArchives: Bool { identity == Self.secureArchive || identity == Self.insecureArchive }

    private init(keyedArchiveNamed name: String, isSecure: Bool = true) {
        self.name = name
        self.isSecure = isSecure
        identity = isSecure ? Self.secureArchive : Self.insecureArchive
        encodeValue = { value in try PropertyListArchiver.archive(value) }
        decodeValue = { data in try PropertyListUnarchiver.value(of: data) }
    }
}
