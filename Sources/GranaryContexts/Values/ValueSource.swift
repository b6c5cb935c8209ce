public import Foundation
public import GranaryCoordination

/// Where a structure of values (``ManagedObjectValues``) gets its values from: a row of a store, or a decoder.
///
/// Each method returns the property with an index, nil for NULL. It throws if the property has another type or its value
/// is broken.
public protocol ValueSource {
    /// The ID of the object.
    func objectID() throws -> ManagedObjectID
    /// An Integer 16.
    func int16(_ index: Int) throws -> Int16?
    /// An Integer 32.
    func int32(_ index: Int) throws -> Int32?
    /// An Integer 64.
    func int64(_ index: Int) throws -> Int64?
    /// A Double.
    func double(_ index: Int) throws -> Double?
    /// A Float.
    func float(_ index: Int) throws -> Float?
    /// A Boolean.
    func bool(_ index: Int) throws -> Bool?
    /// A Date.
    func date(_ index: Int) throws -> Date?
    /// A Decimal.
    func decimal(_ index: Int) throws -> Decimal?
    /// A String.
    func string(_ index: Int) throws -> String?
    /// Binary data.
    func data(_ index: Int) throws -> Data?
    /// A UUID.
    func uuid(_ index: Int) throws -> UUID?
    /// A URI.
    func url(_ index: Int) throws -> URL?
    /// The object of a to-one relationship.
    func reference(_ index: Int) throws -> ManagedObjectID?
}
