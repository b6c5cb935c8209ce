import ArgumentParser
import Foundation
import GranaryBase
import GranaryCoreDataStore
import GranaryDiagrams
import GranaryModel
import GranaryModelFiles
import GranarySwiftData

/// `granary model diagram`: draws a model, or what changed between two.
struct ModelDiagramCommand: ParsableCommand, SwiftDataCommand, DiagnosticPrinting {
    static let configuration = CommandConfiguration(
        commandName: "diagram",
        abstract: "Draws the entities of a model and their relationships, or what changed between two models.",
        discussion: HelpText.paragraphs(
            """
            The name of the output tells the format: .svg for a picture, .mmd for Mermaid, .dot for Graphviz, .dbml for
            dbdiagram. In a picture each entity is a box with its attributes, relationships and delete rules. A crow's
            foot stands for many objects, a bar for one, a circle for none; a triangle is at a superentity.

            Of two models, the newer one is drawn, with what was added, changed and removed.

            Examples:
              granary model diagram App.xcdatamodeld --output App.svg
              granary model diagram App.xcdatamodeld --around Patient --depth 1 --output Patient.svg
              granary model diagram Shipped.sqlite App.xcdatamodeld --output Changes.svg
            """))

    @Argument(help: "The model; of two the older one.", completion: .file())
    var model: String

    @Argument(help: "The newer model.", completion: .file())
    var new: String?

    @Option(
        help: ArgumentHelp("The file: .svg, .mmd, .dot or .dbml; - is SVG on standard output.", valueName: "file"),
        completion: .file())
    var output: String

    @Option(help: ArgumentHelp("Draw this entity and those that links lead to.", valueName: "entity"))
    var around: String?

    @Option(help: ArgumentHelp("How many links --around follows.", valueName: "n"))
    var depth = 1

    @Flag(help: "Let the program dot of Graphviz place the boxes of an SVG file.")
    var graphviz = false

    @Flag(help: "Replace an existing output.")
    var force = false

    @OptionGroup(title: SwiftDataArguments.title) var swiftData: SwiftDataArguments
    @OptionGroup var diagnosticOptions: DiagnosticOptions

    private enum Format: String, CaseIterable {
        case svg, mmd, dot, dbml
    }

    func validate() throws {
        guard depth >= 0 else { throw ValidationError("--depth is a number of links, 0 or more.") }
        let format = try self.format
        if graphviz, format != .svg { throw ValidationError("--graphviz is for .svg; dot reads .dot itself.") }
    }

    private var format: Format {
        get throws {
            if output == "-" { return .svg }
            guard let format = Format(rawValue: (output as NSString).pathExtension.lowercased()) else {
                let names = Format.allCases.map { "." + $0.rawValue }.joined(separator: ", ")
                throw ValidationError("--output \(output): the format is not known; the name ends with \(names).")
            }
            return format
        }
    }

    func run() throws {
        var inputs = ProtectedFiles()
        inputs.add([model, new].compactMap { $0 }, as: "a model that is read")
        try OutputArgument.check([("--output", output)], against: inputs)
        let diagram = try self.diagram
        let text: String
        switch try format {
        case .mmd: text = MermaidDiagram.text(diagram)
        case .dot: text = DotDiagram.text(diagram)
        case .dbml: text = DBMLDiagram.text(diagram)
        case .svg:
            text =
                graphviz
                ? try GraphvizTool.svg(of: DotDiagram.text(diagram))
                : SVGDiagram(diagram).text(title: ([model] + [new].compactMap { $0 }).joined(separator: " → "))
        }
        guard output != "-" else { return try CommandOutput.write(text) }
        let file = try ByteOutput.file(output, replacing: force)
        file.buffer = Array(text.utf8)
        try file.finish()
        CommandOutput.log(
            "drew \((diagram.boxes.count == 1 ? "1 entity" : "\(CountText.grouped(diagram.boxes.count)) entities")) and "
                + "\(CountText.count(diagram.links.count, "link")) in \(output)"
                + (diagram.verdict.map { "; \($0)" } ?? ""))
    }

    private var diagram: Diagram {
        get throws {
            var warnings = DiagnosticCollector()
            let older = try ManagedObjectModel.read(path: model, diagnostics: &warnings).model
            var diagram: Diagram
            if let new {
                var options = SwiftDataOptions.current
                options.schema = swiftData.schema.count > 1 ? swiftData.schema.last : nil
                let newer = try SwiftDataOptions.$current.withValue(options) {
                    try ManagedObjectModel.read(path: new, diagnostics: &warnings).model
                }
                diagram = Diagram(older, newer, verdict: ModelDiffText.verdict(older.differences(to: newer)))
            } else {
                diagram = Diagram(older)
            }
            CommandOutput.log(warnings.diagnostics, count: warnings.count, limit: diagnosticOptions.maxDiagnostics)
            guard let around else { return diagram }
            guard let part = diagram.around(around, depth: depth) else {
                throw GranaryError(
                    Diagnostic(
                        .entityUnknown,
                        "\(new ?? model): there is no entity \"\(Diagnostic.shortened(around))\""
                            + NearestText.hint(for: around, in: diagram.boxes.map(\.name))))
            }
            return part
        }
    }
}
