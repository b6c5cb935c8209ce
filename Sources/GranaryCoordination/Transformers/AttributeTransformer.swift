public import Foundation
import GranaryBase

/// Turns the value of a Transformable attribute into the bytes that a store keeps, and back.
/// (`NSValueTransformer`; Foundation has that name as `ValueTransformer` on macOS and lacks it on Linux.)
///
/// The model names the transformer of an attribute; the container is given the transformers:
///
/// ```swift
/// let point = AttributeTransformer(
///     name: "PointTransformer",
///     encode: { (point: Point) in try JSONEncoder().encode(point) },
///     decode: { data in try JSONDecoder().decode(Point.self, from: data) })
/// let container = try PersistentContainer(model: model, store: .sqlite(url), transformers: [point])
/// ```
///
/// Those for property-list classes are built in (``keyedArchive(name:)``). Core Data runs some of its transformers
/// forwards and some backwards; here the two directions have names of their own.
public struct AttributeTransformer: Sendable {
    /// The name that the model has (``AttributeDescription/valueTransformerName``).
    public let name: String
    /// Whether Core Data still saves with it: it refuses one that looks up any class that an archive names.
    package let isSecure: Bool
    let encodeValue: @Sendable (any Sendable) throws -> Data
    let decodeValue: @Sendable (Data) throws -> any Sendable

    /// A transformer of values of one type.
    ///
    /// - Parameters:
    ///   - name: the name that the model has.
    ///   - encode: gives the bytes of a value. Equal values should give equal bytes: then setting an equal value is
    ///     no change.
    ///   - decode: gives the value of bytes. It has to throw, not to trap, for bytes that are none of its own.
    public init<Value: Sendable>(
        name: String, encode: @escaping @Sendable (Value) throws -> Data,
        decode: @escaping @Sendable (Data) throws -> Value
    ) {
        self.name = name
        isSecure = true
        encodeValue = { value in
            guard let fitting = value as? Value else {
                throw GranaryError(
                    Diagnostic(
                        .valueSyntax,
                        "a value of the type \(type(of: value)) is not what the transformer \"\(name)\" takes: "
                            + "it takes \(Value.self)"))
            }
            return try encode(fitting)
        }
        decodeValue = { data in try decode(data) }
    }

    /// The bytes of a value.
    ///
    /// - Throws: ``GranaryError`` with code `refused` (`value.syntax`) for a value of another type than the
    ///   transformer's; what the transformer throws.
    public func encode(_ value: any Sendable) throws -> Data { try encodeValue(value) }

    /// The value that bytes stand for.
    ///
    /// - Throws: what the transformer throws.
    public func decode(_ data: Data) throws -> any Sendable { try decodeValue(data) }
}

extension AttributeTransformer {
    /// The transformer of an attribute without one in the model.
    /// (`NSSecureUnarchiveFromDataTransformerName`, Core Data's default since iOS 13)
    public static let secureUnarchiveFromData = keyedArchive(name: "NSSecureUnarchiveFromData")

    /// The default of older models. (`NSKeyedUnarchiveFromDataTransformerName`) It reads the same values as
    /// ``secureUnarchiveFromData``: no class of an archive is ever looked up or made. A context's save refuses a new value
    /// with it, as Core Data does (134060).
    public static let keyedUnarchiveFromData = insecure(name: "NSKeyedUnarchiveFromData")

    static func insecure(name: String) -> AttributeTransformer {
        AttributeTransformer(keyedArchiveNamed: name, isSecure: false)
    }

    /// A transformer of property lists to keyed archives, as `NSKeyedArchiver` writes them, under any name: for models
    /// whose own transformer does no more than to allow further classes.
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
    /// They are the classes that `NSSecureUnarchiveFromDataTransformer` allows, mutable ones included. Equal values
    /// give equal bytes. An archive may be binary or XML. What is read is at most 128 collections deep, and at most
    /// 100,000 values and one more for each byte of the archive; 64 bytes of text or data count as a value.
    ///
    /// Encoding throws ``GranaryError`` with code `refused`: `value.syntax` for a value of any other type,
    /// `value.range` for a number or date that an archive cannot hold, `limit.exceeded`. Decoding: `plist.syntax` for
    /// what is no keyed archive, is broken, holds itself, or holds an object of another class, which is named; and
    /// `limit.exceeded`.
    public static func keyedArchive(name: String) -> AttributeTransformer {
        AttributeTransformer(keyedArchiveNamed: name)
    }

    private init(keyedArchiveNamed name: String, isSecure: Bool = true) {
        self.name = name
        self.isSecure = isSecure
        encodeValue = { value in try PropertyListArchiver.archive(value) }
        decodeValue = { data in try PropertyListUnarchiver.value(of: data) }
    }
}
