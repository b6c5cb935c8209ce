package import GranaryBase
import GranaryYAML

/// A file of decisions on what Swift sources do not tell: `granary-swiftdata.yaml`.
///
/// ```yaml
/// schema: SchemaV2
/// types: {CLLocationCoordinate2D: "struct{latitude: Double, longitude: Double}"}
/// inverses: {Trip.guests: none}
/// defines: {DEBUG: false}
/// ```
package enum DecisionsFile {
    /// The name that is looked for in given folders.
    package static let name = "granary-swiftdata.yaml"

    private enum Key: String, TreeKey {
        case schema, types, inverses, defines
        case modelClasses = "model-classes"
    }

    private final class Reader: TreeReading {
        let tree: PlacedTree
        let problems: TreeProblems

        init(_ tree: PlacedTree) {
            self.tree = tree
            problems = TreeProblems(file: tree.text.file, kind: DecisionsFile.kind)
        }

        func expanded(_ text: String, at node: Int) -> String? { text }

        func texts(_ node: Int?, _ what: String) -> [String: String] {
            guard let node else { return [:] }
            var texts: [String: String] = [:]
            for (name, value) in pairs(node, what) { texts[name] = text(value) }
            return texts
        }
    }

    private static let kind = TreeKind(noun: "file of decisions", syntax: .modelSyntax, unknown: .modelUnknown)

    /// - Throws: ``GranaryError``: `unreadable` if the file cannot be read; `refused` with a diagnostic for each problem.
    package static func read(_ path: String) throws(GranaryError) -> SwiftDataOptions {
        let bytes = try ByteSource(path: path).readAll(limit: PlacedText.maximumBytes)
        let reader = Reader(try PlacedTree.read(try PlacedText(bytes, file: path, kind: kind)))
        var options = SwiftDataOptions()
        let top = reader.mapping(PlacedTree.root, "a file of decisions", Key.self)
        options.schema = top[.schema].flatMap(reader.text)
        options.modelClasses = top[.modelClasses].flatMap(reader.texts) ?? []
        options.types = reader.texts(top[.types], "types by name")
        for (name, text) in options.types where DecidedType(text) == nil {
            reader.report("types: after \(name) comes \(DecidedType.forms)", at: top[.types] ?? PlacedTree.root)
        }
        options.inverses = reader.texts(top[.inverses], "inverses by relationship")
        if let node = top[.defines] {
            for (name, value) in reader.pairs(node, "true or false by flag") {
                options.defines[name] = reader.flag(value)
            }
        }
        try reader.problems.throwIfAny()
        return options
    }
}
