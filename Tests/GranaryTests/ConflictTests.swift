import Foundation
import Granary
import TestSupport
import Testing

/// Keeps the value of an object that a rule prefers.
private final class LongerNamePolicy: MergePolicy, @unchecked Sendable {
    init() { super.init(basedOn: .mergeByPropertyStoreTrump) }

    override func resolve(_ conflict: MergeConflict, of object: ManagedObject) throws -> MergePolicy {
        let name = conflict.properties.first { $0.name == "name" }
        guard let name, case .attribute(.string(let here)?) = name.objectValue,
            case .attribute(.string(let there)?)? = name.storeValue
        else { return try super.resolve(conflict, of: object) }
        return here.count > there.count ? .mergeByPropertyObjectTrump : .mergeByPropertyStoreTrump
    }

    override func resolve(
        _ conflict: ConstraintConflict, of object: ManagedObject, with other: ManagedObject
    ) throws -> MergePolicy {
        throw GranaryError(.refused, "the names \(conflict.constraint) must differ")
    }
}

/// Saves of objects that another context has changed.
@Suite("Save conflicts") struct ConflictTests {
    private let container: PersistentContainer
    private let context: ManagedObjectContext
    private let cup: ManagedObject

    init() throws {
        let model = ManagedObjectModel(entities: [
            EntityDescription(
                "Cup", [.attribute("name", .string), .attribute("size", .integer16), .attribute("code", .string)],
                unique: [["code"]])
        ])
        container = try PersistentContainer(model: model, store: .inMemory)
        let first = container.makeContext()
        let new = try first.insert(into: "Cup")
        try new.setValue("base", forKey: "name")
        try new.setValue("X", forKey: "code")
        try first.save()
        context = container.makeContext()
        cup = try context.existingObject(with: new.objectID)
        try cup.setValue("our name", forKey: "name")
        // The other context saves first.
        try new.setValue("theirs", forKey: "name")
        try new.setValue(5, forKey: "size")
        try first.save()
    }

    @Test("The error of a conflict contains both values")
    func errorPolicy() throws {
        let error = try #require(throws: GranaryError.self) { try context.save() }
        #expect(error.coreDataCode == 133_020 && error.diagnostics.map(\.code) == [.objectConflict])
        let conflicts = try #require(error.underlying as? SaveConflicts)
        #expect(SaveConflicts.errorDomain == "NSCocoaErrorDomain" && conflicts.errorCode == 133_020)
        #expect(conflicts.constraintConflicts.isEmpty)
        let conflict = try #require(conflicts.mergeConflicts.first)
        #expect(conflict.objectID == cup.objectID && !conflict.isDeleted)
        #expect(conflict.newVersion == conflict.oldVersion + 1)
        let name: MergeConflict.Property = try #require(conflict.properties.first)
        let here: PropertyValue = name.objectValue
        #expect(here != name.storeValue)
        #expect(name.name == "name" && name.objectValue == .attribute("our name"))
        #expect(name.storeValue == .attribute("theirs") && name.snapshotValue == .attribute("base"))
        #expect((error as NSError).userInfo["conflictList"] as? [MergeConflict] == [conflict])
        #expect(conflicts.errorDescription?.contains("name is our name here, theirs in the store") == true)
        #expect(conflicts.errorUserInfo["conflictList"] as? [MergeConflict] == [conflict])
    }

    private static let policies: [(policy: MergePolicy, name: AttributeValue, size: AttributeValue?)] = [
        (.mergeByPropertyStoreTrump, "theirs", 5), (.mergeByPropertyObjectTrump, "our name", 5),
        (.overwrite, "our name", nil), (.rollback, "theirs", 5), (LongerNamePolicy(), "our name", 5),
        (
            .custom { conflict, object in
                try object.setValue("merged", forKey: "name")
                return conflict.properties.isEmpty ? .rollback : .mergeByPropertyObjectTrump
            }, "merged", 5
        ),
    ]

    @Test("Each merge policy resolves the conflict in its way", arguments: policies.indices)
    func mergePolicies(index: Int) async throws {
        let (policy, name, size) = Self.policies[index]
        context.mergePolicy = policy
        try context.save()
        let values = try await container.perform { context in
            let cup = try #require(try context.fetchAll("Cup").first)
            return [cup["name"], cup["size"]]
        }
        #expect(values == [name, size], "\(policy)")
        #expect(MergePolicy.error != MergePolicy.overwrite && "\(MergePolicy.rollback)" == "rollback")
    }
}
