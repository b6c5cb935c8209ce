import ArgumentParser
import Foundation
import GranaryBase
import GranaryFormats
import GranaryModel
import GranaryModelFiles
import GranaryProposals
import GranaryRecords
import GranarySurvey

/// `granary model init`: proposes a model for data files.
struct ModelInitCommand: InterruptibleCommand, DiagnosticPrinting {
    static let configuration = CommandConfiguration(
        commandName: "init",
        abstract: "Proposes a model for data files or an SQLite database.",
        discussion: HelpText.paragraphs(
            """
            Each file becomes an entity, each column an attribute. All values are read. A column is required if no value
            is missing, and unique if no value occurs twice. A column whose values are all keys of another file becomes a
            relationship; so do objects in JSON and property lists, and the foreign keys of a database; with --reference
            also the values of a column that no file describes, such as codes of countries. The comments of
            the YAML contain the evidence. Without options on files, each file is read as granary inspect finds it. The model
            is a proposal: read and change it, then import with the commands that are printed.

            Examples:
              granary model init airports.csv --reference country=Country.code \\
                --output Airports.granary.yaml
              granary model init authors.csv books.csv --output Library.xcdatamodeld
              granary model init app.db --output App.granary.yaml
            """))

    @Argument(help: "The files, in the formats of an import, or SQLite databases.", completion: .file())
    var files: [String]

    @Option(
        help: ArgumentHelp("The model to write; - is YAML on standard output.", valueName: "path"),
        completion: .file())
    var output = "-"

    @Option(
        help: ArgumentHelp(
            "An unquoted text that means NULL; repeatable (default: an empty field).", valueName: "text"))
    var null: [String] = []

    @Option(
        help: ArgumentHelp(
            "Make the values of a column objects of an entity, which get them as this attribute (default: name); "
                + "repeatable.", valueName: "column=entity.attribute"))
    var reference: [String] = []

    @Flag(help: "Replace an existing output.")
    var force = false

    @OptionGroup(title: "Files") var source: ImportSourceOptions
    @OptionGroup var diagnosticOptions: DiagnosticOptions

    func validate() throws {
        if files.contains("-") { throw ValidationError("the files are read twice; pass a file instead of -.") }
        try ModelConvertCommand.check(output: output)
    }

    func run() throws {
        var inputs = ProtectedFiles()
        inputs.add(files, as: "a file that is read")
        try OutputArgument.check([("--output", output)], against: inputs)
        let cancellation = Cancellation.current
        var references: [ProposedReference] = []
        for text in reference { references.append(try ProposedReference(text)) }
        let sourceOptions = try source.options(try ImportTermsOptions.parse([]))
        var profiler = SourceProfiler(nullTexts: null)
        for file in files {
            if DatabaseFile.isDatabase(file) {
                try DatabaseProfiler.read(file, into: &profiler, cancellation: cancellation)
            } else {
                try read(file, sourceOptions, into: &profiler)
            }
        }
        try profiler.add(references)
        let options = ModelProposal.Options(modelPath: output == "-" ? "Model.granary.yaml" : output)
        let proposal = try ModelProposal(profiler, options: options, cancellation: cancellation)
        try proposal.model.check()
        CommandOutput.log(
            profiler.problems.diagnostics + proposal.warnings, limit: diagnosticOptions.maxDiagnostics)
        try write(proposal)
    }

    /// Reads a file as the options say, and where they say nothing, as a survey of it finds.
    private func read(
        _ file: String, _ options: SourceOptions, into profiler: inout SourceProfiler
    ) throws(GranaryError) {
        let cancellation = Cancellation.current
        let nulls = null.flatMap { $0.hasPrefix("-") ? ["--null=\($0)"] : ["--null", $0] }
        guard options.format(of: file) != .terms else {
            return try profiler.read(
                .file(path: file, options: options), words: source.words(for: .terms) + nulls,
                cancellation: cancellation)
        }
        let survey = try FileSurvey(path: file, given: options, nulls: null.isEmpty ? nil : null)
        for doubt in survey.doubts {
            CommandOutput.log("\(file): \(doubt.text): \(doubt.readings.joined(separator: " or "))")
        }
        if survey.needsPlan {
            let names = survey.columnsWithOptions.map { Diagnostic.shortened($0) }.joined(separator: ", ")
            CommandOutput.log(
                "\(file): these columns are written in different ways and stay texts: \(names); granary inspect --plan "
                    + "prints options for each")
        }
        // The survey repeats the format if the file's name does not tell it.
        var given = source
        given.format = nil
        try profiler.read(
            try survey.plainSource(), words: given.words(for: survey.format) + nulls + survey.words,
            cancellation: cancellation)
    }

    private func write(_ proposal: ModelProposal) throws(GranaryError) {
        let zone = "The dates name no time zone: put yours instead of UTC."
        let needsZone = proposal.commands.contains { $0.contains("--time-zone UTC") }
        let header =
            ["A proposal by granary model init. Check it, then import:"] + proposal.commands.map { "  \($0)" }
            + (needsZone ? [zone] : [])
        let format = ModelFileFormat(fileName: output)
        if output != "-", format != .yamlText {
            try proposal.model.write(to: URL(filePath: output), as: format, replacing: force)
        } else {
            let bytes = try proposal.model.yaml(header: header, comments: proposal.comments)
            guard output != "-" else { return try CommandOutput.write(String(decoding: bytes, as: UTF8.self)) }
            let file = try ByteOutput.file(output, replacing: force)
            file.buffer = bytes
            try file.finish()
        }
        let entities = proposal.model.entities
        let attributes = entities.map(\.attributes.count).reduce(0, +)
        // The comments of the YAML contain the commands.
        CommandOutput.log(
            "proposed \(entities.count == 1 ? "1 entity" : "\(entities.count) entities") with "
                + "\(CountText.count(attributes, "attribute")) in \(output); check it, then import:")
        for command in proposal.commands { CommandOutput.log("  \(command)") }
        if needsZone { CommandOutput.log(zone) }
    }
}

extension ManagedObjectModel {
    /// Checks a proposed model.
    ///
    /// - Throws: ``GranaryError`` with code `internalDefect` if the model is invalid.
    fileprivate func check() throws(GranaryError) {
        do throws(GranaryError) { _ = try resolved() } catch {
            throw GranaryError(.internalDefect, "the proposed model is invalid: \(error.message)", underlying: error)
        }
    }
}
