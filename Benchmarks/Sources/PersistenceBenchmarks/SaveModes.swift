import Foundation
import Granary

/// 200 saves of one object each, in the rollback journal and in WAL mode, in one folder. The rounds alternate.
enum SaveModes {
    private static let saves = 200
    private static let rounds = 3

    static func line(in folder: URL) async throws -> String {
        var times: [PersistentStoreDescription.JournalMode: [Double]] = [:]
        for round in 0..<rounds {
            for mode in [PersistentStoreDescription.JournalMode.delete, .wal] {
                times[mode, default: []].append(
                    try await seconds(mode, folder.appending(path: "saves-\(round)-\(mode).sqlite")))
            }
        }
        let (delete, wal) = (times[.delete]?.min() ?? 0, times[.wal]?.min() ?? 0)
        return String(
            format: "%d saves of one object: DELETE %.3f s, WAL %.3f s, ratio %.2f (aim: 0.25)", saves, delete, wal,
            wal / delete)
    }

    private static func seconds(_ mode: PersistentStoreDescription.JournalMode, _ file: URL) async throws -> Double {
        var description = PersistentStoreDescription(.sqlite(file))
        description.journalMode = mode
        let container = try PersistentContainer(name: "Saves", model: PeopleModel.model, descriptions: [description])
        try await container.loadPersistentStores()
        let context = container.makeContext()
        let start = ContinuousClock.now
        for index in 0..<saves {
            let department = try context.insert(into: "Department")
            try department.setValue(.string("Department \(index)"), forKey: "name")
            try context.save()
        }
        let time = ContinuousClock.now - start
        return Double(time.components.seconds) + Double(time.components.attoseconds) / 1e18
    }
}
