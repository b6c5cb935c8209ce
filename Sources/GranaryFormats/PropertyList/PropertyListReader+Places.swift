import GranaryBase
import GranaryPropertyLists

/// Lists whose records are in ``PropertyListReader/Options/places``.
extension PropertyListReader {
    /// Begins the search at the list's value.
    func beginSearch(_ first: PropertyListStep) throws(GranaryError) {
        guard let search else { return }
        state = .search
        if first.event == .beginDictionary { try findWrappedRecords([]) }
        try take(search.root, first, nil)
    }

    /// Searches up to the records of the next place, or to the end of the list.
    func nextPlace() throws(GranaryError) {
        while case .search = state {
            guard let level = search?.nextLevel() else { return try finishSearch() }
            let step = try required()
            switch step.event {
            case .endArray, .endDictionary: search?.levels.removeLast()
            case .key(let name) where level.isObject:
                try take(search?.step(into: name) ?? .skip, try required(), .member(name))
            default: try take(search?.stepIntoElement() ?? .skip, step, .element(level.count))
            }
        }
    }

    /// Reads, enters or skips the value that begins with a step.
    ///
    /// - Parameter component: the key or the index that leads to it.
    private func take(
        _ step: RecordPlaceSearch.Step, _ first: PropertyListStep, _ component: PlaceVisit.Component?
    ) throws(GranaryError) {
        switch step {
        case .read(let place): try beginRecords(of: place, first, component)
        case .twice(let place):
            let path = Diagnostic.shortened(options.places[place].path)
            throw refusal(.headerDuplicate, "the list has \"\(path)\" twice", first.place)
        case .enter(let targets) where first.event == .beginDictionary || first.event == .beginArray:
            search?.levels.append(
                RecordPlaceSearch.Level(
                    isObject: first.event == .beginDictionary, component: component, targets: targets))
        case .enter, .skip: try PropertyListRecordParser.skip(first, &steps)
        }
    }

    private func beginRecords(
        of place: Int, _ first: PropertyListStep, _ component: PlaceVisit.Component?
    ) throws(GranaryError) {
        let content: PlaceVisit.Content
        switch first.event {
        case .beginArray:
            content = .array
            state = .elements
        case .beginDictionary where options.recordKey != nil:
            content = .keyed
            state = .keyed
        case .beginDictionary:
            content = .single
            state = .single(first.place)
        // What a list without NULL has in its place.
        case .string(""): content = .null
        default:
            let path = Diagnostic.shortened(options.places[place].path)
            throw refusal(
                .plistSyntax, "expected an array of dictionaries or a dictionary at \"\(path)\"", first.place)
        }
        search?.visit(place, component, content)
        wrappedRecords = []
        if case .single = state {
            try findWrappedRecords([], base: search?.visits.last?.path.map(\.text) ?? [])
        }
        placeEntity = -1
        guard let name = options.places[place].entity else { return }
        if !entities.contains(name) { entities.append(name) }
        placeEntity = entities.firstIndex(of: name).map { Int32(clamping: $0) } ?? -1
    }

    private func finishSearch() throws(GranaryError) {
        let start = SourcePosition(file: sourceName, line: 1, column: 1)
        let known = wrappedRecords.map { $0.path.joined(separator: ".") }
        if let message = search?.missing(besides: known) {
            throw GranaryError(Diagnostic(.headerMissing, message, at: start))
        }
        if let key = options.recordKey, search?.hasNoKeys ?? false {
            throw GranaryError(Diagnostic(.headerMissing, RecordPlaceSearch.noKeys(key), at: start, field: key))
        }
        state = .tail
    }
}
