import Foundation

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Darwin)
    import Darwin
#endif

/// A buffered place to write bytes to: a file, standard output, or memory.
///
/// A file is written under a temporary name beside its own and renamed by ``finish()``; what is not finished
/// leaves nothing behind and whatever stood there before as it was. ``prepare()`` does everything but the rename, so that
/// several files can be complete before the first gets its name.
public final class ByteOutput {
    private enum Target {
        case memory
        case descriptor(Int32)
        /// A device or a pipe that was opened here.
        case special(Int32)
        case file(PartialFile, path: String)
        /// Written and synced; only the rename is left.
        case prepared(PartialFile, path: String)
        /// Has its name; an old file of that name has the temporary one until it is certain that the new one stays.
        case placed(PartialFile, path: String, hasOld: Bool)
    }

    /// The name that messages carry: the path as given, or `<stdout>`.
    public let name: String
    /// What is not written yet. Writers append here and call ``flushIfFull()`` once a record.
    package var buffer: [UInt8] = []
    /// Receives all bytes that are written to a file, in order.
    package var tap: ((UnsafeRawBufferPointer) -> Void)?
    private var target: Target?
    /// Whether ``publish()`` may replace a file of that name.
    package var replaces: Bool

    /// How many bytes gather before they are written.
    private static let capacity = 1 << 16

    private init(_ target: Target, name: String, replaces: Bool = true) {
        self.target = target
        self.replaces = replaces
        self.name = name
        buffer.reserveCapacity(Self.capacity + 4096)
    }

    /// Starts a file.
    ///
    /// - Parameter replacing: whether a file of that name may be replaced.
    /// - Throws: ``GranaryError`` with code `uncreatable` when it cannot be made, or exists and may not be replaced.
    public static func file(_ path: String, replacing: Bool) throws(GranaryError) -> ByteOutput {
        try file(path, replacing: replacing, permissions: 0o666)
    }

    /// As ``file(_:replacing:)``, with the permissions that the file has from its first byte on, the process's mask
    /// taken off.
    package static func file(
        _ path: String, replacing: Bool, permissions: UInt32
    ) throws(GranaryError) -> ByteOutput {
        if let special = try special(path) { return special }
        var status = stat()
        if !replacing, lstat(path, &status) == 0 {
            throw GranaryError(.uncreatable, "\(path): exists already; say --force to replace it")
        }
        guard FileKind(path) != .folder else {
            throw GranaryError(.uncreatable, "\(path): is a folder; a file cannot take its place")
        }
        return ByteOutput(
            .file(try PartialFile.create(for: path, permissions: permissions), path: path), name: path,
            replaces: replacing)
    }

    /// Writes to a partial file, whose owner gives it its name. If the output is not finished, the file is removed.
    package convenience init(_ partial: PartialFile) {
        self.init(.file(partial, path: partial.path), name: partial.path)
    }

    /// A device or a pipe is written to as it is: it must not be replaced by a file, and keeps nothing back to restore.
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

    /// Standard output.
    public static func standardOutput() -> ByteOutput { ByteOutput(.descriptor(1), name: "<stdout>") }

    /// Bytes in memory; ``finish()`` gives them back.
    public static func memory() -> ByteOutput { ByteOutput(.memory, name: "<memory>") }

    deinit {
        switch target {
        case .file(let partial, _), .prepared(let partial, _): unlink(partial.path)
        case .placed(let partial, let path, let hasOld):
            if hasOld, !FileNames.exchange(partial.path, path) { return }
            unlink(hasOld ? partial.path : path)
        case .special(let descriptor): close(descriptor)
        case .descriptor, .memory, nil: break
        }
    }

    package func append(_ text: String) {
        buffer.append(contentsOf: text.utf8)
    }

    /// Writes what has gathered when there is a buffer full of it. Memory keeps it.
    ///
    /// - Throws: ``GranaryError`` with code `inputOutput` when the system cannot write (disk full, broken pipe).
    package func flushIfFull() throws(GranaryError) {
        if buffer.count >= Self.capacity { try flush() }
    }

    /// Writes out the rest and, for a file, gives it its name.
    ///
    /// - Returns: the bytes of an output in memory, otherwise nothing.
    /// - Throws: as ``flushIfFull()``.
    @discardableResult
    public func finish() throws(GranaryError) -> [UInt8] {
        try prepare()
        try publish()
        return buffer
    }

    /// Writes out the rest and syncs it. A device or pipe is closed. Only a file's rename, ``publish()``, is left.
    ///
    /// - Throws: as ``flushIfFull()``.
    package func prepare() throws(GranaryError) {
        try flush()
        switch target {
        case .special(let descriptor):
            target = nil
            guard close(descriptor) == 0 else { throw failure() }
        case .file(let partial, let path):
            // Data reaches the disk before the name does: a crash leaves the old file or the whole new one.
            guard fsync(partial.descriptor) == 0 else { throw failure() }
            target = .prepared(partial, path: path)
        case .descriptor, .memory, .prepared, .placed, nil: break
        }
    }

    /// Gives a prepared or placed file its name for good.
    ///
    /// A file of that name that was created since this output began is not replaced unless ``replaces`` is set. The output then
    /// gets the name `PATH.UUID`, so that nothing is lost.
    ///
    /// - Throws: ``GranaryError`` with code `inputOutput`; the temporary file is then removed with this object.
    package func publish() throws(GranaryError) {
        switch target {
        case .placed(let partial, _, let hasOld):
            if hasOld { unlink(partial.path) }
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
        case .file, .descriptor, .special, .memory, nil: break
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

    /// Gives a prepared file its name and keeps what had the name before. ``publish()`` removes that; if the object goes away
    /// without it, the old file gets its name back.
    ///
    /// - Throws: ``GranaryError`` with code `uncreatable` where the name is taken and may not be, or `inputOutput`.
    package func place() throws(GranaryError) {
        guard case .prepared(let partial, let path) = target else { return }
        if FileNames.moveToFreeName(partial.path, path) {
            target = .placed(partial, path: path, hasOld: false)
            return
        }
        guard errno == EEXIST else { throw failure() }
        guard replaces, FileKind(path) == .file else { throw GranaryError(.uncreatable, changedMeanwhile(path)) }
        guard FileNames.exchange(partial.path, path) else { throw failure() }
        target = .placed(partial, path: path, hasOld: true)
    }

    private func failure() -> GranaryError {
        GranaryError(.inputOutput, "\(name): cannot be written: \(errnoText())")
    }

    private func flush() throws(GranaryError) {
        let descriptor: Int32
        switch target {
        case .file(let partial, _): descriptor = partial.descriptor
        case .descriptor(let other), .special(let other): descriptor = other
        case .memory, .prepared, .placed, nil: return
        }
        if let tap { buffer.withUnsafeBytes(tap) }
        var start = 0
        while start < buffer.count {
            let count = buffer.withUnsafeBytes { bytes in
                write(descriptor, bytes.baseAddress?.advanced(by: start), bytes.count - start)
            }
            if count < 0 {
                if errno == EINTR { continue }
                throw failure()
            }
            start += count
        }
        buffer.removeAll(keepingCapacity: true)
    }
}
