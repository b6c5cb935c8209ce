import GranaryContexts
import GranaryCoordination
import GranaryCoreDataStore
import GranaryInspection
import GranaryModel
import GranaryPredicates
import StoreTestSupport

/// What a test of undo has found wrong.
struct UndoFailure: Error, CustomStringConvertible {
    let description: String

    init(_ description: String) { self.description = description }
}

/// All that can be seen of a context's objects, by their numbers: IDs change when a saved deletion is undone.
struct UndoSnapshot {
    struct Entry: Equatable {
        var name: AttributeValue?
        /// The transient one.
        var mood: AttributeValue?
        var isInserted = false
        /// By the index of the end: in order where there is one, else sorted.
        var links: [[Int64]] = []
    }

    let ends: [UndoModel.End]
    private(set) var entries: [Int64: Entry] = [:]
    /// The stored objects that the next save removes.
    private(set) var deleted: [Int64] = []
    /// The stored objects that the next save leaves alone.
    private(set) var untouched: [Int64] = []

    /// - Parameter withState: whether it counts which objects are new or deleted; a save in between changes that.
    init(of context: ManagedObjectContext, _ ends: [UndoModel.End], withState: Bool = false) throws {
        self.ends = ends
        let objects = try context.fetchAll("Item")
        var numbers: [ManagedObject: Int64] = [:]
        for object in objects { numbers[object] = try Self.number(of: object) }
        for object in objects {
            guard let number = numbers[object], entries[number] == nil else {
                throw UndoFailure("two objects have one number")
            }
            var entry = Entry(name: object["name"], mood: object["mood"])
            entry.isInserted = withState && object.isInserted
            for end in ends {
                guard end.isMany else {
                    entry.links.append(try object.object(forKey: end.name).map { [numbers[$0] ?? -1] } ?? [])
                    continue
                }
                let members = try object.objects(forKey: end.name).map { numbers[$0] ?? -1 }
                entry.links.append(end.isOrdered ? members : members.sorted())
            }
            entries[number] = entry
            if withState, !object.hasChanges { untouched.append(number) }
        }
        if withState { deleted = try context.deletedObjects.map(Self.number).sorted() }
    }

    private static func number(of object: ManagedObject) throws -> Int64 {
        guard let number = try object.integer(forKey: "number") else {
            throw UndoFailure("\(object) has lost its number")
        }
        return number
    }

    /// What of it is in a store.
    var stored: UndoSnapshot {
        var copy = self
        copy.deleted = []
        copy.entries = entries.mapValues { entry in
            var entry = entry
            entry.mood = nil
            entry.isInserted = false
            return entry
        }
        return copy
    }

    /// Nil when they are equal, otherwise the first thing that differs.
    func difference(from expected: UndoSnapshot) -> String? {
        if deleted != expected.deleted { return "deleted are \(deleted), not \(expected.deleted)" }
        for number in Set(entries.keys).union(expected.entries.keys).sorted() {
            guard let entry = entries[number] else { return "\(number) is missing" }
            guard let wanted = expected.entries[number] else { return "\(number) is too many" }
            if entry == wanted { continue }
            for (index, end) in ends.enumerated() where entry.links[index] != wanted.links[index] {
                return "\(end.name) of \(number) is \(entry.links[index]), not \(wanted.links[index])"
            }
            return "\(number) is \(entry), not \(wanted)"
        }
        return nil
    }

    /// Nil when both ends of every link agree and lead to objects that are there, otherwise the first that does not.
    var disagreement: String? {
        for (index, end) in ends.enumerated() {
            let inverse = ends.firstIndex { $0.name == end.inverse }
            var owned: Set<Int64> = []
            for (number, entry) in entries {
                for other in entry.links[index] {
                    guard let there = entries[other] else { return "\(end.name) of \(number) leads to nothing" }
                    if let inverse, !there.links[inverse].contains(number) {
                        return "\(end.name) of \(number) has \(other), which does not have it"
                    }
                    if end.isExclusive, !owned.insert(other).inserted { return "\(end.name): \(other) has two owners" }
                }
            }
        }
        return nil
    }

    /// Nil when the objects that the next save leaves alone are as they were at first, otherwise what has changed
    /// unnoticed.
    func unnoticedChange(since first: UndoSnapshot) -> String? {
        for number in untouched {
            guard let entry = entries[number], let before = first.entries[number] else {
                return "\(number) is not new, but was not there"
            }
            guard entry.name == before.name, entry.mood == before.mood else { return "\(number) has changed unnoticed" }
            for (index, end) in ends.enumerated() where end.isStable && entry.links[index] != before.links[index] {
                return "\(end.name) of \(number) has changed unnoticed"
            }
        }
        return nil
    }
}
