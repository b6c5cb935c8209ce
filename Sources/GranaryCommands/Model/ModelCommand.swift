import ArgumentParser

/// `granary model`: the commands for models.
struct ModelCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "model",
        abstract:
            "Shows, draws, checks, hashes, freezes, compares, converts and proposes models, and writes Swift code.",
        discussion: HelpText.paragraphs(
            """
            A model is an .xcdatamodeld or .xcdatamodel folder, a compiled model (.momd, .mom), a model archive (.json,
            .plist), a model as text (.granary.yaml, .granary.json), Swift sources with @Model classes (files or
            folders; Models#SchemaV2 for one of several schemas), or a store, whose embedded model is then used.

            Examples:
              granary model check Triage.xcdatamodeld
              granary model convert Store.sqlite --output App.xcdatamodeld
            """),
        subcommands: [
            ModelShowCommand.self, ModelCheckCommand.self, ModelHashCommand.self, ModelDiffCommand.self,
            ModelVersionsCommand.self, ModelConvertCommand.self, ModelCodeCommand.self, ModelInitCommand.self,
            ModelFreezeCommand.self, ModelDiagramCommand.self,
        ])
}
