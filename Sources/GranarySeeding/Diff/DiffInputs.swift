import Foundation
import GranaryBase
import GranaryCoordination
import GranaryCoreDataStore
import GranaryFormats
import GranaryModel

/// Opens the two compared files as stores. Exports are imported into temporary stores.
struct DiffInputs {
    /// One of the two.
    struct Input {
        /// `A` or `B`.
        let label: String
        let path: String
        /// The sources of an export; nil for a store.
        let sources: [ImportSource]?
        /// Whether the model of a store is inferred from its tables.
        var isInferred = false
        var store: SQLiteStore?
        var warnings: [Diagnostic] = []
    }

    private(set) var a: Input
    private(set) var b: Input
    private let options: StoreDiffOptions
    private let folder: DiffFolder

    /// Determines whether the paths are stores or exports.
    ///
    /// - Throws: ``GranaryError``: `unreadable` for a missing file, `refused` for a folder that is no export.
    init(_ a: String, _ b: String, options: StoreDiffOptions, folder: DiffFolder) throws(GranaryError) {
        self.a = Input(label: "A", path: a, sources: try Self.sources(a, "A"))
        self.b = Input(label: "B", path: b, sources: try Self.sources(b, "B"))
        self.options = options
        self.folder = folder
    }

    /// The warnings about both.
    var warnings: [Diagnostic] { a.warnings + b.warnings }

    // MARK: - Kinds

    /// The sources of an export; nil for a store.
    private static func sources(_ path: String, _ label: String) throws(GranaryError) -> [ImportSource]? {
        switch FileKind(path) {
        case .missing: throw GranaryError(.unreadable, "\(label): \(path): there is no such file")
        case .special: throw GranaryError(.unreadable, "\(label): \(path): is neither a file nor a folder")
        case .folder: return try folderSources(path, label)
        case .file:
            guard !isDatabase(path), let format = DataFormat(fileName: path) else { return nil }
            guard format != .terms else {
                throw GranaryError(
                    .usage, "\(label): \(path): a constant table cannot be compared; import it into a store first")
            }
            return [source(path)]
        }
    }

    /// Whether a file is an SQLite database, whatever its name.
    private static func isDatabase(_ path: String) -> Bool {
        guard let file = FileHandle(forReadingAtPath: path) else { return false }
        defer { try? file.close() }
        return (try? file.read(upToCount: 16)) == Data("SQLite format 3\0".utf8)
    }

    /// The files of an exported folder, which are named after their entities.
    private static func folderSources(_ path: String, _ label: String) throws(GranaryError) -> [ImportSource] {
        guard let listing = FolderNames(path) else {
            throw GranaryError(.unreadable, "\(label): \(path): cannot be read: \(errnoText())")
        }
        if let name = listing.undecodable {
            throw GranaryError(.unreadable, "\(label): \(path): the name of \(name) is not UTF-8; rename the file")
        }
        // Besides the tables there can be a sidecar and a folder of values.
        let names = listing.names.filter { name in
            let file = "\(path)/\(name)"
            let isValues = name == ExportSidecar.blobFolder && FileKind(file) == .folder
            return !name.hasPrefix(".") && !isValues && !ImportSidecar.isSidecar(file)
        }.sorted {
            $0.utf8.lexicographicallyPrecedes($1.utf8)
        }
        let other = names.first { name in
            DataFormat(fileName: name)?.isNamedAfterEntity != true && source("\(path)/\(name)").entity == nil
        }
        if let other {
            throw GranaryError(
                .refused,
                "\(label): \(path): is not an exported folder: \(other) is not a CSV, TSV or JSON Lines file")
        }
        guard !names.isEmpty else { throw GranaryError(.refused, "\(label): \(path): the folder is empty") }
        return names.map { source("\(path)/\($0)") }
    }

    private static func source(_ path: String) -> ImportSource {
        var options = SourceOptions()
        // Stores can contain U+0000.
        options.allowsNUL = true
        return .file(path: path, options: options)
    }

    // MARK: - Opening

    /// Opens both stores.
    ///
    /// - Throws: ``GranaryError``, which names the side.
    mutating func open() throws {
        if a.sources == nil { a = try opened(a, with: options.model) }
        if b.sources == nil { b = try opened(b, with: options.model) }
        try replaceInferredModels()
        let (restoredA, restoredB) = (try restored(a, beside: b), try restored(b, beside: a))
        (a, b) = (restoredA, restoredB)
    }

    private func opened(_ input: Input, with model: ManagedObjectModel?) throws(GranaryError) -> Input {
        var input = input
        do throws(GranaryError) {
            var warnings: [Diagnostic] = []
            let store = try SQLiteStore.openForReading(
                path: input.path, model: model, busyTimeout: options.timeout, warnings: &warnings)
            store.leavesFiles = true
            input.isInferred = model == nil && store.schema.model.isInferred
            input.store = store
            input.warnings = warnings
            return input
        } catch { throw error.labelled(input.label) }
    }

    /// Opens a store without a model again with the model of the other store, if it fits.
    private mutating func replaceInferredModels() throws(GranaryError) {
        if a.isInferred, !b.isInferred, let model = b.store?.schema.model, let better = try? opened(a, with: model) {
            a = better
        } else if b.isInferred, !a.isInferred, let model = a.store?.schema.model,
            let better = try? opened(b, with: model)
        {
            b = better
        }
    }

    // MARK: - Exports

    /// Imports an export into a temporary store; returns a store unchanged.
    private func restored(_ input: Input, beside other: Input) throws -> Input {
        guard let sources = input.sources else { return input }
        do {
            return try translating { try restored(input, sources, try schema(for: input, beside: other)) }
        } catch let error as GranaryError where error.code != .interrupted {
            throw error.labelled(input.label)
        }
    }

    private func restored(_ input: Input, _ sources: [ImportSource], _ schema: Schema) throws -> Input {
        var run = ImportRunOptions()
        run.keepsLedger = false
        run.cancellation = options.cancellation
        let path = folder.path(input.label + ".sqlite")
        let store = try SQLiteStore.create(path: path, schema: schema)
        let report = try Importer(jobs: [ImportJob(entity: nil, sources: sources)], run: run).run(into: store)
        guard !report.isRefused else {
            let count = report.diagnosticCount
            throw GranaryError(
                .refused, "\(input.path): the export breaks \(count == 1 ? "a rule" : "\(count) rules") of the model",
                diagnostics: report.diagnostics)
        }
        try store.publish()
        var input = input
        let reading = try SQLiteStore.open(path: path, schema: schema, readOnly: true, once: true)
        reading.leavesFiles = true
        input.store = reading
        return input
    }

    /// The model of an export: the given one, or else that of the document, or else that of the other side. An inferred
    /// model is used only if there is no complete one.
    private func schema(for input: Input, beside other: Input) throws(GranaryError) -> Schema {
        if let model = options.model { return try model.resolved() }
        let own = Self.embeddedModel(input, options.cancellation)
        if let own, !own.isInferred { return own.schema }
        if let schema = other.store?.schema { return schema }
        if other.sources != nil, let embedded = Self.embeddedModel(other, options.cancellation),
            !embedded.isInferred || own == nil
        {
            return embedded.schema
        }
        if let own { return own.schema }
        throw GranaryError(.usage, "\(input.path): neither export contains a model; set the model")
    }

    private struct InferredFlag: Decodable {
        var inferred: Bool?
    }

    /// The model in a JSON document or a property list; nil if there is none or it cannot be read.
    private static func embeddedModel(
        _ input: Input, _ cancellation: Cancellation?
    ) -> (schema: Schema, isInferred: Bool)? {
        guard let sources = input.sources, sources.count == 1, let reader = try? sources[0].makeReader(),
            reader is JSONReader || reader is PropertyListReader
        else { return nil }
        var record = Record()
        // The model is the last member of an exported document. The import reports problems before it.
        do {
            reading: while true {
                try cancellation?.check()
                if case .end = try reader.next(into: &record) { break reading }
            }
        } catch { return nil }
        guard let bytes = (reader as? JSONReader)?.model ?? (reader as? PropertyListReader)?.model else { return nil }
        let decoder = JSONDecoder()
        guard let model = try? decoder.decode(ManagedObjectModel.self, from: Data(bytes)),
            let schema = try? model.resolved()
        else { return nil }
        let flag = try? decoder.decode(InferredFlag.self, from: Data(bytes))
        return (schema, flag?.inferred ?? false)
    }
}
