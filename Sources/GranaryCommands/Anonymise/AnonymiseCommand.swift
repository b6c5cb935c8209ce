import ArgumentParser
import GranaryBase
import GranarySubset

/// `granary anonymise`: checks a file of decisions on the attributes of a store.
struct AnonymiseCommand: InterruptibleCommand, SwiftDataCommand {
    static let configuration = CommandConfiguration(
        commandName: "anonymise",
        abstract: "Checks that a file decides on every attribute of a store, before objects leave it.",
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
              granary subset Production.sqlite --from Patient --rules anonymise.yaml \\
                --key-file key.txt --output Test.sqlite
            """))

    @Option(help: ArgumentHelp("The store, or its model.", valueName: "store"), completion: .file())
    var check: String

    @Option(
        help: ArgumentHelp("The file of decisions (default: only those of the model).", valueName: "file"),
        completion: .file())
    var rules: String?

    @Option(
        help: ArgumentHelp("The model of the store; repeatable (default: the model in the store).", valueName: "model"),
        completion: .file())
    var model: [String] = []

    @Option(help: "The format of the answer.")
    var format = ReportFormat.text

    @OptionGroup(title: SwiftDataArguments.title, visibility: HelpText.detail) var swiftData: SwiftDataArguments

    private struct Answer: Encodable {
        let decided: Int
        let undecided: [AnonymisationCheck.Undecided]
        let problems: [Diagnostic]
    }

    func run() throws {
        let rules =
            try rules.map { path throws(GranaryError) in try AnonymisationRules(path: path) } ?? AnonymisationRules()
        let schema = try ModelArgument.load(model.isEmpty ? [check] : model)
        let found = AnonymisationCheck(rules, schema)
        switch format {
        case .json:
            try CommandOutput.write(
                CommandJSON.text(
                    Answer(decided: found.decided, undecided: found.undecided, problems: found.problems)))
        case .text:
            if !found.undecided.isEmpty {
                var text = "# \(CountText.count(found.undecided.count, "attribute")) without a decision; proposed:\n"
                for undecided in found.undecided {
                    text += "\(undecided.attribute): \(undecided.proposal)  # \(undecided.type): \(undecided.reason)\n"
                }
                try CommandOutput.writeText(text)
            }
            CommandOutput.log(found.problems, limit: DiagnosticOptions.defaultLimit)
        }
        CommandOutput.log(
            "\(CountText.count(found.decided, "attribute")) decided, \(found.undecided.count) undecided, "
                + CountText.count(found.problems.count, "problem"))
        if !found.undecided.isEmpty || !found.problems.isEmpty { throw ExitCode(ExitCodes.found) }
    }
}
