import GranaryBase
import GranaryFormats
import GranaryImport
import GranaryRecords
import GranaryYAML

/// Reads the tree of a plan, and reports all problems with their positions.
final class PlanReader: TreeReading {
    let tree: PlacedTree
    let problems: TreeProblems
    var variables: PlanVariables
    /// The prefix of relative paths: empty, or the plan's folder with a slash.
    let folder: String
    /// The size of the rows of all imports so far, as JSON.
    var rowBytes = 0
    var settings = SeedPlan.Settings()

    init(_ tree: PlacedTree, folder: String, variables: PlanVariables) {
        self.tree = tree
        self.folder = folder
        self.variables = variables
        problems = TreeProblems(file: tree.text.file, kind: .plan)
    }

    func expanded(_ text: String, at node: Int) -> String? {
        do { return try variables.expanding(text) } catch {
            report(error.message, at: node, value: text)
            return nil
        }
    }

    /// Reads a list of names, or a text with names separated by commas.
    func names(_ node: Int) -> [String]? {
        guard case .list = tree.content(node) else { return text(node).map(OptionText.names) }
        return texts(node)
    }

    /// Reads a text with a parser of ``OptionText``, as the command line does.
    func option<Value>(_ node: Int, _ read: (String) throws(OptionProblem) -> Value) -> Value? {
        guard let text = text(node) else { return nil }
        do throws(OptionProblem) { return try read(text) } catch {
            report(error.message, at: node, value: text)
            return nil
        }
    }

    /// Prepends the folder of the plan to a relative path.
    func path(_ text: String) -> String { text.hasPrefix("/") ? text : folder + text }

    /// Reads the path or the pattern of files; `-` is standard input.
    func file(_ node: Int) -> PlanPath? {
        guard let text = text(node) else { return nil }
        if text == "-" { return PlanPath(path: text, position: tree.position(node), label: "file") }
        var file = PlanPath(path: path(text), position: tree.position(node), label: "file")
        if text.utf8.contains(where: { "*?[".utf8.contains($0) }) {
            var pattern = ""
            for scalar in text.hasPrefix("/") ? "".unicodeScalars : folder.unicodeScalars {
                if "*?[\\".unicodeScalars.contains(scalar) { pattern += "\\" }
                pattern.unicodeScalars.append(scalar)
            }
            file.pattern = pattern + text
        }
        return file
    }
}
