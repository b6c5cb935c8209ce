import Foundation
import GranaryBase
import GranaryFormats
import GranaryModel
import GranaryRecords

/// The rejects files of a run: files of rejected records, and a file of their reasons.
///
/// The files are created under temporary names before anything is read, so that a path that cannot be written is an
/// error at the start. Reasons are written during the run. Records are written at its end, under the source's header
/// and in the source's order. Existing files with these names stay until then.
///
/// ```swift
/// let file = try RejectsFile(path: "bad.csv")
/// file.note(diagnostic)
/// let names = try file.write([rejected])  // bad.csv, bad.csv.reasons.jsonl
/// try file.place()                        // before the commit
/// try file.publish()                      // after the commit
/// ```
final class RejectsFile {
    /// The rejected records of one source.
    struct Rejected {
        let source: ImportSource
        let job: ImportJob
        let records: RejectedRecords
        /// The hints of the first reader. The second one needs them to split records in the same way.
        var hints = ReaderHints()
        /// The preamble of delimited text, whose records are in ``RejectsFile/kept``; nil for a source that is read
        /// again.
        var preamble: CSVPreamble?
        /// The entity in the source's name.
        var entity: String?
    }

    /// The records of delimited text that were rejected or can still be rejected. The reading thread adds them.
    let kept = RecordSpool("the rejected records")
    private var names: RejectsNames
    /// The file of the path; nil after ``discard()``.
    private var output: ByteOutput?
    /// The file of reasons; nil after ``discard()``.
    private var sidecar: ByteOutput?
    /// The reasons by their records; nil unless the file is a table.
    private let reasons: RejectReasons?
    private let lock = NSLock()
    private var writers: [any RejectsWriter] = []
    private var outputs: [ByteOutput] = []
    private let permissions: UInt32
    private var digests: [String: RunningDigest] = [:]
    /// The last line of reasons. It is not written yet, because the digests of the files are added to it at the end.
    private var lastReason: [UInt8] = []
    /// The error of writing reasons, which ``write(_:)`` throws.
    private var failure: GranaryError?

    private final class RunningDigest {
        var digest = ContentDigest()
    }

    /// - Parameters:
    ///   - format: the form of the file.
    ///   - protected: files that must not be replaced: the run's sources, stores, models and other outputs.
    ///   - replacesOthers: whether to replace files that no earlier run wrote or that were edited since.
    /// - Throws: ``GranaryError``: `uncreatable` if the files cannot be created or existing files not be replaced;
    ///   `usage` for a path that is protected, standard output or compressed.
    init(
        path: String, format: ImportRunOptions.RejectsFormat = .same,
        protecting protected: ProtectedFiles = ProtectedFiles(), replacesOthers: Bool = false,
        permissions: UInt32 = 0o666
    ) throws(GranaryError) {
        reasons = format == .csv ? RejectReasons() : nil
        self.permissions = permissions
        names = try RejectsNames(path: path, protecting: protected, replacesOthers: replacesOthers)
        output = try digested(ByteOutput.file(path, replacing: true, permissions: permissions))
        sidecar = try ByteOutput.file(names.sidecar, replacing: true, permissions: permissions)
    }

    /// Adds a diagnostic to the reasons.
    func note(_ diagnostic: Diagnostic) {
        // After a cancellation the reading thread can still add reasons while another thread calls ``discard()``.
        lock.lock()
        defer { lock.unlock() }
        guard failure == nil, let sidecar else { return }
        sidecar.buffer.append(contentsOf: lastReason)
        lastReason.removeAll(keepingCapacity: true)
        DiagnosticLine.append(diagnostic, to: &lastReason)
        reasons?.add(diagnostic, line: lastReason)
        do throws(GranaryError) {
            try sidecar.flushIfFull()
        } catch {
            failure = error
        }
    }

    /// Writes and syncs the files under temporary names. Without rejected records there are no files.
    ///
    /// - Returns: the paths that the files will have: the file of the path, files of further kinds of sources, the
    ///   reasons.
    /// - Throws: ``GranaryError`` with code `inputOutput` if the files cannot be written or a source has changed since
    ///   it was read, or as reading throws. The files of this run are then removed.
    func write(_ rejected: [Rejected]) throws(GranaryError) -> [String] {
        do throws(GranaryError) { return try writeAll(rejected) } catch {
            discard()
            throw error
        }
    }

    private func writeAll(_ rejected: [Rejected]) throws(GranaryError) -> [String] {
        if let failure { throw failure }
        guard let sidecar else { throw GranaryError(.internalDefect, "the rejected records are written twice") }
        var kinds: [RejectsKind: Int] = [:]
        var firstExtension: String?
        for (number, entry) in rejected.enumerated() where !entry.records.isEmpty {
            let reader = try entry.preamble == nil ? open(entry) : nil
            let kind = try kind(of: entry, reader, number: number)
            // The columns of other sources than delimited ones differ.
            let isShared = reasons == nil || entry.preamble != nil
            let index: Int
            if isShared, let known = kinds[kind] {
                index = known
            } else {
                index = writers.count
                kinds[kind] = index
                let fileExtension = reasons == nil ? kind.fileExtension : "csv"
                let ownExtension = firstExtension.flatMap { $0 == fileExtension ? nil : fileExtension }
                if firstExtension == nil { firstExtension = fileExtension }
                let target = try nextTarget(isFirst: index == 0, fileExtension: ownExtension)
                outputs.append(target)
                if reasons != nil {
                    writers.append(try RejectsTableWriter(target, columns: columns(of: entry), entry.preamble))
                } else if let reader {
                    writers.append(try kind.writer(target, first: reader))
                } else if let preamble = entry.preamble {
                    writers.append(try CSVRejectsWriter(target, first: preamble))
                }
            }
            let found = try copy(entry, number: Int32(number), reader, to: writers[index])
            guard found == entry.records.count else {
                guard entry.preamble == nil else {
                    throw GranaryError(
                        .internalDefect,
                        "\(entry.source.name): \(found) of \(entry.records.count) rejected records were kept")
                }
                throw GranaryError(
                    .inputOutput,
                    "\(entry.source.name): has changed since it was read: \(found) of \(entry.records.count) rejected "
                        + "records are left")
            }
        }
        guard !writers.isEmpty else { return [] }
        for writer in writers { try writer.prepare() }
        let paths = outputs.map(\.name)
        let files = paths.map { path in
            RejectsDigests.File(
                name: URL(filePath: path).lastPathComponent, sha256: digests[path]?.digest.hexadecimal ?? "")
        }
        sidecar.buffer.append(contentsOf: RejectsDigests(rejects: files).added(to: lastReason))
        try sidecar.prepare()
        return paths + [names.sidecar]
    }

    /// Renames the files to their names. Call it just before the commit, so that a committed import has its rejects
    /// file even if the process is killed after the commit. If ``publish()`` does not follow, ``discard()`` restores
    /// the earlier files.
    ///
    /// - Throws: ``GranaryError``: `uncreatable` if another process created or edited such a file during the run, or
    /// `inputOutput`.
    func place() throws(GranaryError) {
        guard let sidecar, !outputs.isEmpty else { return }
        // Checked again, because another process may have created or edited a file during the run.
        for output in outputs { output.replaces = names.isReplaceable(output.name) }
        sidecar.replaces = names.replacesReasons
        // The reasons file, which has the digests, is renamed last. If the process is killed before, the next run finds
        // no digests and does not replace the files.
        for output in outputs + [sidecar] { try output.place() }
    }

    /// The last step, after the commit: makes the renames permanent and removes the other files of an earlier run. Does
    /// nothing after ``discard()``.
    ///
    /// - Throws: ``GranaryError`` with code `inputOutput`.
    func publish() throws(GranaryError) {
        defer { discard() }
        guard let sidecar else { return }
        // ``place()`` was not called if there was nothing to commit.
        try place()
        for output in outputs + [sidecar] where !outputs.isEmpty { try output.publish() }
        try names.removeOld(but: outputs.isEmpty ? [] : outputs.map(\.name) + [names.sidecar])
    }

    /// Removes the files of this run and restores the earlier ones.
    func discard() {
        lock.lock()
        defer { lock.unlock() }
        // An output that is not finished removes its temporary file when it goes away.
        output = nil
        sidecar = nil
        writers = []
        outputs = []
    }

    /// Returns the output after starting to compute its digest.
    private func digested(_ output: ByteOutput) -> ByteOutput {
        let running = RunningDigest()
        digests[output.name] = running
        output.tap = { running.digest.update($0) }
        return output
    }

    /// Returns the file for the next kind of sources. The first file exists from the start.
    private func nextTarget(isFirst: Bool, fileExtension: String?) throws(GranaryError) -> ByteOutput {
        if isFirst, let output { return output }
        return digested(
            try ByteOutput.file(names.next(fileExtension: fileExtension), replacing: true, permissions: permissions))
    }

    private func copy(
        _ entry: Rejected, number: Int32, _ reader: (any RecordReader)?, to writer: any RejectsWriter
    ) throws(GranaryError) -> Int {
        if let writer = writer as? RejectsTableWriter, let reasons {
            guard let preamble = entry.preamble else { return try copy(entry, to: writer, reasons) }
            return try copy(entry, number: number, preamble, to: writer, reasons)
        }
        if let writer = writer as? any RereadingRejectsWriter, let reader {
            // The reader of a property list was used to find the encoding, so the source is opened again.
            return try writer.copy(entry.records, from: reader is PropertyListReader ? open(entry) : reader)
        }
        guard let writer = writer as? CSVRejectsWriter else { return 0 }
        var found = 0
        var records = try kept.reader(of: number)
        while let (record, raw) = try records.read() {
            guard entry.records.contains(record) else { continue }
            found += 1
            try writer.append(Array(raw))
        }
        return found
    }

    /// Copies the rejected records of a delimited source to a table.
    private func copy(
        _ entry: Rejected, number: Int32, _ preamble: CSVPreamble, to writer: RejectsTableWriter,
        _ reasons: RejectReasons
    ) throws(GranaryError) -> Int {
        var options = preamble.options
        (options.hasHeader, options.columns) = (false, preamble.columns)
        (options.skipRows, options.encoding) = (0, .utf8)
        var record = Record()
        var found = 0
        var records = try kept.reader(of: number)
        while let (recordNumber, raw) = try records.read() {
            guard entry.records.contains(recordNumber) else { continue }
            found += 1
            // Each record is split for itself, so that a quote that is not closed affects no other record.
            let reader = try CSVReader(
                ByteSource(bytes: Array(raw), name: entry.source.name), options: options, chunkBytes: 1 << 14)
            var isComplete = false
            do throws(GranaryError) {
                try reader.readHeader()
                if case .record = try reader.next(into: &record) { isComplete = true }
            } catch {
                // The record is in its column as it was found.
            }
            if !isComplete {
                record.removeAll()
                record.raw = Array(raw)
            }
            try writer.append(
                record, isComplete: isComplete, names: preamble.columns, of: entry.source.name,
                reasons.diagnostics(of: recordNumber, in: entry.source.name, rejected: entry.records))
        }
        return found
    }

    /// Copies the rejected records of a source that is read again to a table.
    private func copy(
        _ entry: Rejected, to writer: RejectsTableWriter, _ reasons: RejectReasons
    ) throws(GranaryError) -> Int {
        let reader = try open(entry)
        var record = Record()
        var found = 0
        while found < entry.records.count {
            let isComplete: Bool
            switch try reader.next(into: &record) {
            case .end: return found
            case .record: isComplete = true
            case .malformed: isComplete = false
            }
            guard entry.records.contains(record.number) else { continue }
            found += 1
            try writer.append(
                record, isComplete: isComplete, names: reader.columns, of: entry.source.name,
                reasons.diagnostics(of: record.number, in: entry.source.name, rejected: entry.records))
        }
        return found
    }

    /// The columns of a source. Those of JSON and property lists are known after its last rejected record.
    private func columns(of entry: Rejected) throws(GranaryError) -> [String] {
        if let preamble = entry.preamble { return preamble.columns }
        let reader = try open(entry)
        _ = try entry.records.forEach(in: reader) { (_) throws(GranaryError) in }
        return reader.columns
    }

    /// The kind of file for the records of a source.
    private func kind(
        of entry: Rejected, _ reader: (any RecordReader)?, number: Int
    ) throws(GranaryError) -> RejectsKind {
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
        case is CheckedReader, is DatabaseReader: format = .records
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
            guard let preamble = entry.preamble else {
                throw GranaryError(
                    .internalDefect, "\(entry.source.name): the records of this source cannot be written")
            }
            format = .delimited(RejectsKind.DelimitedDialect(preamble))
        }
        return RejectsKind(
            format: format, encoding: entry.preamble?.encoding ?? reader?.abilities?.source?.encoding ?? .utf8,
            entity: entry.job.entity ?? entry.entity, linkRelationship: entry.job.options.linkRelationship,
            origin: entry.job.origin)
    }

    /// Opens the source and reads its header.
    private func open(_ entry: Rejected) throws(GranaryError) -> any RecordReader {
        var reader = try entry.source.open()
        try reader.readHeader()
        reader.abilities?.take(entry.hints)
        while !(reader is CheckedReader), let wrapper = reader as? any WrappingReader { reader = wrapper.base }
        return reader
    }
}
