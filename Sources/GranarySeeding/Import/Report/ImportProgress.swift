import Synchronization

/// How far an import is: the reading thread tells it once a batch, a terminal's thread looks at it.
package final class ImportProgress: Sendable {
    /// One moment of an import.
    package struct Snapshot: Sendable, Hashable {
        /// The current source's name; nil before the first.
        package var file: String?
        /// The current source's number, from 1.
        package var fileIndex = 0
        /// How many sources there are; nil where that is not known.
        package var fileCount: Int?
        /// Records read from all sources so far.
        package var rows = 0
        /// Bytes read: of all sources where the sum of their sizes is known, otherwise of the current one.
        package var bytes = 0
        /// How many bytes there are, of the same; nil where that is not known.
        package var byteCount: Int?
        /// The time that it took to read `bytes`.
        package var byteTime = Duration.zero
        /// The time since the first source was begun.
        package var elapsed = Duration.zero
        /// What goes on when it is not reading: "linking", "committing".
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
    ///   - fileCount: how many sources there will be.
    ///   - byteCount: the sum of their sizes; the time left is then that of all, not of the current one.
    ///   - now: the time; a test has its own.
    package init(
        fileCount: Int? = nil, byteCount: Int? = nil,
        now: @escaping @Sendable () -> ContinuousClock.Instant = { ContinuousClock.now }
    ) {
        self.fileCount = fileCount
        self.byteCount = byteCount
        self.now = now
    }

    /// The next source is read from here on; `byteCount` is its size, nil where it has none.
    package func begin(file: String, byteCount: Int?) {
        let time = now()
        state.withLock { state in
            state.finishedRows += state.fileRows
            // A source that was left early is done all the same.
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

    /// The current source's records and bytes so far, the bytes counted as its size is.
    package func update(rows: Int, bytes: Int) {
        state.withLock { state in
            state.fileRows = rows
            state.fileBytes = bytes
        }
    }

    /// All is read; `text` is what is done now: "linking", "committing".
    package func setStage(_ text: String) { state.withLock { $0.stage = text } }

    /// The import is over; time stands still.
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
