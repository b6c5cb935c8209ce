import Foundation
import Synchronization
import TestSupport
import Testing

@testable import GranaryCommands
import GranaryImport

/// How far an import is, as people see it.
@Suite struct ProgressTests {
    private final class Clock: Sendable {
        private let start = ContinuousClock.now
        private let passed = Mutex(Duration.zero)

        func now() -> ContinuousClock.Instant { start.advanced(by: passed.withLock { $0 }) }

        func pass(_ time: Duration) { passed.withLock { $0 += time } }
    }

    private static func snapshot(
        _ file: String?, rows: Int, bytes: Int, of count: Int?, seconds: Double, _ index: Int = 1, _ files: Int? = 1,
        stage: ImportProgress.Stage? = nil, share: Double? = nil
    ) -> ImportProgress.Snapshot {
        var snapshot = ImportProgress.Snapshot()
        snapshot.file = file
        snapshot.fileIndex = index
        snapshot.fileCount = files
        snapshot.rows = rows
        snapshot.bytes = bytes
        snapshot.byteCount = count
        snapshot.elapsed = .seconds(seconds)
        snapshot.stage = stage
        snapshot.share = share ?? count.map { count in bytes <= count ? Double(bytes) / Double(count) : 1 }
        return snapshot
    }

    private static let texts: [(ImportProgress.Snapshot, String)] = [
        (snapshot("a.csv", rows: 0, bytes: 0, of: 100, seconds: 0), "a.csv  0 rows  0 of 100 B  0%"),
        (snapshot("a.csv", rows: 1, bytes: 50, of: 100, seconds: 0.25), "a.csv  1 row  50 of 100 B  50%"),
        (
            snapshot("in/a.csv", rows: 1_000_000, bytes: 25_000_000, of: 99_990_000, seconds: 2),
            "a.csv  1,000,000 rows  500,000 rows/s  25.0 of 99.9 MB  25%  0:06 left"
        ),
        (
            snapshot("a.csv", rows: 10, bytes: 1, of: 2_500_000_000, seconds: 1, 2, 3),
            "a.csv (2/3)  10 rows  10 rows/s  0.0 of 2.5 GB  0%"
        ),
        (
            snapshot("a.csv", rows: 7200, bytes: 1000, of: 2000, seconds: 7200),
            "a.csv  7,200 rows  1 rows/s  1.0 of 2.0 kB  50%  2:00:00 left"
        ),
        (snapshot("<stdin>", rows: 9, bytes: 1234, of: nil, seconds: 3), "<stdin>  9 rows  3 rows/s  1.2 kB"),
        (
            snapshot("<stdin>", rows: 9, bytes: 1_234_567, of: nil, seconds: 3, 2, nil),
            "<stdin> (2)  9 rows  3 rows/s  1.2 MB"
        ),
        // More bytes than there should be: no share.
        (snapshot("a.csv", rows: 9, bytes: 101, of: 100, seconds: 3), "a.csv  9 rows  3 rows/s  101 B  99%"),
        (snapshot("a.csv", rows: 9, bytes: 100, of: 100, seconds: 3), "a.csv  9 rows  3 rows/s  100 of 100 B  99%"),
        (snapshot("a\tb.csv", rows: 0, bytes: 0, of: nil, seconds: 0), "a\\tb.csv  0 rows  0 B"),
        (
            snapshot("a.csv", rows: 1234, bytes: 9, of: nil, seconds: 75, stage: .resolving),
            "resolving references  1,234 rows  1:15"
        ),
        (
            snapshot("a.csv", rows: 1234, bytes: 9, of: 9, seconds: 75, stage: .writing, share: 0.75),
            "writing  1,234 rows  75%  0:25 left"
        ),
        (
            snapshot(nil, rows: .max, bytes: .max, of: .max, seconds: 1e12),
            "  9,223,372,036,854,775,807 rows  9,223,372 rows/s  9223372.0 of 9223372.0 TB  99%"
        ),
    ]

    @Test(arguments: texts.indices)
    func theLine(_ index: Int) {
        let (snapshot, text) = Self.texts[index]
        #expect(ProgressLine.text(snapshot) == text)
    }

    @Test(arguments: [
        (80, "patients.csv  9 rows  3 rows/s  1.2 kB"), (39, "patients.csv  9 rows  3 rows/s  1.2 kB"),
        (38, "…tients.csv  9 rows  3 rows/s  1.2 kB"), (35, "…nts.csv  9 rows  3 rows/s  1.2 kB"),
        (34, "9 rows  3 rows/s  1.2 kB"), (25, "9 rows  3 rows/s  1.2 kB"), (10, "9 rows  …"), (2, "…"), (1, ""),
        (0, ""),
    ])
    func theLineFitsItsTerminal(_ width: Int, _ text: String) {
        let snapshot = Self.snapshot("patients.csv", rows: 9, bytes: 1234, of: nil, seconds: 3)
        #expect(ProgressLine.text(snapshot, width: width) == text)
    }

    @Test func wideCharactersTakeTwoColumns() {
        #expect(ColumnText.width("患者.csv") == 8)
        #expect(ColumnText.cutStart("患者名.csv", to: 8) == "…名.csv" && ColumnText.cut("患者名", to: 5) == "患者…")
    }

    @Test func aTerminalsLineIsWrittenOverAndTakenAway() {
        let clock = Clock()
        let progress = ImportProgress(fileCount: 1, byteCount: 10, now: { clock.now() })
        let capture = CommandOutput.Capture()
        let terminal = Terminal(isPresent: true, environment: ["TERM": "xterm"], windowWidth: { 40 })
        let display = ProgressDisplay(progress, form: .overwritten, to: capture.output.messages, on: terminal)
        display.draw()
        progress.begin(file: "a.csv", byteCount: 10)
        display.draw()
        progress.update(rows: 4, bytes: 5)
        clock.pass(.seconds(2))
        display.draw()
        display.draw()
        display.stop()
        display.draw()
        display.stop()
        #expect(
            capture.standardError == "\ra.csv  0 rows  0 of 10 B  0%\u{1B}[K"
                + "\r4 rows  2 rows/s  5 of 10 B  38%  0:04…\u{1B}[K\r\u{1B}[K")
    }

    @Test func aPipeGetsLinesThatDiffer() {
        let clock = Clock()
        let progress = ImportProgress(fileCount: 1, byteCount: 10, now: { clock.now() })
        let capture = CommandOutput.Capture()
        let display = ProgressDisplay(progress, form: .lines, to: capture.output.messages, on: .none)
        progress.begin(file: "a.csv", byteCount: 10)
        display.draw()
        display.draw()
        clock.pass(.seconds(1))
        progress.update(rows: 4, bytes: 10)
        display.stop()
        display.draw()
        #expect(
            capture.standardError == "a.csv  0 rows  0 of 10 B  0%\na.csv  4 rows  4 rows/s  10 of 10 B\n")
    }

    @Test func nothingIsSaidOfAnImportThatDidNotBegin() {
        for form in [ProgressDisplay.Form.lines, .overwritten] {
            let capture = CommandOutput.Capture()
            let display = ProgressDisplay(ImportProgress(), form: form, to: capture.output.messages, on: .none)
            display.draw()
            display.stop()
            #expect(capture.standardError.isEmpty)
        }
    }

    @Test func aDisplayThatIsStoppedAtOnceSaysItsLastLine() {
        let progress = ImportProgress(fileCount: 1)
        let capture = CommandOutput.Capture()
        let display = ProgressDisplay(progress, form: .lines, to: capture.output.messages, on: .none)
        display.start()
        progress.begin(file: "a.csv", byteCount: nil)
        display.stop()
        display.stop()
        #expect(capture.standardError == "a.csv  0 rows  0 B\n")
    }

    @Test(
        arguments: [
            ("auto", "xterm", false, "overwritten"), ("auto", "dumb", false, "none"), ("auto", nil, false, "none"),
            ("always", "xterm", false, "overwritten"), ("always", "dumb", false, "lines"),
            ("always", nil, false, "lines"),
            ("never", "xterm", false, "none"), ("auto", "xterm", true, "none"), ("always", "xterm", true, "none"),
        ] as [(String, String?, Bool, String)])
    func progressIsShownWhenItIsWanted(_ choice: String, _ term: String?, _ isQuiet: Bool, _ form: String) throws {
        var options = ProgressOptions()
        options.given = ProgressChoice(rawValue: choice)
        let terminal = Terminal(isPresent: term != nil, environment: ["TERM": term ?? ""], windowWidth: { nil })
        let found = options.form(on: terminal, isQuiet: isQuiet)
        #expect(found.map { "\($0)" } ?? "none" == form)
    }

    @Test func peopleAreToldTheCountsAndTheTime() {
        var report = ImportReport()
        report.seconds = 0.3512
        #expect(ChangeSummary.sentence(report) == "0 rows (0.4 s)")
        (report.read, report.created, report.rejected) = (1488, 1486, 2)
        #expect(ChangeSummary.sentence(report) == "1,488 rows: 1,486 created, 2 rejected (0.4 s)")
        (report.created, report.updated, report.unchanged, report.skipped, report.seconds) = (0, 1, 1480, 5, 83)
        #expect(
            ChangeSummary.sentence(report)
                == "1,488 rows: 1 updated, 1,480 unchanged, 5 skipped, 2 rejected (83.0 s)")
    }

    @Test func theSumOfSizesIsKnownWhereAllHaveOne() throws {
        let folder = try TemporaryFolder()
        let first = try folder.write("abc", to: "a.csv").path
        let second = try folder.write("defg", to: "b.csv").path
        #expect(ProgressOptions.counts(for: [first, second]).snapshot.byteCount == 7)
        let mixed = ProgressOptions.counts(for: [first, "-"]).snapshot
        #expect(mixed.byteCount == nil && mixed.fileCount == 2)
        #expect(ProgressOptions.counts(for: [folder.url.path]).snapshot.byteCount == nil)
        #expect(ProgressOptions.counts(for: []).snapshot.fileCount == nil)
    }
}
