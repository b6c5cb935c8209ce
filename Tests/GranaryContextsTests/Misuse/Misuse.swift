import GranaryBase
import GranaryContexts
import GranaryCoordination
import GranaryModel
import StoreTestSupport
import Testing

/// A call that cannot do what it says: the error says why, and the store has what the outer calls have saved.
struct Misuse: Sendable, CustomTestStringConvertible {
    let name: String
    /// Parts of the message.
    let says: [String]
    /// The names in the store afterwards.
    let stored: [String]
    /// Throws the error.
    let act: @Sendable (MisuseBench) throws -> Void

    init(
        _ name: String, _ says: [String], stored: [String] = ["Ann", "Bob", "Rex"],
        _ act: @escaping @Sendable (MisuseBench) throws -> Void
    ) {
        self.name = name
        self.says = says
        self.stored = stored
        self.act = act
    }

    var testDescription: String { name }

    static let all = reentry + strangers + lost + deleted + unloaded
}

// MARK: - Calls inside a save

extension Misuse {
    static let reentry: [Misuse] = [
        Misuse("save in willSave", ["save() was called inside willSave()", "Person"], stored: ["Ann 2", "Bob", "Rex"]) {
            try $0.inside(.willSave, of: $0.ann, $0.rename) { try $0.managedObjectContext?.save() }
        },
        Misuse("save in didSave", ["save() was called inside didSave()"], stored: ["Ann 2", "Bob", "Rex"]) {
            try $0.inside(.didSave, of: $0.ann, $0.rename) { try $0.managedObjectContext?.save() }
        },
        Misuse(
            "save in validateForInsert", ["save() was called inside validateForInsert()"],
            stored: ["Ann", "Bob", "New", "Rex"]
        ) {
            bench in
            let new = try bench.context.insert(Meddler.self)
            try new.setValue("New", forKey: "name")
            try bench.inside(.validateForInsert, of: new, {}) { try $0.managedObjectContext?.save() }
        },
        Misuse(
            "save in validateForUpdate", ["save() was called inside validateForUpdate()"],
            stored: ["Ann 2", "Bob", "Rex"]
        ) {
            try $0.inside(.validateForUpdate, of: $0.ann, $0.rename) { try $0.managedObjectContext?.save() }
        },
        Misuse(
            "save in validateValue", ["save() was called inside validateForUpdate()"], stored: ["Ann 2", "Bob", "Rex"]
        ) {
            try $0.inside(.validateValue, of: $0.ann, $0.rename) { try $0.managedObjectContext?.save() }
        },
        Misuse("save in validateForDelete", ["save() was called inside validateForDelete()"], stored: ["Bob"]) {
            bench in
            let context = bench.context
            try bench.inside(.validateForDelete, of: bench.ann, { try context.delete(bench.ann) }) { _ in
                try context.save()
            }
        },
        Misuse("save in prepareForDeletion", ["save() was called inside prepareForDeletion()"], stored: ["Bob"]) {
            bench in
            let context = bench.context
            try bench.inside(.prepareForDeletion, of: bench.ann, { try context.delete(bench.ann) }) { _ in
                try context.save()
            }
        },
        Misuse("save in an observer", ["save() was called inside an observer"], stored: ["Ann 2", "Bob", "Rex"]) {
            bench in
            let caught = Caught()
            let context = bench.context
            context.addObserver { [unowned context] _ in caught.run { try context.save() } }
            try bench.rename()
            try context.save()
            try caught.rethrow()
        },
        Misuse(
            "save in a merge policy", ["save() was called inside the merge policy"], stored: ["Ann 2", "Bob", "Rex"]
        ) {
            bench in
            try bench.container.change(bench.ann.objectID, "name", to: "theirs")
            bench.context.mergePolicy = .custom { _, object in
                try object.managedObjectContext?.save()
                return .overwrite
            }
            try bench.rename()
            // The policy passes the error on, so this save fails too.
            do { try bench.context.save() } catch {
                bench.context.mergePolicy = .overwrite
                try bench.context.save()
                throw error
            }
        },
        Misuse(
            "save of the parent in a save of the child", ["save() was called inside prepareForDeletion()"],
            stored: ["Bob"]
        ) {
            bench in
            let child = bench.context.makeChild()
            bench.ann.acts[.prepareForDeletion] = { try $0.managedObjectContext?.save() }
            try child.delete(try #require(try child.lookUpObject(with: bench.ann.objectID)))
            try child.save()
            try bench.context.save()
            if let error = bench.ann.errors.first { throw error }
        },
        Misuse(
            "save of a child in a validation of the parent",
            ["save() of a child context was called inside validateForUpdate()"], stored: ["Ann 2", "Bob", "Rex"]
        ) {
            bench in
            let child = bench.context.makeChild()
            try child.lookUpObject(with: bench.bob.objectID)?.setValue("not validated", forKey: "name")
            try bench.inside(.validateForUpdate, of: bench.ann, bench.rename) { _ in try child.save() }
        },
        Misuse(
            "validate in a validation", ["validate() was called inside validateForUpdate()"],
            stored: ["Ann 2", "Bob", "Rex"]
        ) {
            try $0.inside(.validateForUpdate, of: $0.ann, $0.rename) { _ = try $0.managedObjectContext?.validate() }
        },
        Misuse("reset in willSave", ["reset() was called inside willSave()"]) {
            try $0.inside(.willSave, of: $0.ann, $0.rename) { $0.managedObjectContext?.reset() }
        },
        Misuse("rollback in a validation", ["rollback() was called inside validateForUpdate()"]) {
            try $0.inside(.validateForUpdate, of: $0.ann, $0.rename) { $0.managedObjectContext?.rollback() }
        },
    ]
}

extension MisuseBench {
    func rename() throws { try ann.setValue("Ann 2", forKey: "name") }
}

/// The error of a closure that cannot throw.
final class Caught {
    private var error: (any Error)?

    func run(_ body: () throws -> Void) {
        do { try body() } catch { self.error = self.error ?? error }
    }

    func rethrow() throws { if let error { throw error } }
}
