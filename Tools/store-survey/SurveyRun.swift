import Foundation

/// `store-survey [--json] FOLDER [FOLDER ...]` reads every store and model below some folders, each store twice, and
/// prints a line for each and a summary.
///
/// folders → files, by content → hashes of all stores → models, a line each → stores, a line each → summary. The line
/// of a file contains its problems; they do not stop the survey.
struct SurveyRun {
    struct Misuse: Error, CustomStringConvertible {
        var description: String { "usage: store-survey [--json] FOLDER [FOLDER ...]" }
    }

    private let folders: [String]
    private let isJSON: Bool

    init(arguments: [String]) throws {
        isJSON = arguments.contains("--json")
        folders = arguments.filter { $0 != "--json" }
        guard !folders.isEmpty, !folders.contains(where: { $0.hasPrefix("-") }) else { throw Misuse() }
    }

    /// - Returns: whether every file was read correctly.
    func run() throws -> Bool {
        let found = try FileFinder.find(in: folders)
        var known = KnownHashes()
        for file in found.files where file.kind == .store { known.addStore(at: file.path) }
        var summary = SurveySummary(skippedEntries: found.skipped)
        // Models come first, since a store without an embedded model may be read with one of them.
        for file in found.files where file.kind == .model {
            try report(measured { ModelSurvey.line(for: file, known: &known) }, &summary)
        }
        for file in found.files where file.kind == .store {
            try report(measured { StoreSurvey.line(for: file, known: known) }, &summary)
        }
        try writeLine(isJSON ? json(summary) : summary.text)
        return summary.failed == 0
    }

    private func report(_ line: SurveyLine, _ summary: inout SurveySummary) throws {
        summary.add(line)
        try writeLine(isJSON ? json(line) : line.text)
    }

    private func measured(_ body: () -> SurveyLine) -> SurveyLine {
        PeakMemory.reset()
        let start = ContinuousClock.now
        var line = body()
        line.milliseconds = ((ContinuousClock.now - start) / .milliseconds(1)).rounded()
        line.peakBytes = PeakMemory.bytes()
        return line
    }

    private func json(_ value: some Encodable) throws -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return String(decoding: try encoder.encode(value), as: UTF8.self)
    }

    /// Writes without buffering, so that a long survey can be watched.
    private func writeLine(_ text: String) throws {
        try FileHandle.standardOutput.write(contentsOf: Data("\(text)\n".utf8))
    }
}
