import Foundation
import Granary

/// Shows a program that reads a compiled model, links a store file, inserts the injuries of a constant table, and saves.
/// It accesses values by name and needs no classes.
final class FooTriage {
    /// The constant table of injuries. The position of a term is its key.
    static let injuryTerms = "Blunt Trauma%Burn%C-Spine%Cardiac%Crushing%Fracture%Laceration%Penetration"

    /// The error of the last ``save2file()`` that returned false.
    private(set) var saveError: (any Error)?

    private let persistentStoreCoordinator: PersistentStoreCoordinator
    private let managedObjectContext: ManagedObjectContext

    /// - Parameter folder: the folder of `FooTriage.momd`.
    init(modelIn folder: URL) throws {
        let model = try Self.prepModel(in: folder)
        persistentStoreCoordinator = PersistentStoreCoordinator(schema: try model.resolved())
        managedObjectContext = ManagedObjectContext(persistentStoreCoordinator)
    }

    /// Runs all steps.
    ///
    /// - Returns: whether the store has been saved.
    static func makeSeed(modelIn folder: URL, at url: URL) throws -> Bool {
        let triage = try FooTriage(modelIn: folder)
        try triage.link2file(url)
        return try triage.initInjury()
    }

    /// Loads `FooTriage.momd`, whose entity Injury has a key and a unique name.
    static func prepModel(in folder: URL) throws -> ManagedObjectModel {
        try ManagedObjectModel(contentsOf: folder.appending(path: "FooTriage.momd"))
    }

    /// Opens the SQLite file, or creates it.
    func link2file(_ url: URL) throws {
        try persistentStoreCoordinator.addPersistentStore(PersistentStoreDescription(.sqlite(url)))
    }

    /// Inserts an injury for each term, unless there are injuries already, and saves.
    ///
    /// - Returns: the result of ``save2file()``.
    func initInjury() throws -> Bool {
        if try managedObjectContext.count("Injury") == 0 {
            for (key, term) in Self.injuryTerms.split(separator: "%").enumerated() {
                let injury = try managedObjectContext.insert(into: "Injury")
                try injury.setValue(.integer(Int64(key)), forKey: "key")
                try injury.setValue(.string(String(term)), forKey: "name")
            }
        }
        return save2file()
    }

    /// Saves the changes, if there are any.
    ///
    /// - Returns: false if the save failed; ``saveError`` is then the error, and the changes are kept.
    func save2file() -> Bool {
        do {
            if managedObjectContext.hasChanges { try managedObjectContext.save() }
            saveError = nil
            return true
        } catch {
            saveError = error
            return false
        }
    }

    /// Returns the names of all injuries, sorted by key.
    func injuries() throws -> [String] {
        try managedObjectContext.fetch("Injury", sort: "key").compactMap { try $0.string(forKey: "name") }
    }
}
