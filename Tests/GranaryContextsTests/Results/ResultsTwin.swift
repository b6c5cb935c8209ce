import GranaryContexts
import GranaryCoordination
import GranaryModel
import Testing

/// A copy of results that is kept current only by their changes.
final class ResultsTwin {
    let results: FetchedResultsController<ManagedObject>
    private(set) var sections: [ResultsSection<ManagedObject>]
    private(set) var changes: [ResultsChange<ManagedObject>] = []
    private var isChanging = false

    init(_ results: FetchedResultsController<ManagedObject>) {
        self.results = results
        sections = results.sections
        results.willChangeContent = { [unowned self] in isChanging = true }
        results.didChangeContent = { [unowned self] change in
            #expect(isChanging)
            isChanging = false
            changes.append(change)
            #expect(throws: Never.self) { try change.apply(to: &sections) }
        }
    }

    /// Fetches again, without a report.
    func fetchAgain() throws {
        try results.performFetch()
        sections = results.sections
    }

    /// Compares the results with the changes that were applied, and with a new fetch.
    func check(_ comment: Comment? = nil) throws {
        let context = results.managedObjectContext
        try #require(results.error == nil, comment)
        let fetched = try context.fetch(results.fetchRequest)
        let difference = results.fetchedObjects.difference(from: fetched)
        try #require(difference.isEmpty, comment)
        let isSame = sections == results.sections
        try #require(isSame, comment)
        for (section, part) in results.sections.enumerated() {
            #expect(results.nameOfSection(section) == part.name)
            #expect(results.numberOfObjects(inSection: section) == part.numberOfObjects)
            for (item, object) in part.objects.enumerated() {
                let path = ResultsIndexPath(section: section, item: item)
                try #require(results.object(at: path) === object && results.indexPath(forObject: object) == path)
            }
        }
        #expect(!isChanging)
    }

    /// The changes since the last call, in words: `delete Ann [0, 1]`.
    func takeLines() -> [[String]] {
        defer { changes = [] }
        return changes.map(\.lines)
    }
}

extension ResultsChange where Element == ManagedObject {
    var lines: [String] {
        sectionChanges.map { "\($0.kind) section \($0.name) \($0.index)" }
            + objectChanges.map { change in
                let name = try? change.element?.string(forKey: "name")
                let places = [change.indexPath, change.newIndexPath].compactMap { $0?.description }
                return "\(change.kind) \(name ?? "nobody") \(places.joined(separator: " to "))"
            }
    }
}
