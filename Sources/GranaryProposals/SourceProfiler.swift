package import GranaryBase
import GranaryFormats
package import GranaryRecords

/// Profiles the records of sources, one record in memory at a time.
package struct SourceProfiler {
    /// The maximum number of values that are remembered for all columns together, about 100 MB. Beyond it the column with
    /// the most values is no longer examined.
    static let keyLimit = 4_000_000
    /// The maximum number of columns and of kinds of objects.
    static let columnLimit = 100_000

    private(set) var profiles: [EntityProfile] = []
    /// The records that are malformed. An import rejects them.
    package private(set) var problems = DiagnosticCollector()
    private(set) var malformedCount = 0
    private(set) var sources: [ImportSource] = []
    /// The profiles of each source's records: by the index of the entity that a document names, or by -1.
    private var roots: [[Int32: Int]] = []
    /// The options that an import of each source needs.
    private(set) var words: [[String]] = []
    /// The CSV files with quoted empty fields, which count as NULL. Their import needs an option.
    private(set) var sourcesWithEmptyFields: Set<Int> = []
    private var keyCount = 0
    private var columnCount = 0
    /// The profiles of nested objects, by profile and column.
    private var children: [[Int]: Int] = [:]
    private let nullTexts: Set<[UInt8]>

    /// - Parameter nullTexts: the unquoted texts that are NULL.
    package init(nullTexts: [String]) {
        self.nullTexts = nullTexts.isEmpty ? [[]] : Set(nullTexts.map { Array($0.utf8) })
    }

    /// Changes what was found, for the declarations of a database.
    mutating func change(_ profile: Int, _ body: (inout EntityProfile) -> Void) { body(&profiles[profile]) }

    /// - Returns: the index of the profile.
    mutating func addProfile(_ profile: EntityProfile) -> Int {
        profiles.append(profile)
        return profiles.count - 1
    }

    /// Reads a source to its end.
    ///
    /// - Parameter words: the options that its import needs.
    /// - Throws: ``GranaryError`` as reading throws.
    package mutating func read(
        _ source: ImportSource, words: [String] = [], cancellation: Cancellation? = nil
    ) throws(GranaryError) {
        if let problem = source.problem { throw problem }
        let index = sources.count
        sources.append(source)
        self.words.append(words)
        let reader = try source.makeReader()
        try reader.readHeader()
        let place = source.name.split(separator: "/").last.map(String.init) ?? source.name
        roots.append([:])
        func root(_ entity: Int32) -> Int {
            if let known = roots[index][entity] { return known }
            let name = entity >= 0 && Int(entity) < reader.entities.count ? reader.entities[Int(entity)] : nil
            profiles.append(
                EntityProfile(
                    baseName: name ?? source.entity ?? DataFormat.baseName(of: source.name),
                    place: name.map { "\(place), \($0)" } ?? place, source: index, isNamed: name != nil))
            roots[index][entity] = profiles.count - 1
            return profiles.count - 1
        }
        // The names of entities and columns in a document are not known before its records.
        if !reader.columns.isEmpty {
            let profile = root(-1)
            for (column, name) in reader.columns.enumerated() {
                profiles[profile].addColumn(column, ColumnProfile(name: name))
            }
        }
        var record = Record()
        var (hasRecord, firstProblem): (Bool, Diagnostic?) = (false, nil)
        while true {
            try cancellation?.check()
            switch try reader.next(into: &record) {
            case .end:
                if let firstProblem, !hasRecord {
                    throw GranaryError(
                        .refused, "every record of \(source.name) is malformed, so there is nothing to make a model of",
                        diagnostics: [firstProblem])
                }
                if roots[index].isEmpty { _ = root(-1) }
                for profile in profiles.indices where profiles[profile].source == index {
                    for column in profiles[profile].order { forget(profile, column, onlyIfRepeated: true) }
                }
                return
            case .malformed(let diagnostic):
                malformedCount += 1
                if firstProblem == nil { firstProblem = diagnostic }
                problems.add(diagnostic)
            case .record:
                hasRecord = true
                try add(record, to: root(record.entity), reader, tells: source.nests)
            }
        }
    }

    private mutating func add(
        _ record: Record, to root: Int, _ reader: any RecordReader, tells: Bool
    ) throws(GranaryError) {
        profiles[root].addRecord()
        add(record.fields[...], of: record, to: root, reader, tells: tells)
        guard !record.nested.isEmpty else { return }
        // Parents come before their children.
        var places: [Int] = []
        for object in record.nested {
            let parent = object.parent < 0 ? root : places[Int(object.parent)]
            let column = Int(object.column)
            let name = reader.columns.indices.contains(column) ? reader.columns[column] : "object"
            let profile = child(of: parent, column: column, name: name)
            profiles[profile].addRecord()
            places.append(profile)
            let fields = record.nestedFields[Int(object.fieldsStart)..<Int(object.fieldsEnd)]
            add(fields, of: record, to: profile, reader, tells: tells)
            addObject(fields, of: record, to: profile)
        }
        guard profiles.count <= Self.columnLimit, columnCount <= Self.columnLimit else {
            throw GranaryError(
                Diagnostic(
                    .limitExceeded,
                    "\(reader.sourceName) has more than \(Self.columnLimit) members in objects; the names of members may "
                        + "be keys"))
        }
    }

    private mutating func addObject(
        _ fields: ArraySlice<Record.Field>, of record: Record, to profile: Int
    ) {
        guard profiles[profile].objects != nil else { return }
        let column = profiles[profile].keyColumnByName
        var key: UInt64?
        var values: [(column: Int, hash: UInt64)] = []
        record.bytes.withUnsafeBufferPointer { all in
            for field in fields where field.kind != .null {
                let hash = KeySet.hash(UnsafeBufferPointer(rebasing: all[field.range]))
                if Int(field.column) == column { key = hash }
                // Objects and lists inside are compared by what is in them, not here.
                if field.kind != .object, field.kind != .emptyList, !field.isElement {
                    values.append((Int(field.column), hash))
                }
            }
        }
        keyCount += profiles[profile].addObject(key: key, values: values)
        if keyCount > Self.keyLimit { keyCount += profiles[profile].addObject(key: nil, values: []) }
    }

    private mutating func child(of parent: Int, column: Int, name: String) -> Int {
        if let known = children[[parent, column]] { return known }
        let owner = profiles[parent]
        profiles.append(
            EntityProfile(
                baseName: name, place: "\(owner.place), \(name)", source: owner.source, parent: (parent, column)))
        children[[parent, column]] = profiles.count - 1
        return profiles.count - 1
    }

    private mutating func add(
        _ fields: ArraySlice<Record.Field>, of record: Record, to profile: Int, _ reader: any RecordReader, tells: Bool
    ) {
        for field in fields {
            let column = Int(field.column)
            let name = reader.columns.indices.contains(column) ? reader.columns[column] : "\(column)"
            if profiles[profile].columns[column] == nil { columnCount += 1 }
            record.bytes.withUnsafeBufferPointer { all in
                let bytes = UnsafeBufferPointer(rebasing: all[field.range])
                let isEmpty = !tells && field.kind == .quoted && bytes.isEmpty
                if isEmpty { sourcesWithEmptyFields.insert(profiles[profile].source) }
                if isEmpty || field.kind == .null || field.kind == .text && nullTexts.contains(Array(bytes)) {
                    profiles[profile].update(column, name: name) { _, _ in }
                    return
                }
                profiles[profile].update(column, name: name) { found, isFirst in
                    switch field.kind {
                    case .object: found.addObject(isElement: field.isElement, isFirst: isFirst)
                    case .emptyList: found.addEmptyList()
                    default:
                        found.add(
                            field.kind, bytes, isElement: field.isElement, isFirst: isFirst, tells: tells,
                            line: record.line)
                        Self.remember(bytes, in: &found, &keyCount)
                    }
                }
            }
            if keyCount > Self.keyLimit { forgetLargest() }
        }
    }

    private static func remember(
        _ bytes: UnsafeBufferPointer<UInt8>, in column: inout ColumnProfile, _ keyCount: inout Int
    ) {
        guard case .unique(var keys) = column.keys else { return }
        // Two references to the set would copy it.
        column.keys = .repeated
        if keys.insert(KeySet.hash(bytes)) {
            keyCount += 1
            column.keys = .unique(keys)
        } else {
            keyCount -= keys.count
        }
    }

    private mutating func forgetLargest() {
        var largest: (profile: Int, column: Int, count: Int)?
        for (profile, entity) in profiles.enumerated() {
            for (column, found) in entity.columns {
                guard case .unique(let keys) = found.keys, keys.count > largest?.count ?? 0 else { continue }
                largest = (profile, column, keys.count)
            }
        }
        if let largest { forget(largest.profile, largest.column, onlyIfRepeated: false) }
    }

    /// Releases the keys of a column that is no key.
    private mutating func forget(_ profile: Int, _ column: Int, onlyIfRepeated: Bool) {
        guard let found = profiles[profile].columns[column], case .unique(let keys) = found.keys else { return }
        if onlyIfRepeated, found.isUnique { return }
        keyCount -= keys.count
        profiles[profile].update(column, name: found.name) { column, _ in
            column.keys = onlyIfRepeated ? .repeated : .unknown
        }
    }

    // MARK: Second reading

    /// Calls `body` with each value of each record again.
    func eachValue(
        of source: Int, cancellation: Cancellation?,
        _ body: (_ profile: Int, _ column: Int, _ bytes: UnsafeBufferPointer<UInt8>) -> Void
    ) throws(GranaryError) {
        let reader = try sources[source].makeReader()
        try reader.readHeader()
        var record = Record()
        while true {
            try cancellation?.check()
            let outcome = try reader.next(into: &record)
            if case .end = outcome { return }
            guard case .record = outcome else { continue }
            guard let root = roots[source][record.entity] else { continue }
            var places: [Int?] = []
            record.bytes.withUnsafeBufferPointer { all in
                func visit(_ fields: ArraySlice<Record.Field>, _ profile: Int) {
                    for field in fields {
                        let bytes = UnsafeBufferPointer(rebasing: all[field.range])
                        switch field.kind {
                        case .null, .emptyList, .object, .array, .json: continue
                        case .text where nullTexts.contains(Array(bytes)): continue
                        case .quoted where bytes.isEmpty && !sources[source].nests: continue
                        default: body(profile, Int(field.column), bytes)
                        }
                    }
                }
                visit(record.fields[...], root)
                for object in record.nested {
                    let parent = object.parent < 0 ? root : places[Int(object.parent)]
                    let profile = parent.flatMap { children[[$0, Int(object.column)]] }
                    places.append(profile)
                    if let profile {
                        visit(record.nestedFields[Int(object.fieldsStart)..<Int(object.fieldsEnd)], profile)
                    }
                }
            }
        }
    }
}
