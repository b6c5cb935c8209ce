import GranaryBase
import GranaryContexts
import GranaryCoordination
import GranaryModel
import GranaryPredicates
import StoreTestSupport

/// A Person that a test lets act inside a life-cycle or validation method, and that keeps the errors of its acts.
final class Meddler: ManagedObject {
    enum Hook: String, CaseIterable {
        case willSave, didSave, prepareForDeletion, validateForInsert, validateForUpdate, validateForDelete,
            validateValue
    }

    /// What to do in a method.
    var acts: [Hook: (Meddler) throws -> Void] = [:]
    private(set) var errors: [any Error] = []

    private func run(_ hook: Hook) {
        guard let act = acts[hook] else { return }
        do { try act(self) } catch { errors.append(error) }
    }

    override func willSave() { run(.willSave) }
    override func didSave() { run(.didSave) }
    override func prepareForDeletion() { run(.prepareForDeletion) }

    override func validateForInsert() throws {
        run(.validateForInsert)
        try super.validateForInsert()
    }

    override func validateForUpdate() throws {
        run(.validateForUpdate)
        try super.validateForUpdate()
    }

    override func validateForDelete() throws {
        run(.validateForDelete)
        try super.validateForDelete()
    }

    override func validateValue(_ value: AttributeValue?, forKey key: String) throws {
        run(.validateValue)
        try super.validateValue(value, forKey: key)
    }
}

/// A store with Ann, her pet Rex, and Bob, and a context with the two people.
struct MisuseBench {
    let factory: StoreFactory
    let container: PersistentContainer
    let context: ManagedObjectContext
    let ann: Meddler
    let bob: Meddler

    init(_ factory: StoreFactory) throws {
        self.factory = factory
        container = try PersistentContainer(PeopleModel.model, factory, classes: ["Hooked": Meddler.self])
        context = container.makeContext()
        ann = try context.insert(Meddler.self)
        try ann.setValue("Ann", forKey: "name")
        bob = try context.insert(Meddler.self)
        try bob.setValue("Bob", forKey: "name")
        _ = try context.pet("Rex", of: ann)
        try context.save()
    }

    /// The names in the store.
    func names() throws -> [String] {
        let fresh = container.makeContext()
        return try ["Person", "Pet"].flatMap { try fresh.fetchAll($0) }.map { try $0.string(forKey: "name") ?? "-" }
            .sorted()
    }

    /// Runs an act inside a method of an object, in a save that follows `change`.
    ///
    /// - Throws: the error of the act.
    func inside(
        _ hook: Meddler.Hook, of object: Meddler, _ change: () throws -> Void,
        _ act: @escaping (Meddler) throws -> Void
    ) throws {
        object.acts[hook] = act
        try change()
        try context.save()
        if let error = object.errors.first { throw error }
    }
}
