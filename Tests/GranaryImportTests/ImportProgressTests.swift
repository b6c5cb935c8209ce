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

    @Test func rowsAddUpOverFilesAndBytesAreTheCurrentFiles() {
        let clock = Clock()
        let progress = ImportProgress(now: { clock.now() })
        #expect(progress.snapshot == ImportProgress.Snapshot())
        clock.pass(.seconds(9))
        progress.begin(file: "a.csv", byteCount: 100)
        clock.pass(.seconds(2))
        progress.update(rows: 3, bytes: 60)
        var snapshot = progress.snapshot
        #expect(snapshot.file == "a.csv" && snapshot.fileIndex == 1 && snapshot.fileCount == nil)
        #expect(snapshot.rows == 3 && snapshot.bytes == 60 && snapshot.byteCount == 100)
        #expect(snapshot.elapsed == .seconds(2) && snapshot.byteTime == .seconds(2))
        progress.begin(file: "-", byteCount: nil)
        clock.pass(.seconds(1))
        progress.update(rows: 4, bytes: 7)
        snapshot = progress.snapshot
        #expect(snapshot.file == "-" && snapshot.fileIndex == 2 && snapshot.rows == 7)
        #expect(snapshot.bytes == 7 && snapshot.byteCount == nil)
        #expect(snapshot.elapsed == .seconds(3) && snapshot.byteTime == .seconds(1))
    }

    @Test func bytesAreOfAllFilesWhereTheirSumIsKnown() {
        let clock = Clock()
        let progress = ImportProgress(fileCount: 2, byteCount: 150, now: { clock.now() })
        progress.begin(file: "a.csv", byteCount: 100)
        progress.update(rows: 3, bytes: 90)
        clock.pass(.seconds(1))
        progress.begin(file: "b.csv", byteCount: 50)
        progress.update(rows: 1, bytes: 20)
        clock.pass(.seconds(1))
        let snapshot = progress.snapshot
        // The first file was left early; it is done all the same.
        #expect(snapshot.bytes == 120 && snapshot.byteCount == 150 && snapshot.byteTime == .seconds(2))
        #expect(snapshot.rows == 4 && snapshot.fileIndex == 2 && snapshot.fileCount == 2)
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
        progress.setStage("linking")
        #expect(progress.snapshot.stage == "linking")
        progress.begin(file: "b.csv", byteCount: nil)
        #expect(progress.snapshot.stage == nil)
        clock.pass(.seconds(5))
        progress.finish()
        clock.pass(.seconds(5))
        progress.finish()
        #expect(progress.snapshot.isFinished && progress.snapshot.elapsed == .seconds(5))
    }
}
