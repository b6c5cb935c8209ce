import Foundation
import GranaryBase
import GranaryCoordination
import GranaryCoreDataStore
import GranaryFormats
import GranaryImport
import GranaryModel
import GranaryPostgreSQL
import GranaryRecords

/// Opens the two compared files as stores, unless they are open stores. Exports are imported into temporary stores.
struct DiffInputs {
    /// One of the two.
    struct Input {
        /// `A` or `B`.
        let label: String
        let path: String
        /// The sources of an export; nil for a store.
        let sources: [ImportSource]?
        /// Whether the export is a document of several entities.
        let isDocument: Bool
        /// Whether the export is a file of one entity.
        let holdsOneEntity: Bool
        /// The entity of a file of one entity; nil until it is restored.
        var entity: String?
        /// The entities and the model of a document; nil for other inputs, and if it cannot be read.
        var content: DocumentContent?
        /// The names of the entities whose objects an export of some entities contains; nil until it is restored, and
        /// for other inputs.
        var entities: Set<String>?
        /// Whether the model of a store is inferred from its tables.
        var isInferred = false
        var store: (any StoreBackend)?
        var warnings: [Diagnostic] = []
        /// The columns of files, which decide what is compared; empty for other inputs.
        var columns: [DiffColumns] = []

        /// Determines whether a path is a store or an export.
        ///
        /// - Throws: ``GranaryError``: `unreadable` for a missing file, `refused` for a folder that is no export.
        init(_ path: String, _ label: String) throws(GranaryError) {
            self.label = label
            self.path = path
            sources = try DiffInputs.sources(path, label)
            isDocument = sources.map { $0.count == 1 && DocumentContent.isDocument($0[0]) } ?? false
            holdsOneEntity = sources != nil && !isDocument && FileKind(path) == .file
        }

        /// An open store.
        init(_ store: any StoreBackend, _ label: String) {
            self.label = label
            self.store = store
            path = "the container"
            sources = nil
            isDocument = false
            holdsOneEntity = false
        }
    }

    private(set) var a: Input
    private(set) var b: Input
    let options: StoreDiffOptions
    let folder: DiffFolder

    init(_ a: Input, _ b: Input, options: StoreDiffOptions, folder: DiffFolder) {
        self.a = a
        self.b = b
        self.options = options
        self.folder = folder
    }

    /// The warnings about both.
    var warnings: [Diagnostic] { a.warnings + b.warnings }

    /// The entities of each side that is an export of some entities. Known after ``open()``.
    var limits: [Set<String>] { [a.entities, b.entities].compactMap(\.self) }

    /// The columns of the sides that consist of files.
    var columns: [DiffColumns] { a.columns + b.columns }

    // MARK: - Kinds

    /// The sources of an export; nil for a store.
    private static func sources(_ path: String, _ label: String) throws(GranaryError) -> [ImportSource]? {
        if ConnectionText.isConnection(path) { return nil }
        switch FileKind(path) {
        case .missing: throw GranaryError(.unreadable, "\(label): \(path): there is no such file")
        case .special: throw GranaryError(.unreadable, "\(label): \(path): is neither a file nor a folder")
        case .folder: return try folderSources(path, label)
        case .file:
            guard !DatabaseFile.isDatabase(path), let format = DataFormat(fileName: path) else { return nil }
            guard format != .terms else {
                throw GranaryError(
                    .usage, "\(label): \(path): a constant table cannot be compared; import it into a store first")
            }
            return [source(path)]
        }
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
            // An export names its files after their formats.
            guard let format = DataFormat(fileName: name) else { return true }
            return !format.isNamedAfterEntity && source("\(path)/\(name)").entity == nil
        }
        if let other {
            throw GranaryError(
                .refused,
                "\(label): \(path): is not an exported folder: \(other) is not a CSV, TSV or JSON Lines file")
        }
        guard !names.isEmpty else { throw GranaryError(.refused, "\(label): \(path): the folder is empty") }
        return names.map { source("\(path)/\($0)") }
    }

    static func source(_ path: String) -> ImportSource {
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
        if a.sources == nil, a.store == nil { a = try opened(a, with: options.model) }
        if b.sources == nil, b.store == nil { b = try opened(b, with: options.model) }
        try replaceInferredModels()
        (a.content, b.content) = (content(of: a), content(of: b))
        let restoredA = try restored(a, beside: b, avoiding: b.store)
        let restoredB = try restored(b, beside: a, avoiding: restoredA.store)
        (a, b) = (restoredA, restoredB)
    }

    /// The content of a document. The import reports its problems.
    private func content(of input: Input) -> DocumentContent? {
        guard input.isDocument, let source = input.sources?.first else { return nil }
        return try? DocumentContent(source, cancellation: options.cancellation)
    }

    private func opened(_ input: Input, with model: ManagedObjectModel?) throws(GranaryError) -> Input {
        var input = input
        do throws(GranaryError) {
            if ConnectionText.isConnection(input.path) {
                input.store = try PostgreSQLStores.openForReading(input.path, model: model, timeout: options.timeout)
                return input
            }
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
}
