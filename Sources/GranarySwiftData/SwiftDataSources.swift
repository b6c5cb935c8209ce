import Foundation
package import GranaryBase
import GranaryModel

/// Swift sources with `@Model` classes, parsed.
///
/// paths → files → declarations (`granary-swiftdata`) → index of names → schema → model.
package struct SwiftDataSources: Sendable {
    /// The paths as given, for messages.
    package let paths: [String]
    private let listing: SourceListing
    /// The decisions in a file of a given folder, or of the folder of a given file.
    private let decisions: SwiftDataOptions

    /// Parses the Swift files at the paths, and those in folders.
    ///
    /// - Throws: ``GranaryError``: `unreadable` for a missing path, and if `granary-swiftdata` is missing; `refused`
    ///   without a Swift file, and for a file of decisions with mistakes; `interrupted` if the command is cancelled.
    package init(paths: [String]) throws(GranaryError) {
        let files = try SwiftSourceFiles.files(paths)
        guard !files.isEmpty else {
            throw GranaryError(.refused, "\(paths.joined(separator: ", ")): there is no Swift file")
        }
        var decisions = SwiftDataOptions()
        var seen: Set<String> = []
        for path in paths {
            let folder =
                FileKind(path) == .folder
                ? path : path.lastIndex(of: "/").map { String(path[..<$0]) } ?? "."
            guard seen.insert(folder).inserted else { continue }
            let file = "\(folder)/\(DecisionsFile.name)"
            if FileKind(file) == .file { decisions = decisions.completed(by: try DecisionsFile.read(file)) }
        }
        self.init(paths: paths, listing: try ParsedFiles.listing(of: files), decisions: decisions)
    }

    init(paths: [String], listing: SourceListing, decisions: SwiftDataOptions = SwiftDataOptions()) {
        self.paths = paths
        self.listing = listing
        self.decisions = decisions
    }

    /// The versioned schemas in the order of the sources.
    package func schemas(_ options: SwiftDataOptions) -> [SchemaDeclaration] {
        SchemaReader(index: index(options.completed(by: decisions))).schemas()
    }

    /// The migration plans in the order of the sources.
    package func plans(_ options: SwiftDataOptions) -> [MigrationPlanDeclaration] {
        SchemaReader(index: index(options.completed(by: decisions))).plans()
    }

    private func index(_ options: SwiftDataOptions) -> SourceIndex {
        SourceIndex(listing, conditions: ConditionValues(defines: options.defines))
    }

    /// The model of the chosen schema.
    ///
    /// - Throws: ``GranaryError``: `refused` with a diagnostic for each place where the sources do not tell the schema;
    ///   `usage` for an option of no known form.
    package func model(_ options: SwiftDataOptions) throws(GranaryError) -> SwiftDataModel {
        let options = options.completed(by: decisions)
        let index = index(options)
        do throws(GranaryError) {
            let schemas = SchemaReader(index: index).schemas()
            let choice = try SchemaChoice(index: index, schemas: schemas, options: options, paths: paths)
            if let schema = choice.schema, schema.identifier == nil {
                throw GranaryError(
                    Diagnostic(
                        .modelUndecided,
                        "\(schema.name): versionIdentifier is not Schema.Version with three numbers; write it as a literal",
                        at: schema.position))
            }
            var builder = try ModelBuilder(index: index, options: options)
            let result = try builder.model(
                of: choice.models, schema: choice.schema?.name, identifier: choice.schema?.identifier ?? "1.0.0")
            let files = Set(result.positions.values.map(\.file))
            return SwiftDataModel(
                model: result.model, schema: result.schema, positions: result.positions,
                messages: choice.notes + UnusedDecisions(index: index).warnings(options) + result.messages
                    + (try syntaxProblems(in: files)))
        } catch {
            // A file that is not Swift is the cause of what is missing.
            var error = error
            let unparsed = listing.files.flatMap { diagnostics($0, severity: .error) }
            let known = Set(error.diagnostics)
            error.diagnostics = unparsed.prefix(20).filter { !known.contains($0) } + error.diagnostics
            throw error
        }
    }

    /// The warnings for files that are not Swift.
    ///
    /// - Throws: ``GranaryError``: `refused` if one of them declares a class of the schema.
    private func syntaxProblems(in used: Set<String>) throws(GranaryError) -> [Diagnostic] {
        let errors = listing.files.filter { used.contains($0.path) }.flatMap { diagnostics($0, severity: .error) }
        guard errors.isEmpty else {
            throw GranaryError(.refused, "a file that declares the schema is not Swift", diagnostics: errors)
        }
        return listing.files.flatMap { diagnostics($0, severity: .warning) }
    }

    private func diagnostics(_ file: SourceFile, severity: Diagnostic.Severity) -> [Diagnostic] {
        file.problems.map {
            Diagnostic(.modelSyntax, $0.message, severity: severity, at: SourcePosition(file: file.path, $0.place))
        }
    }
}
