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
