public import Foundation
package import GranaryBase
import GranaryCoreDataStore
import GranaryImport
public import GranaryModel
import GranaryPostgreSQL
public import GranarySubset

/// Chosen objects of another store, and all that they need, which a ``StoreImport`` adds to its store.
///
/// ```swift
/// var options = SubsetOptions()
/// options.selections = [.init("Patient", where: try ObjectPredicate("age > 60"))]
/// options.anonymisedAttributes = ["Patient.name"]
/// var seed = StoreImport(store: target, jobs: jobs)
/// seed.subsets = [StoreSubset(store: production, options: options, onConflict: .skip)]
/// let report = try await seed.run()
/// ```
public struct StoreSubset: Sendable {
    /// The path of the store that the objects are taken from, which is not changed; or a connection string of PostgreSQL.
    public var store: String
    /// The model of that store; nil for the merged models of ``models``.
    public var model: ManagedObjectModel?
    /// The paths of the model's files. If empty and ``model`` is nil, the store must contain its model.
    public var models: [String] = []
    /// Which objects are taken, and what happens to their values. The options of a new store have no effect.
    public var options: SubsetOptions
    /// What happens to an object whose unique values an object of the target has, or a record of an import in the same
    /// run.
    public var onConflict: SubsetOptions.ConflictPolicy
    /// The files with the decisions and the key, which no output may replace.
    package var files: [String] = []
    /// The position in a plan.
    package var position: SourcePosition?

    /// Describes objects of an SQLite store.
    ///
    /// - Parameter model: nil for the model that the store contains.
    public init(
        store: URL, model: ManagedObjectModel? = nil, options: SubsetOptions,
        onConflict: SubsetOptions.ConflictPolicy = .error
    ) {
        self.init(path: store.path(percentEncoded: false), options: options, onConflict: onConflict)
        self.model = model
    }

    /// - Parameter path: the path or the connection string, unchanged in messages.
    package init(path: String, options: SubsetOptions, onConflict: SubsetOptions.ConflictPolicy) {
        store = path
        self.options = options
        self.onConflict = onConflict
    }

    /// The store in messages, without passwords.
    package var storeName: String { ConnectionText.displayName(of: store) }

    /// Whether two runs take different values: replacements that neither a number nor a key determines.
    package var isRandom: Bool {
        options.anonymises && options.randomSeed == nil && options.hashKey == nil
    }

    /// The files that no output may replace.
    var protectedFiles: ProtectedFiles {
        var protected = ProtectedFiles()
        if !ConnectionText.isConnection(store) { protected.add(SQLiteStore.files(ofStore: store), as: "the source's") }
        protected.add(models, as: "the model")
        protected.add(files, as: "the input")
        return protected
    }

    /// Checks the options against the model of the source.
    ///
    /// - Throws: ``GranaryError``, as opening the source and reading the models throws; `usage` for unknown names.
    func check() throws(GranaryError) { try Subset(options: options).check(path: store, model: givenModel()) }

    /// The model of the source.
    ///
    /// - Throws: ``GranaryError``, as opening the source and reading the models throws.
    func sourceModel() throws(GranaryError) -> ManagedObjectModel {
        try Subset(options: options).schema(path: store, model: givenModel()).model
    }

    /// Takes the objects.
    ///
    /// - Parameters:
    ///   - target: the path of the store that gets them.
    ///   - number: the number of the subset, from 1.
    func taken(for target: String, number: Int, _ cancellation: Cancellation?) throws -> SubsetDocuments {
        var options = options
        options.cancellation = options.cancellation ?? cancellation
        // The objects go into a temporary store. The options of its file, such as `ships`, have no effect.
        (options.replacesOutput, options.ships, options.inlinesExternalData) = (false, false, false)
        options.identifier = nil
        return try SubsetDocuments(
            Subset(options: options), path: store, model: try givenModel(), addingTo: target, onConflict: onConflict,
            number: number)
    }

    private func givenModel() throws(GranaryError) -> ManagedObjectModel? {
        guard model == nil, !models.isEmpty else { return model }
        // Warnings about models are those of the store that has them.
        var warnings = DiagnosticCollector()
        return try ManagedObjectModel(paths: models, diagnostics: &warnings)
    }
}
