import Foundation
import Granary

/// Shows a program that needs no model file: it builds its model, links a store's file, seeds the injuries from a
/// constant table and saves.
final class FooTriage {
    /// The constant table of injuries; a term's place is its key.
    static let injuryTerms = "Blunt Trauma%Burn%C-Spine%Cardiac%Crushing%Fracture%Laceration%Penetration"

    private let container: PersistentContainer
    private let context: ManagedObjectContext

    init() throws {
        container = try PersistentContainer(name: "Triage", model: Self.prepModel())
        context = container.makeContext()
    }

    /// All steps, one after the other.
    static func makeSeed(at url: URL) throws {
        let triage = try FooTriage()
        try triage.link2file(url)
        try triage.initInjury()
        try triage.save2file()
    }

    /// The model: injuries with a key and a name that occurs once.
    static func prepModel() -> ManagedObjectModel {
        let properties: [PropertyDescription] = [
            .attribute("key", .integer16, .required, .minimum(0)),
            .attribute("name", .string, .required, .length(1...80)),
        ]
        return ManagedObjectModel(entities: [EntityDescription("Injury", properties, unique: [["name"]])])
    }

    /// Opens the SQLite file, or makes it.
    func link2file(_ url: URL) throws {
        try container.persistentStoreCoordinator.addPersistentStore(PersistentStoreDescription(.sqlite(url)))
    }

    /// Makes an injury of each term, unless there are injuries already.
    func initInjury() throws {
        guard try context.count("Injury") == 0 else { return }
        for (key, term) in Self.injuryTerms.split(separator: "%").enumerated() {
            let injury = try context.insert(into: "Injury")
            try injury.setValue(.integer(Int64(key)), forKey: "key")
            try injury.setValue(.string(String(term)), forKey: "name")
        }
    }

    /// Writes what is new into the file.
    func save2file() throws { if context.hasChanges { try context.save() } }

    /// The names of all injuries, by key.
    func injuries() throws -> [String] {
        var request = FetchRequest("Injury")
        request.sortDescriptors = [ObjectSortDescriptor("key")]
        return try context.fetch(request).compactMap { try $0.string(forKey: "name") }
    }
}
