import GranaryBase

/// Documents whose records are in ``JSONReader/Options/places``.
extension JSONReader {
    /// The places of records so far; the current record is in the last one.
    package var visits: [PlaceVisit] { search?.visits ?? [] }

    /// The name of the member that the current record is; nil for other records.
    package var recordName: String? {
        guard case .keyed = state else { return nil }
        return String(decoding: nameBytes, as: UTF8.self)
    }

    /// Begins the search at the document's value.
    func beginSearch() throws(GranaryError) {
        guard let search else { return }
        state = .search
        if window.first == UInt8(ascii: "{") { wrappedRecords = try findWrappedRecords() }
        try take(search.root, nil)
    }

    /// Searches up to the records of the next place, or to the end of the document.
    func nextPlace() throws(GranaryError) {
        while case .search = state {
            guard let level = search?.nextLevel() else { return try finishSearch() }
            let closing = level.isObject ? UInt8(ascii: "}") : UInt8(ascii: "]")
            guard
                try advance(
                    isFirst: level.isFirst, closing: closing,
                    or: level.isObject ? .expectedCommaOrBrace : .expectedCommaOrBracket)
            else {
                search?.levels.removeLast()
                continue
            }
            if level.isObject {
                let name = String(decoding: try memberName(), as: UTF8.self)
                try take(search?.step(into: name) ?? .skip, .member(name))
            } else {
                try take(search?.stepIntoElement() ?? .skip, .element(level.count))
            }
        }
    }

    /// Reads, enters or skips the value here.
    ///
    /// - Parameter component: the name or the index that leads to it.
    private func take(
        _ step: RecordPlaceSearch.Step, _ component: PlaceVisit.Component?
    ) throws(GranaryError) {
        let byte = try peek()
        switch step {
        case .read(let place): try beginRecords(of: place, component)
        case .twice(let place):
            let path = Diagnostic.shortened(options.places[place].path)
            throw refusal(.headerDuplicate, "the document has \"\(path)\" twice")
        case .enter(let targets) where byte == UInt8(ascii: "{") || byte == UInt8(ascii: "["):
            guard (search?.levels.count ?? 0) < options.maximumDepth else {
                throw refusal(JSONFault(.tooDeep, at: 0))
            }
            skip()
            search?.levels.append(
                RecordPlaceSearch.Level(isObject: byte == UInt8(ascii: "{"), component: component, targets: targets))
        case .enter, .skip: try skipValue()
        }
    }

    private func beginRecords(of place: Int, _ component: PlaceVisit.Component?) throws(GranaryError) {
        let content: PlaceVisit.Content
        switch window.first {
        case UInt8(ascii: "["):
            skip()
            content = .array
            state = .elements(isFirst: true)
        case UInt8(ascii: "{") where options.recordKey != nil:
            skip()
            content = .keyed
            state = .keyed(isFirst: true)
        case UInt8(ascii: "{"):
            content = .single
            state = .single
        case UInt8(ascii: "n"):
            try skipValue()
            content = .null
        default:
            let path = Diagnostic.shortened(options.places[place].path)
            throw refusal(.jsonSyntax, "expected an array of objects or an object at \"\(path)\"")
        }
        search?.visit(place, component, content)
        // Objects in a record can be records only if it is the whole place.
        wrappedRecords = []
        if case .single = state {
            wrappedRecords = try findWrappedRecords(base: search?.visits.last?.path.map(\.text) ?? [])
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

    /// Moves to the next member of an object of records. Returns false after the last one.
    func nextNamedRecord(isFirst: Bool) throws(GranaryError) -> Bool {
        guard try advance(isFirst: isFirst, closing: UInt8(ascii: "}"), or: .expectedCommaOrBrace) else {
            state = .search
            return false
        }
        nameBytes = try memberName()
        _ = try peek()
        state = .keyed(isFirst: false)
        return true
    }

    /// Adds the record's name as its first field.
    ///
    /// - Returns: a diagnostic if the record has another value in this column.
    func addName(to record: inout Record) -> Diagnostic? {
        guard let key = options.recordKey else { return nil }
        switch parser.add(name: nameBytes, column: key, to: &record) {
        case nil: return nil
        case .tooMany: return malformedName(JSONFault(.tooManyColumns, at: 0), &record)
        case .differs(let offset):
            let position = record.position(ofRaw: offset, file: sourceName)
            record.removeFields()
            let name = String(decoding: nameBytes, as: UTF8.self)
            return RecordPlaceSearch.otherName(name, column: key, at: position)
        }
    }

    private func malformedName(_ fault: JSONFault, _ record: inout Record) -> Diagnostic? {
        guard case .malformed(let diagnostic) = malformed(.fault(fault, field: nil), &record) else { return nil }
        return diagnostic
    }

    /// Skips the value here, whatever its length, and checks its syntax.
    private func skipValue() throws(GranaryError) {
        let depth = search?.levels.count ?? 0
        var open: [Bool] = []
        /// The end of the bytes in which a value was not whole, so that they are not scanned for each object in it.
        var scannedEnd = -1
        values: while true {
            let byte = try peek()
            if byte == UInt8(ascii: "{") || byte == UInt8(ascii: "[") {
                let end = window.place.offset + window.count
                let isWhole = end == scannedEnd ? false : try skipWhole(depth + open.count)
                if !isWhole {
                    scannedEnd = end
                    guard depth + open.count < options.maximumDepth else { throw refusal(JSONFault(.tooDeep, at: 0)) }
                    skip()
                    open.append(byte == UInt8(ascii: "{"))
                    if try nextToSkip(&open, isFirst: true) { continue values }
                }
            } else {
                try scan(limit: options.maximumFieldBytes) { cursor throws(JSONFault) in
                    try cursor.skipValue(depth: 0)
                    if let problem = cursor.problem { throw problem }
                }
            }
            guard try nextToSkip(&open, isFirst: false) else { return }
        }
    }

    /// Moves to the next value in the innermost open object or array, out of those that end.
    ///
    /// - Parameter isFirst: whether the innermost one has just begun. Then only this one is looked at.
    private func nextToSkip(_ open: inout [Bool], isFirst: Bool) throws(GranaryError) -> Bool {
        while let isObject = open.last {
            let closing = isObject ? UInt8(ascii: "}") : UInt8(ascii: "]")
            let kind = isObject ? JSONFault.Kind.expectedCommaOrBrace : .expectedCommaOrBracket
            if try advance(isFirst: isFirst, closing: closing, or: kind) {
                if isObject { _ = try memberName() }
                return true
            }
            open.removeLast()
            if isFirst { return false }
        }
        return false
    }

    /// Skips the object or array here if the window has all of it.
    private func skipWhole(_ depth: Int) throws(GranaryError) -> Bool {
        var end: (position: Int, hasLineEnd: Bool)?
        do throws(JSONFault) {
            end = try window.withBytes { bytes throws(JSONFault) in
                var cursor = JSONCursor(bytes, isFinal: window.isFinal, limits: options)
                try cursor.skipValue(depth: depth)
                if let problem = cursor.problem { throw problem }
                return (cursor.position, cursor.hasLineEnd)
            }
        } catch {
            guard error.kind == .needsMore else { throw refusal(error) }
        }
        guard let end else { return false }
        window.consume(end.position, hasLineEnd: end.hasLineEnd)
        return true
    }
}
