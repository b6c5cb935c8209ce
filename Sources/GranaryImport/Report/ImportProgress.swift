import Synchronization

/// The progress of an import. The reading thread updates it after each batch; another thread displays it.
package final class ImportProgress: Sendable {
    /// The state at one moment.
    package struct Snapshot: Sendable, Hashable {
        /// The current source's name; nil before the first.
        package var file: String?
        /// The current source's number, from 1.
        package var fileIndex = 0
        /// The number of sources; nil if unknown.
        package var fileCount: Int?
        /// Records read from all sources so far.
        package var rows = 0
        /// The number of bytes read: of all sources if the sum of their sizes is known, otherwise of the current
        /// source.
        package var bytes = 0
        /// The number of bytes to read from these sources; nil if unknown.
        package var byteCount: Int?
        /// The time in which `bytes` were read.
        package var byteTime = Duration.zero
        /// The time since the start of the first source.
        package var elapsed = Duration.zero
        /// The stage after reading, such as "committing"; nil while records are read.
        package var stage: String?
        package var isFinished = false

        package init() {}
    }

    private struct State {
        var file: String?
        var fileIndex = 0
        var fileByteCount: Int?
        var fileRows = 0
        var fileBytes = 0
        var fileStart: ContinuousClock.Instant?
        var finishedRows = 0
        var finishedBytes = 0
        var start: ContinuousClock.Instant?
        var end: ContinuousClock.Instant?
        var stage: String?
    }

    private let fileCount: Int?
    private let byteCount: Int?
    private let now: @Sendable () -> ContinuousClock.Instant
    private let state = Mutex(State())

    /// - Parameters:
    ///   - fileCount: the number of sources.
    ///   - byteCount: the sum of their sizes; nil to count the bytes of each source separately.
    ///   - now: returns the time; tests use another clock.
    package init(
        fileCount: Int? = nil, byteCount: Int? = nil,
        now: @escaping @Sendable () -> ContinuousClock.Instant = { ContinuousClock.now }
    ) {
        self.fileCount = fileCount
        self.byteCount = byteCount
        self.now = now
    }

    /// Starts the next source.
    ///
    /// - Parameter byteCount: the size of the source; nil if unknown.
    package func begin(file: String, byteCount: Int?) {
        let time = now()
        state.withLock { state in
            state.finishedRows += state.fileRows
            // A source that was not read to its end counts with its full size.
            state.finishedBytes += max(state.fileBytes, state.fileByteCount ?? 0)
            state.file = file
            state.fileIndex += 1
            state.fileByteCount = byteCount
            state.fileRows = 0
            state.fileBytes = 0
            state.fileStart = time
            state.stage = nil
            if state.start == nil { state.start = time }
        }
    }

    /// Starts again with the first source. The elapsed time is kept.
    package func startAgain() {
        state.withLock { state in
            let start = state.start
            state = State()
            state.start = start
        }
    }

    /// Sets the number of records and bytes read from the current source.
    package func update(rows: Int, bytes: Int) {
        state.withLock { state in
            state.fileRows = rows
            state.fileBytes = bytes
        }
    }

    /// Sets the stage after reading, such as "committing".
    package func setStage(_ text: String) { state.withLock { $0.stage = text } }

    /// Ends the import and stops the clock.
    package func finish() {
        let time = now()
        state.withLock { state in
            if state.end == nil { state.end = time }
        }
    }

    package var snapshot: Snapshot {
        let time = now()
        return state.withLock { state in
            let end = state.end ?? time
            var snapshot = Snapshot()
            snapshot.file = state.file
            snapshot.fileIndex = state.fileIndex
            snapshot.fileCount = fileCount
            snapshot.rows = state.finishedRows + state.fileRows
            snapshot.elapsed = state.start.map { end - $0 } ?? .zero
            snapshot.stage = state.stage
            snapshot.isFinished = state.end != nil
            if let byteCount {
                snapshot.bytes = state.finishedBytes + state.fileBytes
                snapshot.byteCount = byteCount
                snapshot.byteTime = snapshot.elapsed
            } else {
                snapshot.bytes = state.fileBytes
                snapshot.byteCount = state.fileByteCount
                snapshot.byteTime = state.fileStart.map { end - $0 } ?? .zero
            }
            return snapshot
        }
    }
}
