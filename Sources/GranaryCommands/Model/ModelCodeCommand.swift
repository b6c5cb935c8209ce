import ArgumentParser
import Foundation
import GranaryBase
import GranaryImport
import GranaryModel
import GranaryModelFiles

/// `granary model code`: writes Swift classes for the entities, or a staged migration.
struct ModelCodeCommand: ParsableCommand, SwiftDataCommand, DiagnosticPrinting {
    static let configuration = CommandConfiguration(
        commandName: "code",
        abstract: "Writes Swift classes with typed properties for the entities.",
        discussion: HelpText.paragraphs(
            """
            Each entity with a class name gets two files. _Customer.swift has the properties and is replaced whenever the \
            model changes. Customer.swift is for your own code: it is written once and never changed. MODEL+Classes.swift \
            lists the classes for the container.

            With --single there is one file with all classes, to be extended elsewhere. If the model was made in Xcode, \
            only entities whose code generation is Class Definition get a class there; the others get an extension of \
            a class that you write.

            With --entity only the named entities get classes. The others count as entities for which the model names no \
            class: relationships to them have the type ManagedObject, and their properties are in the classes of their \
            subentities.

            With --staged-migration the command writes only MODEL+Migration.swift: an NSStagedMigrationManager of Core \
            Data for the versions up to the current one. Steps that Core Data does not infer for certain are custom \
            stages, whose handlers you set in your own code.

            Examples:
              granary model code Triage.xcdatamodeld --output Sources/App/Model
              granary model code Triage.xcdatamodeld --output Sources/App/Model \\
                --entity Patient --validation
              granary model code Triage.xcdatamodeld --output Generated --single
              granary model code Triage.xcdatamodeld --output Generated --staged-migration
            """))

    enum Access: String, ExpressibleByArgument, CaseIterable {
        case `internal`
        case `package`
        case `public`
    }

    @Argument(help: "The model.", completion: .file())
    var model: String

    @Option(help: ArgumentHelp("The folder to write into.", valueName: "dir"), completion: .directory)
    var output: String

    @Option(help: "The access level of the classes.")
    var access = Access.internal

    @Flag(help: "Write one file with all classes, without files for your own code.")
    var single = false

    @Option(
        help: ArgumentHelp("Only the class of this entity; repeatable (default: all entities).", valueName: "entity"))
    var entity: [String] = []

    @Flag(help: "Add a property for each attribute that reads and sets its value without change tracking.")
    var primitives = false

    @Flag(help: "Write a method for each attribute that validates its value, into new files for your own code.")
    var validation = false

    @Flag(help: "Write only the staged migration of Core Data through the versions of the model.")
    var stagedMigration = false

    @Option(help: ArgumentHelp("Use this version of the model.", valueName: "name"))
    var version: String?

    @OptionGroup(title: SwiftDataArguments.title) var swiftData: SwiftDataArguments
    @OptionGroup var diagnosticOptions: DiagnosticOptions

    func validate() throws {
        if output.isEmpty || output == "-" { throw ValidationError("--output must be a folder.") }
        if single, validation {
            throw ValidationError("--validation needs files for your own code, which --single does not write.")
        }
        if stagedMigration, single || validation || primitives || !entity.isEmpty || version != nil {
            throw ValidationError("--staged-migration writes no classes; of the other options it takes --access only.")
        }
    }

    func run() throws {
        if stagedMigration { return try writeStagedMigration() }
        let schema = try read().resolved()
        try checkEntities(in: schema)
        let generator = ClassGenerator(
            schema, modelName: modelName, access: generatedAccess, form: single ? .single : .twoFiles,
            entities: entity.isEmpty ? nil : Set(entity), hasPrimitives: primitives, hasValidation: validation)
        tell(try GeneratedFolder(path: output).write(generator.files()), notes: generator.notes)
    }

    var modelName: String { ModelTextFile.modelName(URL(filePath: model)) }

    var generatedAccess: GeneratedAccess { GeneratedAccess(rawValue: access.rawValue) ?? .internal }

    /// Prints what was written.
    func tell(_ result: GeneratedFolder.Result, notes: [String]) {
        for note in notes { CommandOutput.log("note: \(note)") }
        let counts = [
            CountText.count(result.written.count, "file") + " written", "\(result.unchanged.count) unchanged",
            "\(result.kept.count) of yours kept",
        ]
        CommandOutput.log("\(output): \(counts.joined(separator: ", "))")
    }

    private func checkEntities(in schema: Schema) throws(GranaryError) {
        let names = schema.entities.map(\.name)
        let unknown = entity.filter { schema.entity(named: $0) == nil }
        guard !unknown.isEmpty else { return }
        let problems = unknown.map { name in
            let hint = NearestText.hint(for: name, in: names)
            return Diagnostic(
                .entityUnknown, "there is no entity \"\(Diagnostic.shortened(name))\"\(hint)", entity: nil)
        }
        throw GranaryError(.refused, "the model lacks entities that --entity names", diagnostics: problems)
    }

    private func read() throws(GranaryError) -> ManagedObjectModel {
        guard let version else { return try ModelArgument.read([model]) }
        var warnings = DiagnosticCollector()
        defer { ModelArgument.log(warnings) }
        return try ManagedObjectModel.read(URL(filePath: model), version: version, diagnostics: &warnings)
    }
}
