import ArgumentParser
import GranaryBase
import GranaryCoordination
import GranarySubset

/// `granary anonymise`: checks a file of decisions on the attributes of a store.
struct AnonymiseCommand: InterruptibleCommand, SwiftDataCommand {
    static let configuration = CommandConfiguration(
        commandName: "anonymise",
        abstract: "Checks that a file decides on every attribute of a store, or shows what it does to values.",
        discussion: HelpText.paragraphs(
            """
            The file has a decision for each stored attribute: keep, replace (another value of the same shape), null, hash
            (the beginning of HMAC-SHA-256), mask, generate KIND, noise, shift, "template: TEXT" or "constant: TEXT". The
            attributes of subentities can have decisions of their own. The file overrides the decisions in the model (user
            info granary.anonymise). The command lists the attributes without a decision, each with a proposal and its
            reason, and exits with 1 if there are any, or decisions on what the model does not have. So a new attribute
            cannot leave by mistake.
            granary subset --rules FILE applies the decisions, and refuses undecided attributes too.

            Examples:
              granary anonymise --check Production.sqlite --rules anonymise.yaml
              granary anonymise --preview Production.sqlite --rules anonymise.yaml
              granary subset Production.sqlite --from Patient --rules anonymise.yaml \\
                --key-file key.txt --output Test.sqlite
            """))

    @Option(help: ArgumentHelp("The store to check, or its model.", valueName: "store"), completion: .file())
    var check: String?

    @Option(
        help: ArgumentHelp(
            "The store of which ten objects of each entity are shown, before and after.", valueName: "store"),
        completion: .file())
    var preview: String?

    @Option(
        help: ArgumentHelp("The file of decisions (default: only those of the model).", valueName: "file"),
        completion: .file())
    var rules: String?

    @Option(
        help: ArgumentHelp("The model of the store; repeatable (default: the model in the store).", valueName: "model"),
        completion: .file())
    var model: [String] = []

    @Option(
        help: ArgumentHelp(
            "With --preview: the file with the key of hashes and replacements, such as /dev/fd/3.", valueName: "file"),
        completion: .file())
    var keyFile: String?

    @Option(help: ArgumentHelp("With --preview: the number that determines the replacements.", valueName: "n"))
    var randomSeed: UInt64?

    @Option(help: "The format of the answer.")
    var format = ReportFormat.text

    @OptionGroup var storeOptions: StoreOptions
    @OptionGroup(title: SwiftDataArguments.title, visibility: HelpText.detail) var swiftData: SwiftDataArguments

    func validate() throws {
        if (check == nil) == (preview == nil) { throw ValidationError("pass --check STORE or --preview STORE.") }
        if preview == nil, keyFile != nil || randomSeed != nil {
            throw ValidationError("--key-file and --random-seed apply only to --preview.")
        }
    }

    func run() throws {
        let rules =
            try rules.map { path throws(GranaryError) in try AnonymisationRules(path: path) } ?? AnonymisationRules()
        if let check { try run(rules, check: check) }
        if let preview { try run(rules, preview: preview) }
    }

    // MARK: Check

    private struct Answer: Encodable {
        let decided: Int
        let undecided: [AnonymisationCheck.Undecided]
        let problems: [Diagnostic]
        let doubts: [Diagnostic]
    }

    private func run(_ rules: AnonymisationRules, check: String) throws {
        let schema = try ModelArgument.load(model.isEmpty ? [check] : model)
        var found = AnonymisationCheck(rules, schema)
        if StoreArgument.isStore(check) {
            let store = try StoreArgument.openForReading(check, models: model, storeOptions, leavesFiles: true)
            try store.reading { try found.look(into: store) }
        }
        switch format {
        case .json:
            try CommandOutput.write(
                CommandJSON.text(
                    Answer(
                        decided: found.decided, undecided: found.undecided, problems: found.problems,
                        doubts: found.doubts)))
        case .text:
            if !found.undecided.isEmpty {
                var text = "# \(CountText.count(found.undecided.count, "attribute")) without a decision; proposed:\n"
                for undecided in found.undecided {
                    text += "\(undecided.attribute): \(undecided.proposal)  # \(undecided.type): \(undecided.reason)\n"
                }
                try CommandOutput.writeText(text)
            }
            CommandOutput.log(found.problems + found.doubts, limit: DiagnosticOptions.defaultLimit)
        }
        CommandOutput.log(
            "\(CountText.count(found.decided, "attribute")) decided, \(found.undecided.count) undecided, "
                + CountText.count(found.problems.count, "problem"))
        if !found.undecided.isEmpty || !found.problems.isEmpty { throw ExitCode(ExitCodes.found) }
    }

    // MARK: Preview

    private func run(_ rules: AnonymisationRules, preview: String) throws {
        var options = SubsetOptions()
        options.rules = rules
        options.hashKey = try keyFile.map { path throws(GranaryError) in try KeyedHash(path: path) }
        options.randomSeed = randomSeed
        options.busyTimeout = storeOptions.busyTimeout
        options.cancellation = Cancellation.current
        var warnings: [Diagnostic] = []
        let found = try AnonymisationPreview(
            path: preview, model: try ModelArgument.readIfGiven(model), options: options, warnings: &warnings)
        CommandOutput.log(warnings, limit: DiagnosticOptions.defaultLimit)
        switch format {
        case .json: try CommandOutput.write(CommandJSON.text(found))
        case .text: try CommandOutput.writeText(PreviewText.text(found))
        }
        CommandOutput.log(
            "\(CountText.count(found.objects.count, "object")), "
                + "\(CountText.count(found.problems, "value")) that cannot be treated as decided")
        if found.problems > 0 { throw ExitCode(ExitCodes.found) }
    }
}
