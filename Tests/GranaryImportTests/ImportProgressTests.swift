import GranaryImport
import Synchronization
import Testing

/// What a terminal is told of an import, at times of the test's own.
@Suite struct ImportProgressTests {
    private final class Clock: Sendable {
        private let start = ContinuousClock.now
        private let passed = Mutex(Duration.zero)

        func now() -> ContinuousClock.Instant { start.advanced(by: passed.withLock { $0 }) }

        func pass(_ time: Duration) { passed.withLock { $0 += time } }
    }

    @Test func rowsAndBytesAddUpOverFiles() {
        let clock = Clock()
        let progress = ImportProgress(now: { clock.now() })
        #expect(progress.snapshot == ImportProgress.Snapshot())
        clock.pass(.seconds(9))
        progress.begin(file: "a.csv", byteCount: 100)
        clock.pass(.seconds(2))
        progress.update(rows: 3, bytes: 60)
        var snapshot = progress.snapshot
        #expect(snapshot.file == "a.csv" && snapshot.fileIndex == 1 && snapshot.fileCount == nil)
        #expect(snapshot.rows == 3 && snapshot.bytes == 60 && snapshot.elapsed == .seconds(2))
        progress.begin(file: "-", byteCount: nil)
        clock.pass(.seconds(1))
        progress.update(rows: 4, bytes: 7)
        snapshot = progress.snapshot
        #expect(snapshot.file == "-" && snapshot.fileIndex == 2 && snapshot.rows == 7)
        // The first file was left early; it is done all the same.
        #expect(snapshot.bytes == 107 && snapshot.elapsed == .seconds(3))
        #expect(snapshot.byteCount == nil && snapshot.share == nil)
    }

    /// Shares of the whole work in percent, after each step of an import.
    private func shares(_ progress: ImportProgress, _ steps: [(ImportProgress) -> Void]) -> [Int] {
        steps.map { step in
            step(progress)
            return Int(((progress.snapshot.share ?? -1) * 100).rounded())
        }
    }

    @Test func `The share is that of reading, resolving and writing together`() {
        let streamed = shares(
            ImportProgress(fileCount: 1, byteCount: 100),
            [
                { $0.begin(file: "a.csv", byteCount: 100) }, { $0.update(rows: 5, bytes: 50) },
                { $0.update(rows: 10, bytes: 100) }, { $0.begin(.resolving) }, { $0.begin(.writing) },
                { $0.update(stageShare: 0.5) }, { $0.update(stageShare: 1) }, { $0.begin(.committing) },
            ])
        #expect(streamed == [0, 38, 77, 77, 82, 90, 98, 99])
        let waiting = shares(
            ImportProgress(fileCount: 1, byteCount: 100),
            [
                { $0.begin(file: "a.csv", byteCount: 100) }, { $0.update(rows: 5, bytes: 50) },
                // The first rows streamed; the share does not go back.
                {
                    $0.addWaiting(rows: 5)
                    $0.update(rows: 10, bytes: 52)
                },
                {
                    $0.addWaiting(rows: 5)
                    $0.update(rows: 10, bytes: 100)
                }, { $0.begin(.resolving) }, { $0.begin(.writing) }, { $0.update(stageShare: 0.5) },
                { $0.begin(.committing) },
            ])
        #expect(waiting == [0, 38, 38, 40, 40, 52, 73, 97])
    }

    @Test func `Each store of a plan has its part of the share`() {
        let found = shares(
            ImportProgress(fileCount: 2, byteCount: 200),
            [
                { $0.begin(file: "a.csv", byteCount: 100) }, { $0.update(rows: 10, bytes: 100) },
                { $0.begin(.committing) }, { $0.begin(file: "b.csv", byteCount: 100) },
                { $0.update(rows: 10, bytes: 50) }, { $0.update(rows: 20, bytes: 100) }, { $0.begin(.committing) },
            ])
        #expect(found == [0, 38, 49, 50, 69, 88, 99])
    }

    @Test func `A second reading counts from zero, and the time goes on`() {
        let clock = Clock()
        let progress = ImportProgress(fileCount: 1, byteCount: 100, now: { clock.now() })
        progress.begin(file: "a.json", byteCount: 100)
        progress.update(rows: 3, bytes: 90)
        clock.pass(.seconds(2))
        progress.startAgain()
        progress.begin(file: "a.json", byteCount: 100)
        progress.update(rows: 1, bytes: 20)
        let snapshot = progress.snapshot
        #expect(snapshot.rows == 1 && snapshot.bytes == 20 && snapshot.fileIndex == 1)
        #expect(snapshot.elapsed == .seconds(2))
    }

    @Test func aStageEndsWithTheNextFileAndTimeWithTheImport() {
        let clock = Clock()
        let progress = ImportProgress(now: { clock.now() })
        progress.begin(file: "a.csv", byteCount: nil)
        progress.begin(.writing)
        #expect(progress.snapshot.stage == .writing)
        progress.begin(file: "b.csv", byteCount: nil)
        #expect(progress.snapshot.stage == nil)
        clock.pass(.seconds(5))
        progress.finish()
        clock.pass(.seconds(5))
        progress.finish()
        #expect(progress.snapshot.isFinished && progress.snapshot.elapsed == .seconds(5))
    }
}
