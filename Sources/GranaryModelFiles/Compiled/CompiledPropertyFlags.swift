import GranaryModel
import GranaryPropertyLists

/// The word `_P` of an archived property: flags that repeat its other keys.
///
/// Confirmed by all of 41,576 real properties (docs/core-data/model-formats.md#flags-of-properties), except
/// ``storedInExternalRecord``, which no examined file contains.
struct CompiledPropertyFlags: OptionSet, Hashable, Sendable {
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

    /// The flags that also have a key. A flag that is set has the key and the bit; one that is not set has neither.
    static let keys: [(flag: Self, key: String)] = [
        (.optional, "NSIsOptional"), (.readOnly, "NSIsReadOnly"), (.transient, "NSIsTransient"),
        (.indexedBySpotlight, "NSIndexedBySpotlight"), (.storedInExternalRecord, "NSIsStoredInTruth"),
        (.ordered, "NSIsOrdered"), (.allowsCloudEncryption, "NSAllowsCloudEncryption"),
    ]
}
