import Synchronization

/// The progress of an import. The reading thread updates it after each batch; another thread displays it.
package final class ImportProgress: Sendable {
    /// The work after reading.
    package enum Stage: String, Sendable {
        case resolving = "resolving references"
        case writing
        case generating
        case validating = "validating objects"
        case writingRejects = "writing rejects"
        case committing

        /// The share of the work after reading that is done when the stage begins. Measured roughly on imports whose
        /// rows wait for references.
        fileprivate var start: Double {
            switch self {
            case .resolving: 0
            case .writing: 0.2
            case .generating, .validating: 0.9
            case .writingRejects: 0.94
            case .committing: 0.95
            }
        }

        fileprivate var end: Double { self == .resolving ? 0.2 : self == .writing ? 0.9 : start }
    }

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
        /// The number of bytes read from all sources so far.
        package var bytes = 0
        /// The number of bytes to read from all sources; nil if unknown.
        package var byteCount: Int?
        /// The share of the whole work that is done, an estimate from 0 to 1 that never decreases; nil if the number of
        /// bytes is unknown.
        package var share: Double?
        /// The time since the start of the first source.
        package var elapsed = Duration.zero
        /// The stage after reading; nil while records are read.
        package var stage: Stage?
        package var isFinished = false

        package init() {}
    }

    private struct State {
        var file: String?
        var fileIndex = 0
        var fileByteCount: Int?
        var fileRows = 0
        var fileBytes = 0
        var finishedRows = 0
        var finishedBytes = 0
        /// The bytes of the sources of earlier transactions.
        var committedBytes = 0
        /// The number of rows that wait until all are read.
        var waitingRows = 0
        var start: ContinuousClock.Instant?
        var end: ContinuousClock.Instant?
        var stage: Stage?
        /// The share of the stage that is done.
        var stageShare = 0.0
        var share = 0.0

        var rows: Int { finishedRows + fileRows }
        var bytes: Int { finishedBytes + fileBytes }

        /// The duration of the work after reading, divided by the duration of reading. Rows that stream to the store
        /// leave only their indexes for the end; rows that wait are written then.
        var restFactor: Double { 0.3 + 1.2 * min(Double(waitingRows) / Double(max(rows, 1)), 1) }

        mutating func finishFile() {
            finishedRows += fileRows
            // A source that was not read to its end counts with its full size.
            finishedBytes += max(fileBytes, fileByteCount ?? 0)
            fileRows = 0
            fileBytes = 0
            fileByteCount = nil
        }

        /// The share of the work that is done.
        mutating func updateShare(of byteCount: Int) -> Double {
            var done = Double(bytes - committedBytes)
            if let stage {
                let rest = stage.start + (stage.end - stage.start) * stageShare
                done *= (1 + rest * restFactor) / (1 + restFactor)
            } else {
                done /= 1 + restFactor
            }
            share = min(max(share, (Double(committedBytes) + done) / Double(max(byteCount, 1))), 1)
            return share
        }
    }

    private let fileCount: Int?
    private let byteCount: Int?
    private let now: @Sendable () -> ContinuousClock.Instant
    private let state = Mutex(State())

    /// - Parameters:
    ///   - fileCount: the number of sources.
    ///   - byteCount: the sum of their sizes; nil if it is unknown.
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
            state.finishFile()
            if state.stage != nil {
                state.committedBytes = state.finishedBytes
                state.waitingRows = 0
            }
            state.file = file
            state.fileIndex += 1
            state.fileByteCount = byteCount
            state.stage = nil
            if state.start == nil { state.start = time }
        }
    }

    /// Starts again with the first source. The elapsed time and the share are kept.
    package func startAgain() {
        state.withLock { state in
            var next = State()
            (next.start, next.share) = (state.start, state.share)
            state = next
        }
    }

    /// Sets the number of records and bytes read from the current source.
    package func update(rows: Int, bytes: Int) {
        state.withLock { state in
            state.fileRows = rows
            state.fileBytes = bytes
        }
    }

    /// Notes rows that are written after all records are read.
    package func addWaiting(rows: Int) { state.withLock { $0.waitingRows += rows } }

    /// Starts the next stage after reading.
    package func begin(_ stage: Stage) {
        state.withLock { state in
            state.stage = stage
            state.stageShare = 0
        }
    }

    /// Sets the share of the stage that is done, from 0 to 1.
    package func update(stageShare: Double) { state.withLock { $0.stageShare = min(max(stageShare, 0), 1) } }

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
            snapshot.rows = state.rows
            snapshot.bytes = state.bytes
            snapshot.byteCount = byteCount
            snapshot.share = byteCount.map { state.updateShare(of: $0) }
            snapshot.elapsed = state.start.map { end - $0 } ?? .zero
            snapshot.stage = state.stage
            snapshot.isFinished = state.end != nil
            return snapshot
        }
    }
}
