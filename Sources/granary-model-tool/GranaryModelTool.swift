import Foundation
import GranaryBase
import GranaryModel
import GranaryModelFiles

/// What the build-tool plugin runs: `granary-model-tool MODEL FOLDER [public]` writes the classes of a model as one Swift
/// file, and the compiled model, into a folder.
@main
enum GranaryModelTool {
    static func main() {
        let arguments = Array(CommandLine.arguments.dropFirst())
        guard arguments.count == 2 || (arguments.count == 3 && arguments[2] == "public") else {
            fail("usage: granary-model-tool MODEL FOLDER [public]", 64)
        }
        do throws(GranaryError) {
            try run(URL(filePath: arguments[0]), arguments[1], access: arguments.count == 3 ? .public : .internal)
        } catch {
            // The diagnostics name the file, as a compiler's do.
            for diagnostic in error.diagnostics { tell("\(diagnostic)") }
            fail("error: \(error.message)", 65)
        }
    }

    private static func run(
        _ url: URL, _ folder: String, access: ClassGenerator.Access
    ) throws(GranaryError) {
        var warnings = DiagnosticCollector()
        defer { for warning in warnings.diagnostics { tell("\(warning)") } }
        let model = try ManagedObjectModel(contentsOf: url, diagnostics: &warnings)
        let name = url.deletingPathExtension().lastPathComponent
        let generator = try ClassGenerator(try model.resolved(), modelName: name, access: access, form: .single)
        _ = try GeneratedFolder(path: folder).write(generator.files())
        try model.write(to: URL(filePath: "\(folder)/\(name).mom"), as: .mom, replacing: true)
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
