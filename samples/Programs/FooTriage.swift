import Foundation
import Granary

/// Shows a program without a model file: it builds the model, adds a store, inserts the injuries of a constant table,
/// and saves.
final class FooTriage {
    /// The constant table of injuries. The position of a term is its key.
    static let injuryTerms = "Blunt Trauma%Burn%C-Spine%Cardiac%Crushing%Fracture%Laceration%Penetration"

    private let container: PersistentContainer
    private let context: ManagedObjectContext

    init() throws {
        container = try PersistentContainer(name: "Triage", model: Self.prepModel())
        context = container.makeContext()
    }

    /// Runs all steps.
    static func makeSeed(at url: URL) throws {
        let triage = try FooTriage()
        try triage.link2file(url)
        try triage.initInjury()
        try triage.save2file()
    }

    /// Returns a model of injuries with a key and a unique name.
    static func prepModel() -> ManagedObjectModel {
        let properties: [PropertyDescription] = [
            .attribute("key", .integer16, .required, .minimum(0)),
            .attribute("name", .string, .required, .length(1...80)),
        ]
        return ManagedObjectModel(entities: [EntityDescription("Injury", properties, unique: [["name"]])])
    }

    /// Opens the SQLite file, or creates it.
    func link2file(_ url: URL) throws {
        try container.persistentStoreCoordinator.addPersistentStore(PersistentStoreDescription(.sqlite(url)))
    }

    /// Inserts an injury for each term, unless there are injuries already.
    func initInjury() throws {
        guard try context.count("Injury") == 0 else { return }
        for (key, term) in Self.injuryTerms.split(separator: "%").enumerated() {
            let injury = try context.insert(into: "Injury")
            try injury.setValue(.integer(Int64(key)), forKey: "key")
            try injury.setValue(.string(String(term)), forKey: "name")
        }
    }

    /// Saves the changes, if there are any.
    func save2file() throws { if context.hasChanges { try context.save() } }

    /// Returns the names of all injuries, sorted by key.
    func injuries() throws -> [String] {
        try context.fetch("Injury", sort: "key").compactMap { try $0.string(forKey: "name") }
    }
}
