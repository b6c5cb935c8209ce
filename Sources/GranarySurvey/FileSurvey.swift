package import GranaryBase
package import GranaryFormats
package import GranaryModel
import GranaryRecords

/// What a data file is: its format, its dialect, how its values are written, and the options of an import that reads
/// it so. All of the file is read; memory does not grow with it.
package struct FileSurvey: Sendable {
    package let path: String
    package let format: DataFormat
    /// The number of records, and of those among them that are malformed.
    package private(set) var records = 0
    package private(set) var malformed = 0
    package private(set) var firstProblem: Diagnostic?
    package private(set) var findings: [SurveyFinding] = []
    package private(set) var columns: [ColumnSurvey] = []

    /// The options of all findings.
    package var options: [SurveyOption] { findings.flatMap(\.options) }
    package var doubts: [SurveyDoubt] { findings.compactMap(\.doubt) }
    /// Whether some options are for one column only, so that the file needs a seed plan.
    package var needsPlan: Bool { options.contains { $0.column != nil } }

    /// - Parameters:
    ///   - format: the format; nil to take it from the file's name or contents.
    ///   - entity: the entity of the records; nil if there is no model.
    /// - Throws: ``GranaryError``: `unreadable`, `usage` for a file of no known format, `refused` for a file that cannot
    ///   be read to its end.
    package init(path: String, format given: DataFormat? = nil, entity: Schema.Entity? = nil) throws(GranaryError) {
        // Opening a pipe waits for its other end, and its bytes come only once.
        guard FileKind(path) != .special else {
            throw GranaryError(
                .usage, "\(path) is a pipe or a device, which can be read only once; save it as a file first")
        }
        self.path = path
        let named = given ?? DataFormat(fileName: path)
        var found = named
        if found == nil { found = try Self.format(of: ByteSource(path: path)) }
        guard let format = found else {
            throw GranaryError(
                .usage, "\(path) is in no format that an import reads: CSV, TSV, JSON, JSON Lines or a property list")
        }
        self.format = format
        findings.append(
            SurveyFinding(
                .format, format.rawValue, named == nil ? "the first byte" : "the name of the file",
                named == nil ? [SurveyOption("format", format.rawValue)] : []))
        guard format != .terms else {
            throw GranaryError(
                .usage, "a constant table has no dialect; give its delimiter and attribute to the import")
        }
        var source = SourceOptions()
        source.format = format
        if format != .plist {
            let encoding = try EncodingSurvey(ByteSource(path: path))
            findings.append(encoding.finding)
            source.encoding = encoding.encoding
        }
        var delimiter: UInt8?
        var reader: any RecordReader
        if format.isDelimited {
            let sample = try Self.sample(of: path, source.encoding)
            let dialect = try DialectSurvey(sample, isTSV: format == .tsv)
            findings += dialect.findings
            findings.append(Self.lineEnds(sample))
            let header = try HeaderSurvey(sample, dialect.options, entity: entity)
            findings.append(header.finding)
            delimiter = dialect.options.delimiter
            var options = header.options
            options.encoding = source.encoding
            options.blankRows = .skip
            reader = try CSVReader(ByteSource(path: path), options: options)
        } else {
            reader = try source.reader(ByteSource(path: path), format: format)
        }
        try read(reader)
        if records == 1, format.holdsSeveralEntities, let place = note(reader.abilities?.wrappedRecords ?? [], entity) {
            // The columns are those of the records.
            source.recordPlaces = place.fullPath == RecordPlace.document ? [] : [RecordPlace(place.fullPath)]
            source.recordKey = place.isKeyed ? Self.recordKey(entity) : nil
            (records, malformed, firstProblem, columns) = (0, 0, nil, [])
            reader = try source.reader(ByteSource(path: path), format: format)
            try read(reader)
        }
        if !reader.entities.isEmpty {
            findings.append(
                SurveyFinding(
                    .records, reader.entities.joined(separator: ", "), "the file names the entities of its objects"))
        }
        let surveyed = columns.map { SurveyedColumn($0, entity: reader.entities.isEmpty ? entity : nil) }
        findings += SurveyDecisions(surveyed, delimiter: delimiter).findings
        if let entity, reader.entities.isEmpty {
            findings += ColumnDecisions(surveyed, entity: entity).findings
        }
    }

    /// The format of a file whose name does not tell it, by its first byte that is not white space.
    private static func format(of source: ByteSource) throws(GranaryError) -> DataFormat? {
        source.decodeText(as: nil, allowsNUL: true)
        var start = [UInt8](repeating: 0, count: 4096)
        let count = try source.read(into: &start)
        let text = start[..<count].drop { [0xEF, 0xBB, 0xBF, 0x20, 0x09, 0x0A, 0x0D].contains($0) }
        if text.starts(with: Array("bplist".utf8)) || text.starts(with: Array("<?xml".utf8))
            || text.starts(with: Array("<!DOCTYPE plist".utf8))
        {
            return .plist
        }
        if text.starts(with: Array("SQLite format 3".utf8)) || text.starts(with: Array("PK\u{3}\u{4}".utf8))
            || text.starts(with: Array("%PDF".utf8))
        {
            return nil
        }
        guard let first = text.first else { return nil }
        if first == UInt8(ascii: "[") { return .json }
        guard first == UInt8(ascii: "{") else { return text.contains(0) ? nil : .csv }
        // Lines that are objects by themselves are JSON Lines.
        let line = text.prefix { $0 != 0x0A }
        return line.count < text.count && line.last { $0 > 0x20 } == UInt8(ascii: "}") ? .ndjson : .json
    }

    /// The beginning of a text file in UTF-8, in whole lines.
    private static func sample(of path: String, _ encoding: TextEncoding?) throws(GranaryError) -> [UInt8] {
        let source = try ByteSource(path: path)
        source.decodeText(as: encoding, allowsNUL: true)
        var sample = [UInt8](repeating: 0, count: DialectSurvey.sampleBytes)
        var filled = 0
        while filled < sample.count {
            var rest = Array(sample[filled...])
            let count = try source.read(into: &rest)
            if count == 0 { return Array(sample[..<filled]) }
            sample.replaceSubrange(filled..<filled + count, with: rest[..<count])
            filled += count
        }
        // The last line is cut.
        guard let end = sample.lastIndex(of: 0x0A) ?? sample.lastIndex(of: 0x0D) else { return sample }
        return Array(sample[...end])
    }

    private static func lineEnds(_ sample: [UInt8]) -> SurveyFinding {
        var counts: [String: Int] = [:]
        var last: UInt8 = 0
        for byte in sample {
            if byte == 0x0A { counts[last == 0x0D ? "CR LF" : "LF", default: 0] += 1 }
            if last == 0x0D, byte != 0x0A { counts["CR", default: 0] += 1 }
            last = byte
        }
        let found = counts.sorted { ($1.value, $0.key) < ($0.value, $1.key) }
        let name = found.map(\.key).joined(separator: " and ")
        let evidence = found.map { "\($0.value) \($0.key)" }.joined(separator: ", ")
        return SurveyFinding(
            .lines, name.isEmpty ? "none" : name,
            evidence.isEmpty ? "one line without an end" : evidence + "; all are read")
    }

    private mutating func read(_ reader: any RecordReader) throws(GranaryError) {
        var record = Record()
        try reader.readHeader()
        reading: while true {
            if records & 0xFFF == 0 { try Cancellation.current?.check() }
            let outcome = try reader.next(into: &record)
            while columns.count < reader.columns.count { columns.append(ColumnSurvey(reader.columns[columns.count])) }
            switch outcome {
            case .end: break reading
            case .malformed(let diagnostic):
                records += 1
                malformed += 1
                if firstProblem == nil { firstProblem = diagnostic }
            case .record:
                records += 1
                add(record)
            }
        }
    }

    private mutating func add(_ record: Record) {
        record.bytes.withUnsafeBufferPointer { bytes in
            for field in record.fields where !field.isElement {
                let column = Int(field.column)
                guard columns.indices.contains(column) else { continue }
                columns[column].add(field.kind, UnsafeBufferPointer(rebasing: bytes[field.range]))
            }
        }
    }

    /// Notes where the records of a document are that is one object; nil if there is no such place.
    private mutating func note(_ found: [WrappedRecords], _ entity: Schema.Entity?) -> WrappedRecords? {
        // Arrays first: an object whose members are objects is often only the frame around them.
        let strong = found.filter { !$0.isWeak }
        let arrays = strong.filter { !$0.isKeyed }
        let places = arrays.isEmpty ? strong : arrays
        guard let place = places.first else { return nil }
        let path = place.fullPath
        var finding = SurveyFinding(
            .records, path == RecordPlace.document ? "the members of the document" : "\"\(path)\"",
            place.isKeyed ? "the members of this object are objects" : "this array has objects")
        if places.count > 1 {
            let others = places.dropFirst().prefix(3).map { "\"\($0.fullPath)\"" }
            finding.doubt = SurveyDoubt(
                "the records can also be in \(others.joined(separator: ", "))",
                places.prefix(4).compactMap { $0.help(key: Self.recordKey(entity)) })
        }
        if path != RecordPlace.document { finding.options.append(SurveyOption("records", path)) }
        if place.isKeyed { finding.options.append(SurveyOption("record-key", Self.recordKey(entity))) }
        findings.append(finding)
        return place
    }

    /// The column for the names of records: the attribute of a uniqueness constraint, because such names are unique.
    private static func recordKey(_ entity: Schema.Entity?) -> String {
        entity.flatMap { NaturalKey(of: $0, allowsSeveral: false) }?.attributes.first?.name ?? "id"
    }
}
