public import Foundation
public import GranaryBase
public import GranaryModel
public import GranarySwiftData

extension ManagedObjectModel {
    /// Reads the model of a SwiftData schema from Swift sources with `@Model` classes.
    ///
    /// The version hashes are those that SwiftData computes, as far as public stores show its rules
    /// (docs/swiftdata.md). Nothing is guessed: a property whose storage the sources do not tell is an error, which
    /// names the decision in ``SwiftDataOptions`` that settles it. No source is executed. The program
    /// `granary-swiftdata`, which parses Swift, has to be beside the running program or in `PATH`, or named by the
    /// variable `GRANARY_SWIFTDATA`.
    ///
    /// - Parameters:
    ///   - sources: Swift files, and folders whose Swift files at any depth are read.
    ///   - options: the schema, and decisions. A file `granary-swiftdata.yaml` in a given folder adds others.
    /// - Throws: ``GranaryError``: `unreadable` for a missing file, and without the program; `refused` with file, line
    ///   and column of each place where the sources do not tell the schema.
    public init(
        swiftDataSources sources: [URL], options: SwiftDataOptions = SwiftDataOptions()
    ) throws(GranaryError) {
        self = try SwiftDataSources(paths: sources.map(\.givenPath)).model(options).model
    }

    /// Reads the model that Swift sources at paths declare, with the options of the current task.
    package init(swiftPaths paths: [String], diagnostics: inout DiagnosticCollector) throws(GranaryError) {
        let names = paths.map(SwiftSourcePath.init)
        var options = SwiftDataOptions.current
        if let schema = names.compactMap(\.schema).first { options.schema = schema }
        let result = try SwiftDataSources(paths: names.map(\.path)).model(options)
        diagnostics.add(contentsOf: result.messages)
        self = result.model
    }
}
