import Foundation
import GranaryBase
import GranaryCoordination
import GranaryModel
import GranaryPredicates

/// The values of an object in a context, with its unsaved changes.
struct ObjectValueSource: ValueSource {
    private let object: ManagedObject
    private let properties: [ValueProperty]

    init(_ object: ManagedObject, _ properties: [ValueProperty]) {
        self.object = object
        self.properties = properties
    }

    func objectID() throws -> ManagedObjectID { object.objectID }

    func int16(_ index: Int) throws -> Int16? { try value(index) }
    func int32(_ index: Int) throws -> Int32? { try value(index) }
    func int64(_ index: Int) throws -> Int64? { try value(index) }
    func double(_ index: Int) throws -> Double? { try value(index) }
    func float(_ index: Int) throws -> Float? { try value(index) }
    func bool(_ index: Int) throws -> Bool? { try value(index) }
    func date(_ index: Int) throws -> Date? { try value(index) }
    func decimal(_ index: Int) throws -> Decimal? { try value(index) }
    func string(_ index: Int) throws -> String? { try value(index) }
    func data(_ index: Int) throws -> Data? { try value(index) }
    func uuid(_ index: Int) throws -> UUID? { try value(index) }
    func url(_ index: Int) throws -> URL? { try value(index) }

    func reference(_ index: Int) throws -> ManagedObjectID? {
        try object.object(forKey: try property(index).name)?.objectID
    }

    private func value<Value: AttributeRepresentable>(_ index: Int) throws -> Value? {
        try object[AttributeKey<Value>(property(index).name)]
    }

    private func property(_ index: Int) throws(GranaryError) -> ValueProperty {
        guard properties.indices.contains(index) else {
            throw GranaryError(.usage, "there is no property with the index \(index)")
        }
        return properties[index]
    }
}

extension ManagedObjectValues {
    /// The values of an object as they are in its context, with unsaved changes.
    ///
    /// ```swift
    /// let updates = container.updates(of: FetchRequest(Book.self)) { try Book.Values(of: $0) }
    /// ```
    /// - Throws: ``GranaryError``: `usage` if the object is of another entity or the model lacks a property; any error
    ///   from reading a fault.
    public init(of object: ManagedObject) throws {
        let schema = object.layout.schema
        guard let entity = schema.entity(named: Self.entityName), object.layout.isKind(of: entity.index) else {
            throw GranaryError(.usage, "\(object) is not an object of the entity \(Self.entityName)")
        }
        try self.init(ObjectValueSource(object, Self.properties))
    }
}
