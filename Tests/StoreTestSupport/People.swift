package import GranaryContexts
package import GranaryCoordination
import GranaryCoreDataStore
import GranaryInspection
import GranaryModel
package import GranaryPredicates
import TestSupport

/// Short-hands for objects of ``PeopleModel``.
extension ManagedObjectContext {
    package func person(_ name: String, salary: Int64? = nil) throws -> ManagedObject {
        let person = try insert(into: "Person")
        try person.setValue(.string(name), forKey: "name")
        if let salary { try person.setValue(.integer(salary), forKey: "salary") }
        return person
    }

    package func pet(_ name: String, of owner: ManagedObject? = nil) throws -> ManagedObject {
        let pet = try insert(into: "Pet")
        try pet.setValue(.string(name), forKey: "name")
        if let owner { try pet.setObject(owner, forKey: "owner") }
        return pet
    }

    package func department(_ title: String) throws -> ManagedObject {
        let department = try insert(into: "Department")
        try department.setValue(.string(title), forKey: "title")
        return department
    }
}

extension PersistentContainer {
    /// Changes an object in a context of its own, and saves.
    package func change(_ id: ManagedObjectID, _ key: String, to value: AttributeValue?) throws {
        let context = makeContext()
        try context.lookUpObject(with: id)?.setValue(value, forKey: key)
        try context.save()
    }

    /// Deletes an object in a context of its own, and saves.
    package func delete(_ id: ManagedObjectID) throws {
        let context = makeContext()
        if let object = try context.lookUpObject(with: id) { try context.delete(object) }
        try context.save()
    }

    /// What the store has for an attribute; nil for NULL, and where there is no such object.
    package func stored(_ id: ManagedObjectID, _ key: String) throws -> AttributeValue? {
        try makeContext().lookUpObject(with: id)?.value(forKey: key)
    }
}

extension StoreFactory {
    /// One of each kind, for tests that write much; without the archive in `make test`.
    package static let kinds = TestDepth.usesAllStores ? everyKind : [inMemory, sqlitePublished]

    package static let everyKind = [inMemory, sqlitePublished, sqliteWithLog, archive] + postgreSQL.prefix(1)
}
