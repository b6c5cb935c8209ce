/// The word `_P` of an archived property: what its other keys say, once more in bits.
///
/// Read off 41,576 real properties without an exception (model-formats.md), but for ``storedInExternalRecord``, which
/// no file at hand has.
struct CompiledPropertyFlags: OptionSet, Sendable {
    let rawValue: Int64

    static let always = Self(rawValue: 0x001)
    static let optional = Self(rawValue: 0x002)
    static let readOnly = Self(rawValue: 0x004)
    static let transient = Self(rawValue: 0x008)
    static let noValidationPredicates = Self(rawValue: 0x010)
    static let noValidationWarnings = Self(rawValue: 0x020)
    static let noUserInfo = Self(rawValue: 0x040)
    static let noVersionHashModifier = Self(rawValue: 0x080)
    static let indexedBySpotlight = Self(rawValue: 0x100)
    static let storedInExternalRecord = Self(rawValue: 0x200)
    static let ordered = Self(rawValue: 0x400)
    static let allowsCloudEncryption = Self(rawValue: 0x800)
}
