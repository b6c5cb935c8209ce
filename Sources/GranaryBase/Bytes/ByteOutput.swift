internal import GranaryCSystem
import Foundation

/// A buffered place to write bytes to: a file, standard output, memory, or a closure.
///
/// A file is written under a temporary name in the target's folder, and ``finish()`` renames it. If ``finish()`` is not
/// called, the temporary file is removed and an existing target stays unchanged. ``prepare()`` does everything except
/// the rename, so that several files can be complete before the first is renamed.
package final class ByteOutput {
    private enum Target {
        case memory
        case descriptor(Int32)
        /// A closure that takes the bytes.
        case sink(Sink)
        /// A device or a pipe that this output has opened and closes.
        case special(Int32)
        case file(PartialFile, path: String)
        /// The file is written and synced; only the rename is missing.
        case prepared(PartialFile, path: String)
        /// The new file has the target name. If a file had that name before, the old file now has the temporary name,
        /// so that it can be restored.
        case placed(PartialFile, path: String, old: OldFile?)
    }

    /// Takes bytes, in order.
    package typealias Sink = (UnsafeRawBufferPointer) throws(GranaryError) -> Void

    /// The file that had the target name. The lock keeps other runs with the same target from removing it as an
    /// abandoned file.
    private struct OldFile {
        let lock: PartialFile?
    }

    /// The name that messages carry: the path as given, or `<stdout>`.
    package let name: String
    /// The bytes that are not written yet. Writers append to it and call ``flushIfFull()`` after each record.
    package var buffer: [UInt8] = []
    /// Receives all bytes that are written to a file, in order.
    package var tap: ((UnsafeRawBufferPointer) -> Void)?
    /// Called by ``finish()`` when the file is complete, before it gets its name.
    package var beforePublishing: (() throws(GranaryError) -> Void)?
    /// Called by ``finish()`` when the file has its name. If it throws, the old file comes back.
    package var afterPublishing: (() throws(GranaryError) -> Void)?
    private var target: Target?
    /// The encoding to which UTF-8 is converted when it is written; nil for UTF-8.
    private var encoding: TextEncoding?
    /// Compresses what is written; nil for an output that is not compressed.
    private var gzip: GzipWriter?
    /// Whether ``publish()`` and ``place()`` may replace an existing file.
    package var replaces: Bool

    /// The number of bytes that were written to a file, and of those that the system was told to write to the disk.
    private var written = 0
    private var startedWriteback = 0
    /// After this many bytes, the system is told to write them to the disk, so that the sync at the end is short.
    private static let writebackBytes = 8 << 20

    /// The number of buffered bytes at which ``flushIfFull()`` writes.
    private static let capacity = 1 << 16

    private init(_ target: Target, name: String, replaces: Bool = true) {
        self.target = target
        self.replaces = replaces
        self.name = name
        buffer.reserveCapacity(Self.capacity + 4096)
    }

    /// Compresses what is written from now on with gzip.
    package func compress() throws(GranaryError) { gzip = try GzipWriter(name: name) }

    /// Converts the text that is written from now on. Call it before anything is written.
    ///
    /// The text is UTF-8, and ``buffer`` ends between two characters whenever it is flushed.
    ///
    /// - Parameter hasMark: whether the file begins with a byte order mark.
    package func encode(as encoding: TextEncoding, hasMark: Bool) {
        if hasMark { buffer.append(contentsOf: [0xEF, 0xBB, 0xBF]) }
        if encoding != .utf8 { self.encoding = encoding }
    }

    /// Creates an output that writes to a file.
    ///
    /// - Parameters:
    ///   - replacing: whether an existing file may be replaced.
    ///   - permissions: the mode of the file from its creation on; the process's umask is applied.
    ///   - compressing: whether the file is compressed with gzip. ``buffer`` contains the bytes before compression.
    /// - Throws: ``GranaryError`` with code `uncreatable` if the file cannot be created, or exists and `replacing` is
    ///   false.
    package static func file(
        _ path: String, replacing: Bool, permissions: UInt32 = 0o666, compressing: Bool = false
    ) throws(GranaryError) -> ByteOutput {
        let output = try plainFile(path, replacing: replacing, permissions: permissions)
        if compressing { try output.compress() }
        return output
    }

    private static func plainFile(
        _ path: String, replacing: Bool, permissions: UInt32
    ) throws(GranaryError) -> ByteOutput {
        if let special = try special(path) { return special }
        var status = stat()
        if !replacing, lstat(path, &status) == 0 {
            throw GranaryError(.uncreatable, "\(path): already exists", help: "--force")
        }
        guard FileKind(path) != .folder else {
            throw GranaryError(.uncreatable, "\(path): is a folder and cannot be replaced by a file")
        }
        return ByteOutput(
            .file(try PartialFile.create(for: path, permissions: permissions), path: path), name: path,
            replaces: replacing)
    }

    /// Writes to a partial file that the caller renames. If the output is not finished, `deinit` removes the file.
    package convenience init(_ partial: PartialFile) {
        self.init(.file(partial, path: partial.path), name: partial.path)
    }

    /// Opens a device or a pipe, which is written directly: a rename would replace it by a regular file.
    ///
    /// - Returns: nil if the path is a regular file, a folder, or missing.
    private static func special(_ path: String) throws(GranaryError) -> ByteOutput? {
        var status = stat()
        guard stat(path, &status) == 0 else { return nil }
        let kind = status.st_mode & S_IFMT
        guard kind != S_IFREG, kind != S_IFDIR else { return nil }
        let descriptor = open(path, O_WRONLY | O_CLOEXEC)
        guard descriptor >= 0 else {
            throw GranaryError(.uncreatable, "\(path): cannot be opened for writing: \(errnoText())")
        }
        return ByteOutput(.special(descriptor), name: path)
    }

    /// An output that writes to standard output.
    package static func standardOutput() -> ByteOutput { ByteOutput(.descriptor(1), name: "<stdout>") }

    /// An output that passes its bytes on in pieces.
    package static func sink(_ name: String, _ sink: @escaping Sink) -> ByteOutput {
        ByteOutput(.sink(sink), name: name)
    }

    /// An output in memory; ``finish()`` returns its bytes.
    package static func memory() -> ByteOutput { ByteOutput(.memory, name: "<memory>") }

    deinit {
        switch target {
        case .file(let partial, _), .prepared(let partial, _): unlink(partial.path)
        case .placed(let partial, let path, let old):
            if old != nil, !FileNames.exchange(partial.path, path) { return }
            unlink(old == nil ? path : partial.path)
        case .special(let descriptor): close(descriptor)
        case .descriptor, .memory, .sink, nil: break
        }
    }

    package func append(_ text: String) {
        buffer.append(contentsOf: text.utf8)
    }

    /// Writes the buffered bytes if the buffer is full. An output in memory keeps them.
    ///
    /// - Throws: ``GranaryError`` with code `inputOutput` if a write fails (disk full, broken pipe).
    package func flushIfFull() throws(GranaryError) {
        if buffer.count >= Self.capacity { try flush() }
    }

    /// Writes the buffered bytes and then more bytes without buffering them. An output in memory keeps them.
    ///
    /// - Throws: as ``flushIfFull()``.
    package func append(_ bytes: UnsafeBufferPointer<UInt8>) throws(GranaryError) {
        guard !bytes.isEmpty else { return }
        guard let outlet, gzip == nil, encoding == nil else {
            buffer.append(contentsOf: bytes)
            return try flushIfFull()
        }
        if !buffer.isEmpty { try flush() }
        try writeAll(UnsafeRawBufferPointer(bytes), to: outlet)
    }

    /// Writes the remaining bytes and renames a file to its target name.
    ///
    /// - Returns: the bytes of an output in memory; otherwise an empty array.
    /// - Throws: as ``flushIfFull()``.
    @discardableResult
    package func finish() throws(GranaryError) -> [UInt8] {
        try prepare()
        try beforePublishing?()
        // If what follows fails, `deinit` restores the old file.
        if afterPublishing != nil { try place() }
        try afterPublishing?()
        try publish()
        return buffer
    }

    /// Writes the buffered bytes and syncs the file, or closes a device or pipe. ``publish()`` renames the file.
    ///
    /// - Throws: as ``flushIfFull()``.
    package func prepare() throws(GranaryError) {
        try flush(isLast: true)
        switch target {
        case .special(let descriptor):
            target = nil
            guard close(descriptor) == 0 else { throw failure() }
        case .file(let partial, let path):
            // The data is synced before the rename, so that a crash leaves either the old file or the complete new one.
            guard fsync(partial.descriptor) == 0 else { throw failure() }
            target = .prepared(partial, path: path)
        case .descriptor, .memory, .sink, .prepared, .placed, nil: break
        }
    }

    /// Renames a prepared file to its target name, or makes the rename of ``place()`` permanent.
    ///
    /// If another process has created a file at the path and ``replaces`` is false, that file stays, and the output is
    /// renamed to `PATH.UUID`.
    ///
    /// - Throws: ``GranaryError`` with code `inputOutput`. `deinit` then removes the temporary file.
    package func publish() throws(GranaryError) {
        switch target {
        case .placed(let partial, _, let old):
            if old != nil { unlink(partial.path) }
            target = nil
        case .prepared(let partial, let path):
            if !replaces {
                guard FileNames.moveToFreeName(partial.path, path) else {
                    throw errno == EEXIST ? keepAside(partial, path) : failure()
                }
            } else if rename(partial.path, path) != 0 {
                throw failure()
            }
            target = nil
        case .file, .descriptor, .special, .memory, .sink, nil: break
        }
    }

    private func keepAside(_ partial: PartialFile, _ path: String) -> GranaryError {
        let other = partial.nameAside
        guard rename(partial.path, other) == 0 else { return failure() }
        target = nil
        return GranaryError(.inputOutput, "\(changedMeanwhile(path)); the output is in \(other)")
    }

    private func changedMeanwhile(_ path: String) -> String {
        "\(path): was created or changed by another process during the run"
    }

    /// Renames a prepared file to its target name and keeps the old file under the temporary name. ``publish()``
    /// removes the old file; without it, `deinit` restores the old file.
    ///
    /// - Throws: ``GranaryError`` with code `uncreatable` if a file exists at the path and ``replaces`` is false, or
    ///   with `inputOutput`.
    package func place() throws(GranaryError) {
        guard case .prepared(let partial, let path) = target else { return }
        if FileNames.moveToFreeName(partial.path, path) {
            target = .placed(partial, path: path, old: nil)
            return
        }
        guard errno == EEXIST else { throw failure() }
        guard replaces, FileKind(path) == .file else { throw GranaryError(.uncreatable, changedMeanwhile(path)) }
        let old = OldFile(lock: PartialFile.lock(path))
        guard FileNames.exchange(partial.path, path) else { throw failure() }
        target = .placed(partial, path: path, old: old)
    }

    private func failure() -> GranaryError {
        GranaryError(.inputOutput, "\(name): cannot be written: \(errnoText())")
    }

    /// - Parameter isLast: whether no bytes follow, so that compressed data ends.
    private func flush(isLast: Bool = false) throws(GranaryError) {
        guard let outlet else {
            if isLast, case .memory = target { try convert() }
            return
        }
        try convert()
        if let gzip {
            var compressed: [UInt8] = []
            try gzip.compress(buffer, isLast: isLast, into: &compressed)
            buffer.removeAll(keepingCapacity: true)
            if isLast { self.gzip = nil }
            return try writeAll(compressed, to: outlet)
        }
        try writeAll(buffer, to: outlet)
        buffer.removeAll(keepingCapacity: true)
    }

    /// Converts the buffered text.
    private func convert() throws(GranaryError) {
        guard let encoding else { return }
        var converted: [UInt8] = []
        converted.reserveCapacity(buffer.count)
        guard encoding.encode(buffer, into: &converted) else {
            // Writers that know the object and the property check texts before.
            let refusal = buffer.withUnsafeBufferPointer { encoding.refusal(of: $0) }
            throw refusal ?? GranaryError(.internalDefect, "\(name): the text is not valid UTF-8")
        }
        buffer = converted
    }

    /// What takes the bytes.
    private enum Outlet {
        case descriptor(Int32)
        case sink(Sink)
    }

    /// What takes the bytes; nil for an output in memory and for a finished one.
    private var outlet: Outlet? {
        switch target {
        case .file(let partial, _): .descriptor(partial.descriptor)
        case .descriptor(let other), .special(let other): .descriptor(other)
        case .sink(let sink): .sink(sink)
        case .memory, .prepared, .placed, nil: nil
        }
    }

    private func writeAll(_ bytes: [UInt8], to outlet: Outlet) throws(GranaryError) {
        try bytes.withUnsafeBufferPointer { (bytes) throws(GranaryError) in
            try writeAll(UnsafeRawBufferPointer(bytes), to: outlet)
        }
    }

    private func writeAll(_ bytes: UnsafeRawBufferPointer, to outlet: Outlet) throws(GranaryError) {
        tap?(bytes)
        let descriptor: Int32
        switch outlet {
        case .descriptor(let other): descriptor = other
        case .sink(let sink): return try sink(bytes)
        }
        var start = 0
        while start < bytes.count {
            let count = write(descriptor, bytes.baseAddress?.advanced(by: start), bytes.count - start)
            if count < 0 {
                if errno == EINTR { continue }
                throw failure()
            }
            start += count
        }
        guard case .file = target else { return }
        written += bytes.count
        guard written - startedWriteback >= Self.writebackBytes else { return }
        granary_start_writeback(descriptor, Int64(startedWriteback), Int64(written - startedWriteback))
        startedWriteback = written
    }
}
