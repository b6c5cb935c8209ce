package import GranaryBase
package import GranaryFormats
package import GranaryModel
package import GranaryRecords

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
    /// The columns of the records.
    package private(set) var columns: [ColumnSurvey] = []
    /// Whether the file names the entities of its objects, so that an import must name none.
    package private(set) var namesEntities = false
    /// The options that were given, not found.
    let given: SourceOptions

    /// The options of all findings.
    package var options: [SurveyOption] { findings.flatMap(\.options) }
    package var doubts: [SurveyDoubt] { findings.compactMap(\.doubt) }
    /// Whether some options are for one column only, so that the file needs a seed plan.
    package var needsPlan: Bool { options.contains { $0.column != nil } }

    /// - Parameters:
    ///   - given: what the caller knows: the format, the encoding, the delimiter and so on. Only the rest is examined.
    ///   - nulls: the texts that are NULL; nil if that is to be found.
    ///   - entity: the entity of the records; nil if there is no model.
    /// - Throws: ``GranaryError``: `unreadable`, `usage` for a file of no known format, `refused` for a file that is no
    ///   data or cannot be read to its end.
    package init(
        path: String, given: SourceOptions, nulls: [String]? = nil, entity: Schema.Entity? = nil
    ) throws(GranaryError) {
        // Opening a pipe waits for its other end, and its bytes come only once.
        guard FileKind(path) != .special else {
            throw GranaryError(
                .usage, "\(path) is a pipe or a device, which can be read only once; save it as a file first")
        }
        self.path = path
        self.given = given
        let named = given.format(of: path)
        let content = try FileContent(of: ByteSource(path: path))
        let mayHaveNUL = given.allowsNUL || given.encoding != nil || named == .plist
        if let problem = content.problem(of: path, mayHaveNUL: mayHaveNUL) { throw problem }
        var found = named
        if found == nil, case .data(let format) = content { found = format }
        guard let format = found else {
            throw GranaryError(.usage, "\(path) is empty, and its name tells no format")
        }
        self.format = format
        findings.append(
            SurveyFinding(
                .format, format.rawValue,
                given.format != nil ? "as given" : named == nil ? "the first byte" : "the name of the file",
                DataFormat(fileName: path) == format ? [] : [SurveyOption("format", format.rawValue)]))
        guard format != .terms else {
            throw GranaryError(
                .usage, "a constant table has no dialect; give its delimiter and attribute to the import")
        }
        var source = given
        source.format = format
        source.allowsNUL = true
        if format != .plist, given.encoding == nil {
            let encoding = try EncodingSurvey(ByteSource(path: path))
            findings.append(encoding.finding)
            source.encoding = encoding.encoding
        }
        var delimiter: UInt8?
        var survey: RecordSurvey
        var reader: any RecordReader
        var plain: CSVReader.Options?
        if format.isDelimited {
            let sample = try Self.sample(of: path, source.encoding)
            let dialect = try DialectSurvey(sample, given: given, isTSV: format == .tsv)
            findings += dialect.findings
            findings.append(Self.lineEnds(sample))
            let header = try HeaderSurvey(sample, dialect.options, given: given, entity: entity)
            findings.append(header.finding)
            delimiter = dialect.options.delimiter
            var options = header.options
            options.encoding = source.encoding
            options.blankRows = given.blankRows
            options.blankLines = given.blankLines
            options.allowsUnnamedColumns = options.allowsUnnamedColumns || given.ignoresUnnamed
            reader = try CSVReader(ByteSource(path: path), options: options)
            if given.isForSpreadsheets { reader = SpreadsheetReader(reader) }
            plain = options
        } else {
            reader = try source.reader(ByteSource(path: path), format: format)
        }
        survey = try RecordSurvey(reader, entity: entity, nulls: nulls, isDelimited: format.isDelimited)
        if let plain, !given.isForSpreadsheets, survey.guards.areConsistent {
            findings.append(
                SurveyFinding(
                    .spreadsheet, "an apostrophe before fields that begin as formulas",
                    CountText.count(survey.guards.guarded, "field") + ", such as \"\(survey.guards.first ?? "")\"",
                    [SurveyOption("spreadsheet")]))
            reader = SpreadsheetReader(try CSVReader(ByteSource(path: path), options: plain))
            survey = try RecordSurvey(reader, entity: entity, nulls: nulls, isDelimited: true)
        }
        if survey.records == 1, format.holdsSeveralEntities, given.recordPlaces.isEmpty, given.recordKey == nil,
            let place = note(reader.abilities?.wrappedRecords ?? [], entity)
        {
            // The columns are those of the records.
            source.recordPlaces = place.fullPath == RecordPlace.document ? [] : [RecordPlace(place.fullPath)]
            source.recordKey = place.isKeyed ? Self.recordKey(entity) : nil
            reader = try source.reader(ByteSource(path: path), format: format)
            survey = try RecordSurvey(reader, entity: entity, nulls: nulls, isDelimited: false)
        }
        namesEntities = !reader.entities.isEmpty
        if namesEntities {
            findings.append(
                SurveyFinding(
                    .records, reader.entities.joined(separator: ", "), "the file names the entities of its objects"))
        }
        if survey.hasNUL {
            findings.append(
                SurveyFinding(
                    .characters, "U+0000", "in texts or names; an import needs the option", [SurveyOption("allow-nul")])
            )
        }
        take(survey)
        let entity = namesEntities ? nil : entity
        let matching = ColumnMatching(survey.columns, entity: entity)
        findings += SurveyDecisions(matching.columns, delimiter: delimiter, nulls: nulls).findings
        if let entity { findings += ColumnDecisions(matching, entity: entity).findings }
        removeGiven(nulls)
    }

    private mutating func take(_ survey: RecordSurvey) {
        (records, malformed, firstProblem) = (survey.records, survey.malformed, survey.firstProblem)
        columns = survey.columns.filter { $0.owner == nil }
    }

    /// Removes the options that the caller has given, and the doubts about them.
    private mutating func removeGiven(_ nulls: [String]?) {
        let isGiven: [String: Bool] = [
            "encoding": given.encoding != nil, "delimiter": given.delimiter != nil,
            "quote": given.quote != nil, "escape": given.escape != nil, "comment": given.comment != nil,
            "skip-rows": given.skipRows > 0, "no-header": !given.hasHeader, "columns": given.columns != nil,
            "allow-nul": given.allowsNUL, "records": !given.recordPlaces.isEmpty,
            "record-key": given.recordKey != nil, "null": nulls != nil,
        ]
        for index in findings.indices {
            findings[index].options.removeAll { isGiven[$0.name] ?? false }
        }
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

    /// Notes where the records of a document are that is one object; nil if there is no such place.
    private mutating func note(_ found: [WrappedRecords], _ entity: Schema.Entity?) -> WrappedRecords? {
        // Arrays first: an object whose members are objects is often only the frame around them.
        let strong = found.filter { !$0.isWeak }
        let arrays = strong.filter { !$0.isKeyed }
        // Members with the same names inside are records. Arrays inside them belong to a record.
        let alike = strong.filter { keyed in
            keyed.areAlike
                && arrays.allSatisfy { $0.path.starts(with: keyed.path) && $0.path.count > keyed.path.count + 1 }
        }
        let places = arrays.isEmpty ? strong : alike + arrays
        guard let place = places.first else { return nil }
        let path = place.fullPath
        var finding = SurveyFinding(
            .records, path == RecordPlace.document ? "the members of the document" : "\"\(path)\"",
            place.isKeyed ? "the members of this object are objects" : "this array has objects")
        if places.count > 1 {
            let others = places.dropFirst().prefix(3).map { "\"\($0.fullPath)\"" }
            finding.doubt = SurveyDoubt(
                "the records can also be in \(others.joined(separator: ", "))",
                places.prefix(4).compactMap { $0.help(key: Self.recordKey(entity)) }
                    + Self.helpForAll(places.prefix(4).map(\.self)))
        }
        if path != RecordPlace.document { finding.options.append(SurveyOption("records", path)) }
        if place.isKeyed { finding.options.append(SurveyOption("record-key", Self.recordKey(entity))) }
        findings.append(finding)
        return place
    }

    /// The options that read several places, each with an entity of its own.
    private static func helpForAll(_ places: [WrappedRecords]) -> [String] {
        guard places.allSatisfy({ !$0.isKeyed }), places.map({ RecordPlace($0.fullPath) }).problem == nil
        else { return [] }
        let all = places.map { place in
            let name = (place.path.last ?? place.base.last ?? "entity").filter { $0.isLetter || $0.isNumber }
            let entity = name.prefix(1).uppercased() + name.dropFirst()
            return OptionHelp.option("records", "\(entity)=\(place.fullPath)")
        }
        return [OptionHelp.all(all).map { "all, with the names of your entities and without --entity: " + $0 }]
            .compactMap { $0 }
    }

    /// The column for the names of records: the attribute of a uniqueness constraint, because such names are unique.
    private static func recordKey(_ entity: Schema.Entity?) -> String {
        entity.flatMap { NaturalKey(of: $0, allowsSeveral: false) }?.attributes.first?.name ?? "id"
    }
}
