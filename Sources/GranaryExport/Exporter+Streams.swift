public import Foundation
import GranaryBase
public import GranaryContexts
public import GranaryFormats
import Synchronization

extension Exporter {
    /// Exports a container's store into memory. Unsaved changes of contexts are not exported.
    ///
    /// - Parameters:
    ///   - format: the format. Only JSON and property lists can have several entities.
    ///   - compressing: whether the bytes are compressed with gzip.
    /// - Throws: as ``run(_:to:)``.
    public func data(
        _ container: PersistentContainer, format: DataFormat, compressing: Bool = false
    ) async throws -> Data {
        let collected = Collected()
        try await run(
            container,
            to: .stream(format, compressing: compressing) { bytes in
                collected.data.withLock { $0.append(contentsOf: bytes) }
            })
        return collected.data.withLock { $0 }
    }

    private final class Collected: Sendable {
        let data = Mutex(Data())
    }

    /// The bytes of an export of a container's store, as a sequence of chunks. Unsaved changes of contexts are not
    /// exported.
    ///
    /// - Parameters:
    ///   - format: the format. Only JSON and property lists can have several entities.
    ///   - compressing: whether the bytes are compressed with gzip.
    public func chunks(
        _ container: PersistentContainer, format: DataFormat, compressing: Bool = false
    ) -> ExportChunks {
        ExportChunks { queue in
            try await run(
                container,
                to: .stream(format, compressing: compressing) { bytes throws(GranaryError) in try queue.put(bytes) })
        }
    }
}

extension ExportDestination {
    /// A closure that takes the bytes.
    fileprivate static func stream(
        _ format: DataFormat, compressing: Bool,
        _ sink: @escaping @Sendable (UnsafeRawBufferPointer) throws(GranaryError) -> Void
    ) -> ExportDestination {
        .stream(format) { () throws(GranaryError) in
            let output = ByteOutput.sink("<export>", sink)
            if compressing { try output.compress() }
            return output
        }
    }
}
