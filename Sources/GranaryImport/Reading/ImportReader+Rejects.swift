import GranaryBase
import GranaryFormats
import GranaryRecords

/// Keeping of records for the rejects file.
extension ImportReader {
    /// Chooses how the records of a source are kept.
    func rejectsData(
        of reader: any RecordReader, _ job: ResolvedJob, _ hints: ReaderHints
    ) throws -> ImportSources.RejectsData {
        let properties = RejectedProperties(
            schema: schema, options: job.readingOptions, entity: entity(of: reader, job) ?? job.entity)
        var data = ImportSources.RejectsData(
            hints: hints, properties: properties, entity: (reader as? any WrappingReader)?.entities.first)
        if problems.rejectsFile != nil {
            data.preamble = try reader.abilities?.preamble()
            let base = RejectsFile.unwrapped(reader)
            if data.preamble != nil {
                current.keeping = .bytes
            } else if base is DatabaseReader || base is CheckedReader {
                data.keepsLines = true
                current.keeping = .lines(RecordLine(base, properties))
            }
        }
        return data
    }

    /// Whether records that are accepted at first are kept too, because they can still be rejected.
    var keepsAccepted: Bool {
        if case .none = current.keeping { return false }
        return !stream.isOpen
    }

    /// Keeps a record that is rejected or can still be rejected.
    func keep(_ record: borrowing Record, of file: Int32, isAccepted: Bool, isMalformed: Bool = false) {
        guard !isAccepted || keepsAccepted, let kept = problems.rejectsFile?.kept else { return }
        switch current.keeping {
        case .none: return
        case .bytes: record.raw.withUnsafeBufferPointer { kept.add(record.number, $0, of: file) }
        case .lines(let lines):
            var line: [UInt8] = []
            lines.append(record, isMalformed: isMalformed, to: &line)
            line.withUnsafeBufferPointer { kept.add(record.number, $0, of: file) }
        }
    }

    /// Keeps a record of a task.
    func keep(
        _ index: Int, of records: TaskRecords, at place: RecordLocation, isAccepted: Bool, isMalformed: Bool = false
    ) {
        switch records {
        case .records(let records, _):
            keep(records[index], of: place.file, isAccepted: isAccepted, isMalformed: isMalformed)
        case .chunk(let chunk, _):
            guard case .bytes = current.keeping, !isAccepted || keepsAccepted else { return }
            let raw = UnsafeBufferPointer(rebasing: chunk.bytes[chunk.raw(of: index)])
            problems.rejectsFile?.kept.add(place.record, raw, of: place.file)
        }
    }
}
