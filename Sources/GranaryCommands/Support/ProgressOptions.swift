import ArgumentParser
import Foundation
import GranarySeeding

/// When progress is shown.
enum ProgressChoice: String, ExpressibleByArgument, CaseIterable {
    case auto, always, never
}

/// Whether a command shows how far it is.
struct ProgressOptions: ParsableArguments {
    @Option(
        name: .customLong("progress"),
        help: ArgumentHelp(
            "Show how far the import is: auto (on a terminal), always (elsewhere a line a second) or never.",
            valueName: "when"))
    var given: ProgressChoice?

    /// How it is shown on `terminal`; nil for not at all.
    ///
    /// - Parameter other: the value if the option is not given, such as the plan's.
    func form(on terminal: Terminal, isQuiet: Bool, otherwise other: ProgressChoice = .auto) -> ProgressPainter.Form? {
        if isQuiet { return nil }
        switch given ?? other {
        case .never: return nil
        case .auto: return terminal.hasControls ? .overwritten : nil
        case .always: return terminal.hasControls ? .overwritten : .lines
        }
    }

    /// Shows `progress` until the display is stopped; nil where nothing is to be shown.
    func display(
        _ progress: ImportProgress, isQuiet: Bool, otherwise other: ProgressChoice = .auto
    ) -> ProgressDisplay? {
        let output = CommandOutput.current
        guard let form = form(on: output.terminal, isQuiet: isQuiet, otherwise: other) else { return nil }
        return ProgressDisplay(
            ProgressPainter(progress, form: form, to: output.messages, on: output.terminal))
    }

    /// Counts for `files`, with the sum of their sizes where all have one.
    static func counts(for files: [String]) -> ImportProgress {
        var sum = 0
        for file in files {
            let attributes = try? FileManager.default.attributesOfItem(
                atPath: URL(filePath: file).resolvingSymlinksInPath().path(percentEncoded: false))
            guard attributes?[.type] as? FileAttributeType == .typeRegular, let size = attributes?[.size] as? NSNumber
            else { return ImportProgress(fileCount: files.count) }
            sum &+= size.intValue
        }
        return ImportProgress(fileCount: files.isEmpty ? nil : files.count, byteCount: files.isEmpty ? nil : sum)
    }
}
