import GranaryBase
import GranaryCoordination
import GranaryModel
import GranaryPredicates

/// Decides which objects belong to results, and where, by their values in the context.
struct ResultsRules {
    let context: ManagedObjectContext
    let search: FetchSearch
    let order: SortOrder
    let isSectioned: Bool
    /// What the results depend on besides the fetched objects.
    let dependence: ResultsDependence
    private let condition: CompiledPredicate?
    private let keys: [CompiledExpression]
    private let section: CompiledExpression?
    private let isWanted: (ManagedObject) -> Bool
    private let className: String

    /// - Throws: ``GranaryError`` with code `usage` for a request that results cannot follow.
    init<Object: ManagedObject>(
        _ request: FetchRequest<Object>, sectionedBy path: String?, context: ManagedObjectContext
    ) throws {
        guard request.resultType == .managedObjects else {
            throw GranaryError(.usage, "results are objects; the request has the result type \(request.resultType)")
        }
        let search = try FetchSearch(try context.named(request), context: context)
        self.context = context
        self.search = search
        order = SortOrder(request.sortDescriptors)
        keys = search.sortPaths
        isSectioned = path != nil
        let schema = context.persistentStoreCoordinator.schema
        section = try path.map { path in
            guard !request.sortDescriptors.isEmpty else {
                throw GranaryError(
                    .usage, "sections by \"\(Diagnostic.shortened(path))\" need an order; sort by this key path first")
            }
            let resolver = PredicateResolver(schema: schema, entity: search.entity)
            try resolver.check([ObjectSortDescriptor(path)])
            return CompiledExpression(try resolver.resolve(.keyPath(path)))
        }
        condition = search.predicate.map { CompiledPredicate($0) }
        dependence = ResultsDependence(search, sectionedBy: path, schema: schema)
        isWanted = { $0 is Object }
        className = "\(Object.self)"
    }

    /// Fetches the objects anew.
    func fetch() throws -> [ResultsEntry] {
        try search.objects().map { object in
            try checkClass(object)
            return try evaluating(object) { try makeEntry(of: object, $0) }
                ?? ResultsEntry(object, keys: [], tie: tie(of: object), section: "")
        }
    }

    /// The entry of an object; nil if it does not belong to the results.
    func entry(of object: ManagedObject) throws -> ResultsEntry? {
        guard object.managedObjectContext === context, !object.isDeleted, search.isCounted(object) else { return nil }
        let entry = try evaluating(object) { subject -> ResultsEntry? in
            if let condition {
                let outcome = condition.outcome(on: subject)
                try search.failure.check()
                guard try outcome.holds else { return nil }
            }
            return try makeEntry(of: object, subject)
        }
        if entry != nil { try checkClass(object) }
        return entry
    }

    /// Calls `body` with the values of an object; returns nil if the object was deleted in the store. Nothing is read if
    /// the object is a fault with a current row.
    private func evaluating(
        _ object: ManagedObject, _ body: (any PredicateSubject) throws -> ResultsEntry?
    ) throws -> ResultsEntry? {
        if object.isFault, context.parent == nil, let row = object.row, context.isFresh(row) {
            return try body(StoredSubject(row: row, context: context, failure: search.failure))
        }
        do {
            try object.fire()
        } catch let error as GranaryError where error.isObjectGone { return nil }
        return try body(ObjectSubject(object: object, failure: search.failure))
    }

    private func makeEntry(of object: ManagedObject, _ subject: any PredicateSubject) throws -> ResultsEntry {
        let values = try keys.map { try $0.value(on: subject).flatMap(\.attribute) }
        let name = try section?.value(on: subject).flatMap(\.attribute)?.sectionName
        try search.failure.check()
        return ResultsEntry(object, keys: values, tie: tie(of: object), section: name ?? "")
    }

    /// The order of an object among those with equal keys, as in a fetch.
    func tie(of object: ManagedObject) -> ResultsEntry.Tie {
        var holder: (object: ManagedObject, depth: Int)?
        var next: ManagedObjectContext? = context
        var depth = 0
        while let ancestor = next {
            if let known = ancestor.registeredObject(for: object.objectID), known.isInserted { holder = (known, depth) }
            next = ancestor.parent
            depth += 1
        }
        let stores = search.stores
        if let holder {
            // The objects that are new in a parent come before those of its children.
            return ResultsEntry.Tie(
                place: stores.count + depth - holder.depth, number: Int64(holder.object.insertionNumber), isNew: true)
        }
        let place = stores.firstIndex { $0.identifier == object.objectID.storeIdentifier }
        return ResultsEntry.Tie(place: place ?? stores.count, number: object.objectID.key ?? 0, isNew: false)
    }

    private func checkClass(_ object: ManagedObject) throws(GranaryError) {
        guard !isWanted(object) else { return }
        throw GranaryError(.usage, "\(object) is of the class \(type(of: object)), not \(className)")
    }
}
