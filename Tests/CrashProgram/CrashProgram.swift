import Foundation
import Granary

/// `crash-program MODEL FOLDER KIND ROUND` opens or makes the stores of a folder and saves a context into them once.
///
/// It prints `ready` when all changes are made and `saved` when they are stored. Round 0 fills empty stores, each other
/// round changes what it finds. The round alone says what is saved.
struct CrashProgram {
    struct Misuse: Error {}

    /// What a value with external storage has, in bytes: enough for a file of its own.
    private static let externalSize = 150_000

    private let container: PersistentContainer
    private let round: Int

    init(arguments: [String]) throws {
        guard arguments.count == 5, let round = Int(arguments[4]) else { throw Misuse() }
        self.round = round
        container = try PersistentContainer(
            name: "Crash", model: ManagedObjectModel(contentsOf: URL(filePath: arguments[1])))
        container.persistentStoreDescriptions = try Self.descriptions(arguments[3], in: URL(filePath: arguments[2]))
        try container.loadPersistentStores()
    }

    private static func descriptions(_ kind: String, in folder: URL) throws -> [PersistentStoreDescription] {
        switch kind {
        case "sqlite": return [sqlite(folder.appending(path: "Store.sqlite"), configuration: nil)]
        case "archive": return [PersistentStoreDescription(.archive(folder.appending(path: "Store.archive")))]
        case "two":
            return ["Things", "Notes"].map { name in
                sqlite(folder.appending(path: name + ".sqlite"), configuration: name)
            }
        default: throw Misuse()
        }
    }

    private static func sqlite(_ url: URL, configuration: String?) -> PersistentStoreDescription {
        var description = PersistentStoreDescription(.sqlite(url))
        description.configuration = configuration
        description.tracksHistory = true
        return description
    }

    func run() throws {
        let context = container.makeContext()
        context.transactionAuthor = "crash-program"
        if round == 0 { try fill(context) } else { try change(context) }
        say("ready")
        try context.save()
        say("saved")
    }

    /// At once, for who waits for it.
    private func say(_ text: String) { FileHandle.standardOutput.write(Data("\(text)\n".utf8)) }

    // MARK: - Round 0: 10 boxes, 30 tags, 200 items, 40 notes; 8 items and 4 notes have external data

    private func fill(_ context: ManagedObjectContext) throws {
        var boxes: [ManagedObject] = []
        for index in 0..<10 { boxes.append(try named(index, "Box", context)) }
        var tags: [ManagedObject] = []
        for index in 0..<30 { tags.append(try named(index, "Tag", context)) }
        for index in 0..<200 {
            let item = try named(index, "Item", context)
            try item.setValue(.integer(Int64(index)), forKey: "number")
            try item.setObject(boxes[index % 10], forKey: "box")
            try item.setObjects([tags[index % 30], tags[(index * 7 + 1) % 30]], forKey: "tags")
            if index % 25 == 0 { try item.setValue(external(index), forKey: "data") }
        }
        for index in 0..<40 {
            let note = try named(index, "Note", context)
            if index % 10 == 0 { try note.setValue(external(index), forKey: "data") }
        }
    }

    // MARK: - Other rounds: of four, one is deleted, one changed, one moved and one tagged anew

    private func change(_ context: ManagedObjectContext) throws {
        let boxes = try context.fetchAll("Box")
        let tags = try context.fetchAll("Tag")
        let items = try context.fetchAll("Item")
        let new = try named(boxes.count, "Box", context)
        for (index, item) in items.enumerated() {
            if index % 4 == 1 {
                try context.delete(item)
                continue
            }
            if index % 25 == 0 { try item.setValue(external(index), forKey: "data") }
            switch index % 4 {
            case 0: try item.setValue(.integer(Int64(index + 1_000 * round)), forKey: "number")
            case 2: try item.setObject(boxes[(index + round) % boxes.count], forKey: "box")
            default: try item.setObjects([tags[(index + round) % tags.count]], forKey: "tags")
            }
        }
        for index in 0..<60 {
            let item = try named(items.count + index, "Item", context)
            try item.setObject(new, forKey: "box")
            try item.add(tags[index % tags.count], forKey: "tags")
            if index % 30 == 0 { try item.setValue(external(index), forKey: "data") }
        }
        let notes = try context.fetchAll("Note")
        for (index, note) in notes.enumerated() {
            switch index % 4 {
            case 1: try context.delete(note)
            case 2 where index % 5 == 0: try note.setValue(external(index), forKey: "data")
            default: try note.setValue(.string("note \(index) of round \(round)"), forKey: "name")
            }
        }
        for index in 0..<12 { _ = try named(notes.count + index, "Note", context) }
    }

    private func named(_ index: Int, _ entity: String, _ context: ManagedObjectContext) throws -> ManagedObject {
        let object = try context.insert(into: entity)
        try object.setValue(.string("\(entity) \(index) of round \(round)"), forKey: "name")
        return object
    }

    private func external(_ index: Int) -> AttributeValue {
        var data = Data("\(index) of round \(round)".utf8)
        data.append(Data(repeating: UInt8(truncatingIfNeeded: index &+ 31 &* round), count: Self.externalSize))
        return .binary(data)
    }
}
