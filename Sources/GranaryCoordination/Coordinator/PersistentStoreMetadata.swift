public import Foundation
import GranaryBase
import GranaryPropertyLists

/// What a store says about itself, also while it is not open. (`NSPersistentStore.metadata`)
///
/// What Core Data needs has members of its own, which nobody can change by accident; ``values`` is what an app has put
/// beside.
///
/// ```swift
/// let metadata = try PersistentStoreCoordinator.metadataForPersistentStore(at: .sqlite(url))
/// if metadata.values["SeedVersion"] == 3 { … }
/// ```
public struct PersistentStoreMetadata: Sendable, Hashable {
    /// The store's UUID, upper case. (`NSStoreUUIDKey`)
    public let identifier: String
    /// `SQLite`, `Archive` or `InMemory`. (`NSStoreTypeKey`)
    public let type: String
    /// The version hash (32 bytes) of each entity that the store was made for, by the entity's name.
    /// (`NSStoreModelVersionHashesKey`)
    public let modelVersionHashes: [String: Data]
    /// The identifiers of the model that it was made for. (`NSStoreModelVersionIdentifiersKey`)
    public let modelVersionIdentifiers: [String]
    /// The version of Core Data that wrote it; nil where it does not say.
    public let frameworkVersion: Int64?
    /// What an app has put beside Core Data's own, by its keys.
    public let values: [String: Value]

    init(_ stored: StoreMetadata) {
        identifier = stored.identifier
        type = stored["NSStoreType"]?.string ?? ""
        modelVersionHashes = stored.versionHashes
        modelVersionIdentifiers = (stored["NSStoreModelVersionIdentifiers"]?.array ?? []).compactMap(\.string)
        frameworkVersion = stored.frameworkVersion
        values = stored.userValues
    }
}

extension PersistentStoreMetadata {
    /// What can stand in a store's metadata: a value of a property list.
    public enum Value: Sendable, Hashable {
        /// Text.
        case string(String)
        /// A whole number.
        case integer(Int64)
        /// A whole number that is too large for ``integer(_:)``.
        case unsigned(UInt64)
        /// A number with a fraction.
        case real(Double)
        /// Yes or no.
        case boolean(Bool)
        /// A point in time.
        case date(Date)
        /// Bytes.
        case data(Data)
        /// A list.
        case array([Value])
        /// Values by their keys.
        case dictionary([String: Value])
    }
}

extension PersistentStoreMetadata.Value: ExpressibleByStringLiteral, ExpressibleByIntegerLiteral,
    ExpressibleByFloatLiteral, ExpressibleByBooleanLiteral
{
    /// A ``string(_:)``.
    public init(stringLiteral value: String) { self = .string(value) }
    /// An ``integer(_:)``.
    public init(integerLiteral value: Int64) { self = .integer(value) }
    /// A ``real(_:)``.
    public init(floatLiteral value: Double) { self = .real(value) }
    /// A ``boolean(_:)``.
    public init(booleanLiteral value: Bool) { self = .boolean(value) }
}

extension PersistentStoreMetadata.Value {
    /// How deep lists and dictionaries may stand in each other. The functions below go down as deep.
    static let depthLimit = 128

    /// Nil for what there is no case for: a reference of a keyed archive, one key twice, and what lies too deep.
    init?(_ stored: PropertyListValue, depth: Int = 0) {
        guard depth < Self.depthLimit else { return nil }
        switch stored {
        case .string(let text): self = .string(text)
        case .integer(let number): self = .integer(number)
        case .unsigned(let number): self = .unsigned(number)
        case .real(let number): self = .real(number)
        case .boolean(let flag): self = .boolean(flag)
        case .date(let seconds): self = .date(Date(timeIntervalSinceReferenceDate: seconds))
        case .data(let bytes): self = .data(Data(bytes))
        case .array(let members):
            let values = members.compactMap { Self($0, depth: depth + 1) }
            guard values.count == members.count else { return nil }
            self = .array(values)
        case .dictionary(let entries):
            var values: [String: Self] = [:]
            for entry in entries { values[entry.key] = Self(entry.value, depth: depth + 1) }
            guard values.count == entries.count else { return nil }
            self = .dictionary(values)
        case .uid: return nil
        }
    }

    /// - Throws: ``GranaryError``: `limit.exceeded` for what is nested too deep; `value.range` for a date without a
    ///   number.
    func propertyListValue(depth: Int = 0) throws(GranaryError) -> PropertyListValue {
        guard depth < Self.depthLimit else {
            throw GranaryError(
                Diagnostic(.limitExceeded, "metadata are nested deeper than the limit of \(Self.depthLimit)"))
        }
        switch self {
        case .string(let text): return .string(text)
        case .integer(let number): return .integer(number)
        case .unsigned(let number):
            guard let small = Int64(exactly: number) else { return .unsigned(number) }
            return .integer(small)
        case .real(let number): return .real(number)
        case .boolean(let flag): return .boolean(flag)
        case .date(let date):
            let seconds = date.timeIntervalSinceReferenceDate
            guard seconds.isFinite else {
                throw GranaryError(Diagnostic(.valueRange, "a date whose seconds are \(seconds) cannot be kept"))
            }
            return .date(seconds)
        case .data(let data): return .data(Array(data))
        case .array(let members):
            var values: [PropertyListValue] = []
            for member in members { values.append(try member.propertyListValue(depth: depth + 1)) }
            return .array(values)
        case .dictionary(let values): return .dictionary(try Self.entries(values, depth: depth + 1))
        }
    }

    /// The entries of a dictionary, in the order of their keys, so that equal values give equal bytes.
    static func entries(_ values: [String: Self], depth: Int) throws(GranaryError) -> [PropertyListEntry] {
        var entries: [PropertyListEntry] = []
        for key in values.keys.sorted(by: { $0.utf8.lexicographicallyPrecedes($1.utf8) }) {
            guard let value = values[key] else { continue }
            entries.append(PropertyListEntry(key, try value.propertyListValue(depth: depth)))
        }
        return entries
    }
}
