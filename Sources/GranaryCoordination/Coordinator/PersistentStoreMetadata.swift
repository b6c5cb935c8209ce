public import Foundation
import GranaryBase
import GranaryPropertyLists

/// The metadata of a store, open or not. (`NSPersistentStore.metadata`)
///
/// Core Data's entries are separate read-only properties; ``values`` holds the app's entries.
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
    /// The version hashes (32 bytes) of the store's entities, by entity name. (`NSStoreModelVersionHashesKey`)
    public let modelVersionHashes: [String: Data]
    /// The version identifiers of the store's model. (`NSStoreModelVersionIdentifiersKey`)
    public let modelVersionIdentifiers: [String]
    /// The version of Core Data that wrote the store; nil if it is not recorded.
    public let frameworkVersion: Int64?
    /// The app's entries, by key.
    public let values: [String: Value]

    /// Metadata made in code, to compare with those of a store or to stand for a store in a test. It changes no store.
    ///
    /// - Parameters:
    ///   - type: `SQLite`, `Archive` or `InMemory`.
    ///   - modelVersionHashes: those of a model are `Schema.versionHashes`.
    public init(
        identifier: String = UUID().uuidString, type: String = "SQLite", modelVersionHashes: [String: Data] = [:],
        modelVersionIdentifiers: [String] = [], frameworkVersion: Int64? = nil, values: [String: Value] = [:]
    ) {
        self.identifier = identifier
        self.type = type
        self.modelVersionHashes = modelVersionHashes
        self.modelVersionIdentifiers = modelVersionIdentifiers
        self.frameworkVersion = frameworkVersion
        self.values = values
    }

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
    /// A metadata value: the values of a property list.
    public enum Value: Sendable, Hashable {
        /// Text.
        case string(String)
        /// An integer.
        case integer(Int64)
        /// An integer above the range of ``integer(_:)``.
        case unsigned(UInt64)
        /// A floating-point number.
        case real(Double)
        /// A Boolean.
        case boolean(Bool)
        /// A date.
        case date(Date)
        /// Bytes.
        case data(Data)
        /// A list.
        case array([Value])
        /// A dictionary.
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
    /// The maximum nesting of lists and dictionaries. The functions below recurse to this depth.
    static let depthLimit = 128

    /// Nil if there is no case for the value (a reference of a keyed archive), a key occurs twice, or the nesting is
    /// too deep.
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

    /// - Throws: ``GranaryError``: `limit.exceeded` if the nesting is too deep; `value.range` for a date that is not a
    ///   finite number.
    func propertyListValue(depth: Int = 0) throws(GranaryError) -> PropertyListValue {
        guard depth < Self.depthLimit else {
            throw GranaryError(
                Diagnostic(.limitExceeded, "the metadata is nested deeper than the limit of \(Self.depthLimit)"))
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
                throw GranaryError(Diagnostic(.valueRange, "a date of \(seconds) seconds cannot be stored"))
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

    /// The entries of a dictionary, sorted by key so that equal values give equal bytes.
    static func entries(_ values: [String: Self], depth: Int) throws(GranaryError) -> [PropertyListEntry] {
        var entries: [PropertyListEntry] = []
        for key in values.keys.sorted(by: { $0.utf8.lexicographicallyPrecedes($1.utf8) }) {
            guard let value = values[key] else { continue }
            entries.append(PropertyListEntry(key, try value.propertyListValue(depth: depth)))
        }
        return entries
    }
}
