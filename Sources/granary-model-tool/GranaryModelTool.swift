import Foundation
import GranaryBase
import GranaryModel
import GranaryModelFiles

/// The program that the build-tool plugin runs. `granary-model-tool MODEL FOLDER` writes the classes of a model as one
/// Swift file, and the compiled versions of the model, into a folder. ``GenerationSettings`` are read beside the model.
@main
enum GranaryModelTool {
    static func main() {
        let arguments = Array(CommandLine.arguments.dropFirst())
        guard arguments.count == 2 else { fail("usage: granary-model-tool MODEL FOLDER", 64) }
        do throws(GranaryError) {
            try run(URL(filePath: arguments[0]), arguments[1])
        } catch {
            // The diagnostics name the file, as a compiler's do.
            for diagnostic in error.diagnostics { tell("\(diagnostic)") }
            fail("error: \(error.message)", 65)
        }
    }

    private static func run(_ url: URL, _ folder: String) throws(GranaryError) {
        var warnings = DiagnosticCollector()
        defer { for warning in warnings.diagnostics { tell("\(warning)") } }
        let model = try ManagedObjectModel(contentsOf: url, diagnostics: &warnings)
        let name = ModelTextFile.modelName(url)
        let schema = try model.resolved()
        let settings = try GenerationSettings(besides: url)
        try settings.check(schema)
        let generator = ClassGenerator(
            schema, modelName: name, access: settings.access, form: .single, entities: settings.entities,
            isModelInModule: true)
        _ = try GeneratedFolder(path: folder).write(generator.files())
        try FlatModelFiles.write(model, from: url, to: folder)
        for note in generator.notes { tell("note: \(note)") }
    }

    private static func tell(_ line: String) {
        try? FileHandle.standardError.write(contentsOf: Data("\(VisibleText.escaped(line))\n".utf8))
    }

    private static func fail(_ message: String, _ code: Int32) -> Never {
        tell(message)
        exit(code)
    }
}
