/// The bytes of an asynchronous sequence, for a thread that reads them.
package final class ByteFeed {
    private let feed = StreamFeed<[UInt8]>()
    /// The rest of the last chunk.
    private var chunk: ArraySlice<UInt8> = []
    /// The number of single bytes that are passed together.
    private static let capacity = 1 << 16

    deinit { feed.close() }

    /// Reads chunks of bytes.
    package init<Chunks: AsyncSequence & SendableMetatype>(
        chunks makeChunks: @escaping @Sendable () async throws -> Chunks
    ) where Chunks.Element: Sequence<UInt8> & SendableMetatype, Chunks.AsyncIterator: SendableMetatype {
        feed.start { feed in
            for try await chunk in try await makeChunks() {
                let bytes = [UInt8](chunk)
                guard bytes.isEmpty ? true : await feed.put(bytes) else { return }
            }
        }
    }

    /// Reads single bytes.
    package init<Bytes: AsyncSequence & SendableMetatype>(
        bytes makeBytes: @escaping @Sendable () async throws -> Bytes
    ) where Bytes.Element == UInt8, Bytes.AsyncIterator: SendableMetatype {
        feed.start { feed in
            var chunk: [UInt8] = []
            for try await byte in try await makeBytes() {
                chunk.append(byte)
                guard chunk.count >= Self.capacity else { continue }
                let full = chunk
                chunk = []
                chunk.reserveCapacity(Self.capacity)
                guard await feed.put(full) else { return }
            }
            if !chunk.isEmpty { _ = await feed.put(chunk) }
        }
    }

    /// Waits for bytes.
    ///
    /// - Returns: the number of bytes; 0 at the end.
    /// - Throws: as ``StreamFeed/next()``.
    func read(into buffer: UnsafeMutableRawBufferPointer, of name: String) throws(GranaryError) -> Int {
        if chunk.isEmpty {
            do { chunk = try feed.next()?[...] ?? [] } catch { throw GranaryError.stream(error, of: name) }
        }
        let count = min(buffer.count, chunk.count)
        buffer.copyBytes(from: chunk.prefix(count))
        chunk = chunk.dropFirst(count)
        return count
    }
}

extension GranaryError {
    /// The error that ended a stream, with the stream's name.
    package static func stream(_ error: any Error, of name: String) -> GranaryError {
        if let error = error as? GranaryError { return error }
        if error is CancellationError {
            return GranaryError(.interrupted, "\(name): the stream was cancelled; the store is unchanged")
        }
        return GranaryError(.inputOutput, "\(name): the stream ended with an error: \(error)", underlying: error)
    }
}
