import Foundation
import Granary

/// Shows a program that reads a compiled model, links a store file, inserts the injuries of a constant table, and saves, at
/// the latest when it is released. It accesses values by name and needs no classes.
final class FooTriage {
    /// The constant table of injuries. The position of a term is its key.
    static let injuryTerms = "Blunt Trauma%Burn%C-Spine%Cardiac%Crushing%Fracture%Laceration%Penetration"

    /// The context; nil if the store could not be added.
    private(set) var dbContext: ManagedObjectContext?
    /// The schema.
    private(set) var dbModel: ManagedObjectModel?
    /// The coordinator; nil without a schema.
    private(set) var dbSource: PersistentStoreCoordinator?
    /// The last error of any step.
    private(set) var dbError: (any Error)?

    private let bundle: Bundle?
    private let documents: URL
    private let log: (String) -> Void

    /// Prepares the model and links the file. If a step fails, the later ones have nothing to work with, and
    /// ``save2file()`` reports a failed save.
    ///
    /// - Parameters:
    ///   - bundle: the bundle with `FooTriage.momd`; nil for the main bundle and the resources beside the program.
    ///   - documents: the folder of the store.
    ///   - log: receives a line for each save.
    init(bundle: Bundle? = nil, documents: URL, log: @escaping (String) -> Void = { print($0) }) {
        self.bundle = bundle
        self.documents = documents
        self.log = log
        prepModel()
        link2file()
    }

    /// Saves changes that were not saved.
    deinit { if dbContext?.hasChanges ?? false { save2file() } }

    /// Loads the schema `FooTriage.momd`, whose entity Injury has a key and a unique name.
    private func prepModel() {
        keepingError { dbModel = try ManagedObjectModel(named: "FooTriage", in: bundle) }
    }

    /// Creates the coordinator, adds the file `FooTriage.sqlite`, which is created if it does not exist, and only then
    /// creates the context.
    private func link2file() {
        keepingError {
            guard let dbModel else { return }
            let source = PersistentStoreCoordinator(schema: try dbModel.resolved())
            dbSource = source
            let url = documents.appending(path: "FooTriage.sqlite")
            try source.addPersistentStore(PersistentStoreDescription(.sqlite(url)))
            dbContext = ManagedObjectContext(source)
        }
    }

    /// Saves the changes, if there are any, and logs whether it succeeded.
    ///
    /// - Returns: false if the save failed or there is no context; ``dbError`` is then the error, and the changes are kept.
    @discardableResult
    func save2file() -> Bool {
        let isSaved = keepingError {
            guard let dbContext else { throw NoContext() }
            if dbContext.hasChanges { try dbContext.save() }
        }
        log(isSaved ? "successful save" : "failed save")
        return isSaved
    }

    /// Inserts an injury for each term, unless there are injuries already. Each object is prepared before it is inserted.
    func initInjury() throws {
        guard let dbContext, let injury = dbSource?.schema.entity(named: "Injury") else { throw NoContext() }
        guard try dbContext.count("Injury") == 0 else { return }
        for (key, name) in Self.injuryTerms.components(separatedBy: "%").enumerated() {
            let record = ManagedObject(entity: injury, insertInto: nil)
            try record.setValue(.integer(Int64(key)), forKey: "key")
            try record.setValue(.string(name), forKey: "name")
            try dbContext.insert(record)
        }
    }

    /// Returns the names of all injuries, sorted by key.
    func injuries() throws -> [String] {
        guard let dbContext else { throw NoContext() }
        return try dbContext.fetch("Injury", sort: "key").compactMap { try $0.string(forKey: "name") }
    }

    /// The error of a step that needs the context.
    struct NoContext: Error {}

    /// - Returns: whether the step succeeded.
    @discardableResult
    private func keepingError(_ step: () throws -> Void) -> Bool {
        do {
            try step()
            return true
        } catch {
            // The cause of a missing context is more useful than its absence.
            if !(error is NoContext) || dbError == nil { dbError = error }
            return false
        }
    }
}
