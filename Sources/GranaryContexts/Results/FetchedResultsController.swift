import GranaryCoordination

/// The objects of a fetch request, which follow the changes of their context, in sections.
/// (`NSFetchedResultsController`)
///
/// ```swift
/// var request = FetchRequest("Coffee")
/// request.sortDescriptors = [ObjectSortDescriptor("brand"), ObjectSortDescriptor("name")]
/// let results = try context.results(of: request, sectionedBy: "brand")
/// results.didChangeContent = { change in show(change) }
/// ```
/// The results follow at every ``ManagedObjectContext/processPendingChanges()``, and so at the end of a `perform` and
/// before a save: unsaved changes, merged saves of other contexts, refreshed objects, undo and rollback. Among objects
/// with equal sort keys the order is that of a fetch.
///
/// Unlike Core Data, the results also follow changes of related objects that the predicate, the order or the sections
/// reach over a key path (`department.name`), and keep a limit and an offset. In these cases, and in a child context,
/// they are fetched again; otherwise only the changed objects are looked at.
///
/// The results retain their context and their objects, and must stay in the context's isolation.
public final class FetchedResultsController<Object: ManagedObject> {
    /// The context of the objects.
    public let managedObjectContext: ManagedObjectContext
    /// The request. A new request takes effect with the next ``performFetch()``.
    public var fetchRequest: FetchRequest<Object>
    /// The key path to the attribute whose values are the names of the sections; nil for one section with all objects.
    public let sectionNameKeyPath: String?
    /// Called before the results change. (`controllerWillChangeContent(_:)`)
    public var willChangeContent: (() -> Void)?
    /// Called after the results have changed, with the change. (`controllerDidChangeContent(_:)` and the calls before
    /// it)
    public var didChangeContent: ((ResultsChange<Object>) -> Void)?
    /// Returns the title of a section in an index; by default the first character of its name in upper case.
    /// (`controller(_:sectionIndexTitleForSectionName:)`)
    public var sectionIndexTitle: (String) -> String? = { $0.first.map { $0.uppercased() } }
    /// Why the results could not follow the last change, for example because the store could not be read, or the
    /// objects of a section were no longer together. The results are as before that change then, and are fetched again
    /// at the next change. Nil if they are current.
    public internal(set) var error: (any Error)?

    var rules: ResultsRules
    var list: ResultsList
    /// The objects in order, until the next change.
    private var allObjects: [Object]?

    init(
        _ request: FetchRequest<Object>, sectionedBy path: String?, context: ManagedObjectContext
    ) throws {
        managedObjectContext = context
        fetchRequest = request
        sectionNameKeyPath = path
        rules = try ResultsRules(request, sectionedBy: path, context: context)
        list = ResultsList(order: rules.order, isSectioned: path != nil)
        try fetch()
        context.followers.add(self)
    }

    deinit { managedObjectContext.followers.removeReleased() }

    /// Fetches the results again, without calls of ``willChangeContent`` and ``didChangeContent``. (`performFetch()`)
    ///
    /// - Throws: as ``ManagedObjectContext/results(of:sectionedBy:)``. The results are unchanged then.
    public func performFetch() throws {
        let previous = rules
        do {
            try managedObjectContext.mergePendingSaves()
            rules = try ResultsRules(fetchRequest, sectionedBy: sectionNameKeyPath, context: managedObjectContext)
            try fetch()
            error = nil
        } catch {
            rules = previous
            throw error
        }
    }

    private func fetch() throws {
        let entries = try rules.fetch()
        var new = ResultsList(order: rules.order, isSectioned: rules.isSectioned)
        _ = try new.apply(new.step(entries.map { ($0.object, $0) }))
        list = new
        allObjects = nil
    }

    // MARK: - Results

    /// The objects in order.
    public var fetchedObjects: [Object] {
        if let allObjects { return allObjects }
        let objects = list.runs.flatMap { Self.objects($0.entries) }
        allObjects = objects
        return objects
    }

    /// The sections in the order of their objects. Without a ``sectionNameKeyPath`` there is one, which may be empty.
    ///
    /// - Complexity: O(*n*) for *n* objects; ``object(at:)`` and ``numberOfObjects(inSection:)`` do not need them.
    public var sections: [ResultsSection<Object>] {
        list.runs.map { ResultsSection(name: $0.name, objects: Self.objects($0.entries)) }
    }

    /// The number of sections.
    public var numberOfSections: Int { list.runs.count }

    /// Returns the name of a section; nil if there is no such section.
    public func nameOfSection(_ section: Int) -> String? {
        list.runs.indices.contains(section) ? list.runs[section].name : nil
    }

    /// Returns the number of objects in a section; 0 if there is no such section.
    public func numberOfObjects(inSection section: Int) -> Int {
        list.runs.indices.contains(section) ? list.runs[section].entries.count : 0
    }

    /// Returns the object at a place; nil if there is none. (`object(at:)`)
    public func object(at indexPath: ResultsIndexPath) -> Object? {
        guard list.runs.indices.contains(indexPath.section) else { return nil }
        let entries = list.runs[indexPath.section].entries
        return entries.indices.contains(indexPath.item) ? entries[indexPath.item].object as? Object : nil
    }

    /// Returns the place of an object; nil if it is not in the results. (`indexPath(forObject:)`)
    ///
    /// - Complexity: O(log *n*).
    public func indexPath(forObject object: Object) -> ResultsIndexPath? {
        list.entry(of: object).map { list.path(of: $0) }
    }

    // MARK: - Section index

    /// The titles of the sections (``sectionIndexTitle``), each once, in the order of the sections.
    public var sectionIndexTitles: [String] {
        var known: Set<String> = []
        return list.runs.compactMap { run in
            sectionIndexTitle(run.name).flatMap { known.insert($0).inserted ? $0 : nil }
        }
    }

    /// Returns the number of the first section with a title; nil if there is none. (`section(forSectionIndexTitle:at:)`)
    public func section(forSectionIndexTitle title: String) -> Int? {
        list.runs.firstIndex { sectionIndexTitle($0.name) == title }
    }

    // The rules check the class, so nothing is left out.
    private static func objects(_ entries: [ResultsEntry]) -> [Object] { entries.compactMap { $0.object as? Object } }

    // MARK: - Following

    /// Applies outcomes and calls the app.
    func apply(_ outcomes: [ResultsList.Outcome]) throws {
        let step = list.step(outcomes)
        guard !step.isEmpty else { return }
        willChangeContent?()
        let change: ResultsChange<ManagedObject>
        do {
            change = try list.apply(step)
        } catch {
            // Every call of the one closure is followed by a call of the other.
            didChangeContent?(ResultsChange())
            throw error
        }
        allObjects = nil
        guard let didChangeContent else { return }
        didChangeContent(
            ResultsChange(
                sectionChanges: change.sectionChanges.map {
                    .init($0.kind.converted(), name: $0.name, index: $0.index)
                },
                objectChanges: change.objectChanges.map {
                    .init(
                        $0.kind.converted(), $0.objectID, $0.element as? Object, at: $0.indexPath, to: $0.newIndexPath)
                }))
    }
}

extension ManagedObjectContext {
    /// Fetches the objects of a request and keeps them current while the returned controller exists.
    ///
    /// - Parameter sectionNameKeyPath: the key path to the attribute whose values are the names of the sections. The
    ///   request must sort so that the objects of a section are together: by this key path first, or by one that agrees
    ///   with it.
    /// - Throws: as `fetch(_:)`; ``GranaryError`` with code `usage` if the objects of a section are not together, and
    ///   for a request whose result type is not `managedObjects`.
    public func results<Object>(
        of request: FetchRequest<Object>, sectionedBy sectionNameKeyPath: String? = nil
    ) throws -> FetchedResultsController<Object> {
        try mergePendingSaves()
        return try FetchedResultsController(request, sectionedBy: sectionNameKeyPath, context: self)
    }
}
