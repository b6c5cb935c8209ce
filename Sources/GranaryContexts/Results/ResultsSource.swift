import Foundation
import GranaryBase
import GranaryCoordination

/// Results in a context of their own, on a queue.
///
/// `@unchecked`: the results and their change are used only on the queue.
final class ResultsSource<Object: ManagedObject, Value: Sendable>: @unchecked Sendable {
    /// Receives the saves from the time before the first fetch, so that none is missed.
    let mailbox = SaveMailbox(receivesChildSaves: false, receivesUnlistedChanges: true)
    private let queue = DispatchQueue(label: "Granary.ResultsUpdates")
    private let coordinator: PersistentStoreCoordinator
    private let request: FetchRequest<Object>
    private let sectionNameKeyPath: String?
    private let value: @Sendable (Object) throws -> Value
    private var results: FetchedResultsController<Object>?
    private var change: ResultsChange<Object>?

    init(
        _ request: FetchRequest<Object>, sectionedBy path: String?, coordinator: PersistentStoreCoordinator,
        _ value: @escaping @Sendable (Object) throws -> Value
    ) {
        self.request = request
        sectionNameKeyPath = path
        self.coordinator = coordinator
        self.value = value
        coordinator.subscribe(mailbox)
    }

    func read() async throws -> [ResultsSection<Value>] {
        try await queue.run { [self] in
            let context = ManagedObjectContext(coordinator: coordinator)
            context.automaticallyMergesChangesFromParent = true
            context.mailbox = mailbox
            // An error, not an object of NULLs, says that an object is gone.
            context.shouldDeleteInaccessibleFaults = false
            let results = try context.results(of: request, sectionedBy: sectionNameKeyPath)
            results.didChangeContent = { [unowned self] in change = $0 }
            self.results = results
            return try currentValues(of: results, isFetched: true)
        }
    }

    /// Others may delete an object while its value is made.
    private static var attempts: Int { 10 }

    private func currentValues(
        of results: FetchedResultsController<Object>, isFetched: Bool
    ) throws -> [ResultsSection<Value>] {
        var isFetched = isFetched
        for _ in 1..<Self.attempts {
            do {
                return try values(of: results, isFetched: isFetched)
            } catch let error as GranaryError where error.isObjectGone { isFetched = false }
        }
        return try values(of: results, isFetched: isFetched)
    }

    private func values(
        of results: FetchedResultsController<Object>, isFetched: Bool
    ) throws -> [ResultsSection<Value>] {
        if !isFetched {
            try results.managedObjectContext.refreshAllObjects()
            try results.performFetch()
        }
        return try results.sections.map { section in
            ResultsSection(name: section.name, objects: try section.objects.map(value))
        }
    }

    /// Merges the saves that have arrived.
    func follow() async throws -> ResultsUpdate<Value>? {
        try await queue.run { [self] in
            guard let results else { return nil }
            change = nil
            defer { results.managedObjectContext.forgetMergedDeletions() }
            do {
                try results.managedObjectContext.processPendingChanges()
                if let error = results.error { throw error }
                guard let change, !change.isEmpty else { return nil }
                return .change(try change.map(value))
            } catch let error as GranaryError where error.isObjectGone {
                return .results(try currentValues(of: results, isFetched: false))
            }
        }
    }
}

extension ManagedObjectContext {
    /// Releases the objects that others have deleted, which a context without a save would keep.
    fileprivate func forgetMergedDeletions() {
        for object in deleted where object.isGoneFromStore {
            deleted.remove(object)
            letGo(object, ContextLoss(.merge, in: self))
        }
    }
}
