import ArgumentParser
import Foundation
import GranaryImport

/// The option on progress.
struct ProgressOptions: ParsableArguments {
    @Option(
        name: .customLong("progress"),
        help: ArgumentHelp(
            "When to show progress: auto only on a terminal, always also elsewhere, a line a second (default: auto).",
            valueName: "when"))
    var given: ProgressChoice?

    /// The form of progress on `terminal`; nil if none is shown.
    ///
    /// - Parameter other: the value if the option is not given, such as the plan's.
    func form(on terminal: Terminal, isQuiet: Bool, otherwise other: ProgressChoice = .auto) -> ProgressDisplay.Form? {
        if isQuiet { return nil }
        switch given ?? other {
        case .never: return nil
        case .auto: return terminal.hasControls ? .overwritten : nil
        case .always: return terminal.hasControls ? .overwritten : .lines
        }
    }

    /// Starts a display of `progress`; nil if none is shown.
    func display(
        _ progress: ImportProgress, isQuiet: Bool, otherwise other: ProgressChoice = .auto
    ) -> ProgressDisplay? {
        let output = CommandOutput.current
        guard let form = form(on: output.terminal, isQuiet: isQuiet, otherwise: other) else { return nil }
        let display = ProgressDisplay(progress, form: form, to: output.messages, on: output.terminal)
        display.start()
        return display
    }

    /// Counters for `files`, with the sum of their sizes if all are regular files.
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
