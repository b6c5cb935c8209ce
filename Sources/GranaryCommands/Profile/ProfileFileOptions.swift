import ArgumentParser
import GranaryBase
import GranaryFormats
import GranaryRecords

/// The options on data files of `granary profile`, whose `--format` is that of the answer.
struct ProfileFileOptions: ParsableArguments {
    @Option(
        help: "The format of the file, such as json (default: the format that the extension names).")
    var dataFormat: DataFormat?

    @Option(
        help: ArgumentHelp(
            "The text encoding, such as windows-1252 (default: that of the byte order mark, or UTF-8).",
            valueName: "name"))
    var encoding: String?

    @Option(help: ArgumentHelp("The separator between fields (one byte).", valueName: "c"))
    var delimiter: String?

    @Option(
        parsing: .unconditional, help: ArgumentHelp("Skip this many lines before the header.", valueName: "n"))
    var skipRows = 0

    @Option(
        help: ArgumentHelp(
            "Where the records of a JSON document or property list are, such as data.items; repeatable.",
            valueName: "path"))
    var records: [String] = []

    func options() throws -> SourceOptions {
        var options = SourceOptions()
        options.format = dataFormat
        options.delimiter = delimiter
        options.encoding = try ImportSourceOptions.value(encoding, "--encoding", OptionText.encoding)
        options.skipRows = skipRows
        options.recordPlaces = records.map(OptionText.recordPlace)
        return options
    }
}
