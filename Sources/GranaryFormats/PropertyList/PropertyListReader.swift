package import GranaryBase
package import GranaryPropertyLists

/// Reads records from a property list, XML or binary.
///
/// The list is one of:
/// - an array of dictionaries, each a record;
/// - `{entities: {NAME: [dictionary, ...], ...}, model: {...}}`, the export of several entities, to which an archive
///   store adds `metadata: {...}` (an import ignores it);
/// - any list with the records in ``Options/places``;
/// - a single dictionary: one record. A dictionary is a document of several entities if its first key is `entities` or
///   `model` and holds a dictionary.
///
/// Strings, numbers and booleans are fields, and arrays of them are lists. A date becomes its seconds since 2001, data
/// its Base64. A dictionary under a key or in an array is a related object with its own fields; an array inside an
/// array is a key of several values. Property lists have no NULL: a missing key is an absent column, and the array
/// `$null` names the columns that are NULL, as ``PropertyListWriter`` writes them.
///
/// An XML list is streamed. The bytes of a binary list are kept in memory.
package final class PropertyListReader: RecordReader {
    enum State {
        case start
        /// Inside an array of records.
        case elements
        /// Inside the dictionary of entities.
        case tables
        /// Inside the outermost dictionary of a document of several entities.
        case members
        /// Before the keys of the dictionary that is the whole list and the only record.
        case single(PropertyListPlace)
        /// In a list with places, between two of them.
        case search
        /// Inside the dictionary of a place whose values are records.
        case keyed
        case tail
        case end
    }

    /// The file's path, or the name of the bytes.
    package let sourceName: String
    /// The keys of all records so far, in the order of their first occurrence.
    package var columns: [String] { parser.assembler.columns.names }
    /// The entities found so far in a document of several entities; otherwise empty.
    package internal(set) var entities: [String] = []
    /// The list's `model` entry as JSON, once reading has passed it.
    package private(set) var model: [UInt8]?

    /// The list's `metadata` entry, a dictionary, once reading has passed it.
    package private(set) var metadata: PropertyListValue?

    package let options: Options
    var steps: PropertyListSteps
    var parser: PropertyListRecordParser
    var state = State.start
    /// The search for the places of records; nil if the options name none.
    var search: RecordPlaceSearch?
    /// The index of the current place's entity in ``entities``; −1 if it names none.
    var placeEntity: Int32 = -1
    /// The key under which the record is; nil for other records.
    private(set) var recordName: String?
    /// Whether the list is a document of several entities; known after the header is read.
    package private(set) var isDocument = false
    /// Receives the events of selected records; nil if there is none.
    var tap: PropertyListRecordTap?
    /// The places of possible records in a list that is one dictionary; known after the header is read.
    package internal(set) var wrappedRecords: [WrappedRecords] = []
    private var hasEntities = false
    private var entityPlaces: [[UInt8]: PropertyListPlace] = [:]
    private var recordCount = 0

    /// Reads a source of bytes, which must not be used elsewhere from now on.
    package init(_ source: ByteSource, options: Options = Options()) {
        self.options = options
        sourceName = source.name
        if options.inflatesGzip { source.inflateGzip() }
        var limits = PropertyListLimits()
        limits.depth = options.maximumDepth
        limits.valueBytes = options.maximumFieldBytes
        limits.fileBytes = options.maximumBinaryBytes
        steps = PropertyListSteps(source, limits: limits)
        parser = PropertyListRecordParser(options: options)
        if !options.places.isEmpty { search = RecordPlaceSearch(options.places) }
    }

    /// Reads up to the first record. ``columns`` may still be empty afterwards.
    ///
    /// - Throws: ``GranaryError`` with code `refused` if the source is not such a document, or as reading the bytes
    ///   throws.
    package func readHeader() throws(GranaryError) {
        guard case .start = state else { return }
        do throws(GranaryError) {
            try begin()
        } catch {
            state = .end
            throw error
        }
    }

    /// Reads the next record. A malformed record is skipped if the format allows it.
    ///
    /// - Throws: ``GranaryError`` with code `refused` if reading cannot continue, or as reading the bytes throws.
    package func next(into record: inout Record) throws(GranaryError) -> ReadOutcome {
        do throws(GranaryError) {
            while true {
                switch state {
                case .start: try begin()
                case .elements:
                    let step = try required()
                    if step.event == .endArray {
                        state = isDocument ? .tables : search == nil ? .tail : .search
                    } else {
                        return try readRecord(step, into: &record)
                    }
                case .keyed:
                    guard case .key(let name) = try required().event else {
                        state = .search
                        continue
                    }
                    recordName = name
                    return try readRecord(try required(), into: &record)
                case .search: try nextPlace()
                case .tables: try nextTable()
                case .members: try nextMember()
                case .single(let place):
                    state = search == nil ? .tail : .search
                    return try readRecord(PropertyListStep(.beginDictionary, place), into: &record)
                case .tail:
                    // Reading to the end finds mistakes after the last record.
                    while try steps.next() != nil {}
                    state = .end
                case .end: return .end
                }
            }
        } catch {
            state = .end
            throw error
        }
    }

    private func readRecord(_ first: PropertyListStep, into record: inout Record) throws(GranaryError) -> ReadOutcome {
        recordCount += 1
        record.removeAll()
        record.number = recordCount
        record.line = first.place.line
        record.column = first.place.column
        record.byteOffset = first.place.byteOffset ?? -1
        record.entity = isDocument ? Int32(truncatingIfNeeded: entities.count) - 1 : placeEntity
        if let tap, tap.isWanted(recordCount) {
            try tap.begin(place)
            try tap.handle(first.event)
            steps.tap = tap.handle
        }
        defer { steps.tap = nil }
        let name = entities.indices.contains(Int(record.entity)) ? entities[Int(record.entity)] : nil
        parser.contents.beginRecord(entity: record.entity, name: name)
        try parser.parse(first, &steps, into: &record)
        if parser.problem == nil, case .keyed = state, let recordName, let key = options.recordKey {
            parser.add(name: recordName, column: key, at: first.place, to: &record)
        }
        guard let problem = parser.problem else { return .record }
        record.removeFields()
        var diagnostic = problem
        diagnostic.position?.record = recordCount
        if diagnostic.code == .limitExceeded { wrappedRecords.advise(&diagnostic) }
        return .malformed(diagnostic)
    }

    /// Where the current record is.
    private var place: PropertyListRecordTap.Place {
        guard let search else { return PropertyListRecordTap.Place(entity: isDocument ? entities.last : nil) }
        var place = PropertyListRecordTap.Place(visits: search.visits)
        if case .keyed = state { place.name = recordName }
        return place
    }

    // MARK: Around the records

    private func begin() throws(GranaryError) {
        let first = try required()
        if search != nil { return try beginSearch(first) }
        switch first.event {
        case .beginArray: state = .elements
        case .beginDictionary:
            let key = try required()
            guard case .key(let name) = key.event else {
                steps.putBack([key])
                state = .single(first.place)
                return
            }
            let value = try required()
            isDocument =
                value.event == .beginDictionary && ["entities", "model"].contains { $0.utf8.elementsEqual(name.utf8) }
            if isDocument {
                steps.putBack([key, value])
            } else {
                try findWrappedRecords([key, value])
            }
            state = isDocument ? .members : .single(first.place)
        default: throw refusal(.plistSyntax, "expected an array of dictionaries or a dictionary", first.place)
        }
    }

    /// Examines the beginning of the list's dictionary, and puts the steps back.
    ///
    /// - Parameters:
    ///   - begun: the steps after the beginning of the dictionary that were taken already.
    ///   - base: the keys that lead to the dictionary.
    func findWrappedRecords(_ begun: [PropertyListStep], base: [String] = []) throws(GranaryError) {
        var finder = WrappedRecordsFinder(base: base)
        finder.take(.beginObject)
        var taken: [PropertyListStep] = []
        var byteCount = 0
        while taken.count < begun.count
            || !finder.isAtEnd && taken.count < WrappedRecordsFinder.partLimit
                && byteCount < WrappedRecordsFinder.byteLimit
        {
            let step = taken.count < begun.count ? begun[taken.count] : try required()
            taken.append(step)
            switch step.event {
            case .beginDictionary: finder.take(.beginObject)
            case .beginArray: finder.take(.beginArray)
            case .endDictionary, .endArray: finder.take(.end)
            case .key(let name):
                byteCount += name.utf8.count
                finder.take(.name(name))
            case .string(let text):
                byteCount += text.utf8.count
                finder.take(.scalar)
            case .data(let bytes):
                byteCount += bytes.count
                finder.take(.scalar)
            default: finder.take(.scalar)
            }
        }
        steps.putBack(taken)
        wrappedRecords = finder.places
    }

    /// Moves to the next entry of the dictionary of entities, and into its array.
    private func nextTable() throws(GranaryError) {
        let step = try required()
        guard case .key(let name) = step.event else {
            state = .members
            return
        }
        if let first = entityPlaces.updateValue(step.place, forKey: Array(name.utf8)) {
            throw duplicate(name, step.place, first: first)
        }
        guard entities.count < options.maximumColumns else {
            throw refusal(.limitExceeded, "more than \(options.maximumColumns) entities, the limit", step.place)
        }
        let value = try required()
        guard value.event == .beginArray else {
            throw refusal(
                .plistSyntax, "expected the array of dictionaries of the entity \"\(Diagnostic.shortened(name))\"",
                value.place)
        }
        entities.append(name)
        state = .elements
    }

    /// Moves to the next entry of a document of several entities.
    private func nextMember() throws(GranaryError) {
        let step = try required()
        guard case .key(let name) = step.event else {
            guard hasEntities else { throw refusal(.plistSyntax, "the list has no key \"entities\"", step.place) }
            state = .tail
            return
        }
        let isEntities = name.utf8.elementsEqual("entities".utf8)
        let isMetadata = name.utf8.elementsEqual("metadata".utf8)
        guard isEntities || isMetadata || name.utf8.elementsEqual("model".utf8) else {
            throw GranaryError(
                Diagnostic(
                    .headerUnknown,
                    "a document has the keys \"entities\", \"model\" and \"metadata\" only, "
                        + "not \"\(Diagnostic.shortened(name))\"",
                    at: step.place.position(in: sourceName), field: name))
        }
        if isEntities ? hasEntities : isMetadata ? metadata != nil : model != nil {
            throw duplicate(name, step.place, first: nil)
        }
        let value = try required()
        guard value.event == .beginDictionary else {
            throw refusal(.plistSyntax, "expected a dictionary under the key \"\(name)\"", value.place)
        }
        if isEntities {
            hasEntities = true
            state = .tables
        } else if isMetadata {
            metadata = try readMetadata(value)
        } else {
            model = try readModel(value)
        }
    }

    private func readModel(_ first: PropertyListStep) throws(GranaryError) -> [UInt8] {
        var writer = PropertyListJSONWriter()
        var step = first
        while true {
            do throws(GranaryError) {
                if try writer.write(step.event) { return writer.json }
            } catch {
                throw refusal(.plistSyntax, error.message, step.place)
            }
            guard writer.json.count <= options.maximumModelBytes else {
                throw refusal(
                    .limitExceeded, "a model of more than \(options.maximumModelBytes) bytes, the limit", step.place)
            }
            step = try required()
        }
    }

    /// Builds a tree of the entry, with limits.
    private func readMetadata(_ first: PropertyListStep) throws(GranaryError) -> PropertyListValue {
        var limits = PropertyListLimits()
        limits.depth = options.maximumDepth
        limits.treeSize = options.maximumMetadataValues
        var builder = PropertyListTreeBuilder(source: sourceName, limits: limits, readsReferences: false)
        var step = first
        while true {
            try builder.take(step.event, step.place)
            if let value = builder.value { return value }
            step = try required()
        }
    }

    /// The next step. If there is none, the parser has a defect.
    func required() throws(GranaryError) -> PropertyListStep {
        guard let step = try steps.next() else {
            throw GranaryError(.internalDefect, "\(sourceName): the property list ends inside a container")
        }
        return step
    }

    private func duplicate(_ name: String, _ place: PropertyListPlace, first: PropertyListPlace?) -> GranaryError {
        GranaryError(
            Diagnostic(
                .headerDuplicate, "the key \"\(Diagnostic.shortened(name))\" occurs twice in one dictionary",
                at: place.position(in: sourceName), field: name,
                related: first.map { [$0.position(in: sourceName)] } ?? []))
    }

    func refusal(_ code: Diagnostic.Code, _ message: String, _ place: PropertyListPlace) -> GranaryError {
        GranaryError(Diagnostic(code, message, at: place.position(in: sourceName)))
    }
}

extension PropertyListReader: ReaderAbilities {
    package var nests: Bool { true }

    package var hasElements: Bool { true }

    package func take(_ hints: ReaderHints) { parser.contents.guide = hints.guide }
}
