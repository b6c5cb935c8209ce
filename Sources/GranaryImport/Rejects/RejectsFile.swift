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
        /// The preamble of delimited text, whose records are in ``RejectsFile/kept`` as they were found; nil for other
        /// sources.
        var preamble: CSVPreamble?
        /// Whether the records are in ``RejectsFile/kept`` as JSON objects. Sources with neither are read again.
        var keepsLines = false
        /// The meaning of their members; nil if it is not known.
        var properties: RejectedProperties?
        /// The entity in the source's name.
        var entity: String?
    }

    /// The records that were rejected or can still be rejected, unless their source is read again. The reading thread
    /// adds them.
    let kept = RecordSpool("the rejected records")
    /// The relationships of tables that contain objects, which no field can have.
    var nestedColumns: Set<String> = []
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
    /// The writer of each kind of source, as an index into ``writers``.
    private var kinds: [RejectsKind: Int] = [:]
    /// The extension of the first file's format.
    private var firstExtension: String?
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
    ///
    /// - Parameter source: the number of the source of its record; nil for the first one with the name.
    func note(_ diagnostic: Diagnostic, source: Int? = nil) {
        // After a cancellation the reading thread can still add reasons while another thread calls ``discard()``.
        lock.lock()
        defer { lock.unlock() }
        guard failure == nil, let sidecar else { return }
        sidecar.buffer.append(contentsOf: lastReason)
        lastReason.removeAll(keepingCapacity: true)
        DiagnosticLine.append(diagnostic, to: &lastReason)
        reasons?.add(diagnostic, of: source, line: lastReason)
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
        for (number, entry) in rejected.enumerated() where !entry.records.isEmpty {
            let found: Int
            if let reasons {
                found = try writeTable(of: entry, number: number, reasons)
            } else {
                found = try writeRecords(of: entry, number: number)
            }
            guard found < entry.records.count else { continue }
            let counts = "\(found) of \(entry.records.count) rejected records"
            guard entry.preamble == nil, !entry.keepsLines else {
                throw GranaryError(.internalDefect, "\(entry.source.name): \(counts) were kept")
            }
            throw GranaryError(
                .inputOutput, "\(entry.source.name): has changed since it was read: \(counts) are left")
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

    // MARK: Writers

    /// The writer for sources of a kind.
    ///
    /// - Parameter make: creates it for the first of them.
    func writer(
        of kind: RejectsKind, _ make: (ByteOutput) throws(GranaryError) -> any RejectsWriter
    ) throws(GranaryError) -> any RejectsWriter {
        if let index = kinds[kind] { return writers[index] }
        let target = try nextTarget(fileExtension: reasons == nil ? kind.fileExtension : "csv")
        let writer = try make(target)
        kinds[kind] = writers.count
        add(writer, target)
        return writer
    }

    /// Adds a writer to those that are finished at the end.
    func add(_ writer: any RejectsWriter, _ target: ByteOutput) {
        outputs.append(target)
        writers.append(writer)
    }

    /// Returns the next file, of which the first one exists from the start.
    func nextTarget(fileExtension: String) throws(GranaryError) -> ByteOutput {
        guard let firstExtension else {
            firstExtension = fileExtension
            guard let output else { throw GranaryError(.internalDefect, "the rejected records are written twice") }
            return output
        }
        // The others have the extension of the path unless their format has another one.
        let name = names.next(fileExtension: fileExtension == firstExtension ? nil : fileExtension)
        return digested(try ByteOutput.file(name, replacing: true, permissions: permissions))
    }
}
