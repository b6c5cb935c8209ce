import GranaryBase
import GranaryFormats
import GranaryRecords

/// Files of rejected records in the form of their sources.
extension RejectsFile {
    /// - Returns: the number of records that were found.
    func writeRecords(of entry: Rejected, number: Int) throws(GranaryError) -> Int {
        guard entry.preamble != nil || entry.keepsLines else { return try writeReread(entry, number: number) }
        let kind = try kind(of: entry, nil, number: number)
        let writer = try writer(of: kind) { (target) throws(GranaryError) -> any RejectsWriter in
            guard let preamble = entry.preamble else { return LineRejectsWriter(target) }
            return try CSVRejectsWriter(target, first: preamble)
        }
        guard let writer = writer as? any KeptRejectsWriter else { return 0 }
        return try forEachKept(of: entry, number: number) { (_, raw) throws(GranaryError) in try writer.append(raw) }
    }

    private func writeReread(_ entry: Rejected, number: Int) throws(GranaryError) -> Int {
        let reader = try open(entry)
        let kind = try kind(of: entry, reader, number: number)
        let writer = try writer(of: kind) { (target) throws(GranaryError) -> any RejectsWriter in
            try kind.writer(target, first: reader)
        }
        guard let writer = writer as? any RereadingRejectsWriter else { return 0 }
        // The reader of a property list was used to find the encoding, so the source is opened again.
        return try writer.copy(entry.records, from: reader is PropertyListReader ? open(entry) : reader)
    }

    /// Calls `body` with the number and the text of each rejected record in ``kept``.
    ///
    /// - Returns: the number of records found.
    func forEachKept(
        of entry: Rejected, number: Int, _ body: (Int, [UInt8]) throws(GranaryError) -> Void
    ) throws(GranaryError) -> Int {
        var found = 0
        var records = try kept.reader(of: Int32(number))
        while let (record, raw) = try records.read() {
            guard entry.records.contains(record) else { continue }
            found += 1
            try body(record, Array(raw))
        }
        return found
    }

    /// Opens the source and reads its header.
    func open(_ entry: Rejected, takesHints: Bool = true) throws(GranaryError) -> any RecordReader {
        let reader = try entry.source.open()
        try reader.readHeader()
        if takesHints { reader.abilities?.take(entry.hints) }
        return Self.unwrapped(reader)
    }

    /// The reader inside those that change its records.
    static func unwrapped(_ reader: any RecordReader) -> any RecordReader {
        var reader = reader
        while !(reader is CheckedReader), let wrapper = reader as? any WrappingReader { reader = wrapper.base }
        return reader
    }

    /// The kind of file for the records of a source.
    func kind(of entry: Rejected, _ reader: (any RecordReader)?, number: Int) throws(GranaryError) -> RejectsKind {
        let format: RejectsKind.Format
        switch reader {
        case let json as JSONReader:
            let places = json.options.places
            if json.options.lines {
                format = .jsonLines
            } else if !places.isEmpty {
                format = .jsonPlaces(places, source: number)
            } else {
                format = json.isDocument ? .jsonDocument(source: number) : .json
            }
        case let terms as TermsReader: format = .terms(columns: terms.columns)
        case let list as PropertyListReader:
            // Whether XML can contain the records is known only after reading all of them.
            let records = entry.records
            let encoding = try PropertyListRecordCopy.encoding(records.count, of: list) { records.contains($0) }
            if !list.options.places.isEmpty {
                format = .propertyListPlaces(encoding, list.options.places, source: number)
            } else {
                format = list.isDocument ? .propertyListDocument(encoding, source: number) : .propertyList(encoding)
            }
        default:
            if let preamble = entry.preamble {
                format = .delimited(RejectsKind.DelimitedDialect(preamble))
            } else if entry.keepsLines {
                format = .records
            } else {
                throw GranaryError(
                    .internalDefect, "\(entry.source.name): the records of this source cannot be written")
            }
        }
        return RejectsKind(
            format: format, encoding: entry.preamble?.encoding ?? reader?.abilities?.source?.encoding ?? .utf8,
            entity: entry.job.entity ?? entry.entity, linkRelationship: entry.job.options.linkRelationship,
            origin: entry.job.origin)
    }
}
