package import Foundation
import GranaryBase
import GranaryCoordination
import GranaryCoreDataStore
import GranaryGeneration
package import GranaryMigration
import GranaryModel
import GranaryModelFiles
import GranarySeedPlans

/// Tests that the stores of all versions of a model can be migrated to the current one.
package struct MigrationChainCheck: Sendable {
    /// The number of objects of each entity that are generated for a version.
    private static let objectCount = 3

    private let model: URL
    private let fixtures: URL?
    private let steps: [MigrationStep]
    private let options: StoreMigrationOptions

    /// - Parameters:
    ///   - model: a folder of versions.
    ///   - fixtures: a folder with stores of released versions; nil for none.
    package init(model: URL, fixtures: URL?, steps: [MigrationStep], options: StoreMigrationOptions) {
        self.model = model
        self.fixtures = fixtures
        self.steps = steps
        self.options = options
    }

    /// Migrates, in temporary copies, a store with generated objects of each version: step by step over all later
    /// versions, and directly to the last one; then each store of the fixtures.
    ///
    /// - Returns: a message for each migration that failed, with the step and the objects.
    /// - Throws: ``GranaryError`` if the model cannot be read or a temporary file cannot be written.
    package func run() async throws -> [String] {
        try await InBackground.run { cancellation in try run(cancellation) }
    }

    private func run(_ cancellation: Cancellation) throws -> [String] {
        var diagnostics = DiagnosticCollector()
        let chain = try ModelVersionChain(path: model.path(percentEncoded: false), diagnostics: &diagnostics)
        let folder = try FixtureFolder.make()
        defer { try? FileManager.default.removeItem(atPath: folder) }
        var failures: [String] = []
        let names = chain.versions.map(\.name)
        guard let end = chain.versions.firstIndex(where: \.isCurrent) ?? names.indices.last else { return [] }
        // Versions after the current one are in work. If the current one sorts first, names do not sort in their order.
        let older = end > 0 ? Array(names.indices[..<end]) : Array(names.indices.dropFirst())
        for place in older {
            try cancellation.check()
            let store = "\(folder)/\(place).sqlite"
            guard try generate(chain.versions[place].model, store, names[place], &failures) else { continue }
            var copy = "\(folder)/\(place)-direct.sqlite"
            try SQLiteStore.copy(path: store, to: copy)
            try migrate(copy, to: names[end], "generated objects of \"\(names[place])\"", &failures)
            // The whole chain is run once, from the first version.
            guard place == 0, end > 0 else { continue }
            copy = store
            for next in names.indices[1...end] {
                guard try migrate(copy, to: names[next], "generated objects of \"\(names[0])\"", &failures) else {
                    break
                }
            }
        }
        for url in try stores() {
            let copy = "\(folder)/fixture-\(url.lastPathComponent)"
            try SQLiteStore.copy(path: url.path(percentEncoded: false), to: copy)
            try migrate(copy, to: names[end], url.lastPathComponent, &failures)
        }
        return failures
    }

    /// The stores in the folder of fixtures, by name.
    private func stores() throws -> [URL] {
        guard let fixtures else { return [] }
        let files: [URL]
        do {
            files = try FileManager.default.contentsOfDirectory(at: fixtures, includingPropertiesForKeys: nil)
        } catch {
            throw GranaryError(
                .unreadable, "\(fixtures.path(percentEncoded: false)): the folder cannot be read", underlying: error)
        }
        return files.filter { StoreFileFormat(fileAt: $0) == .sqlite }.sorted { $0.path < $1.path }
    }

    /// - Returns: false if the version has problems. A model that cannot be satisfied gives an empty store.
    private func generate(
        _ model: ManagedObjectModel, _ path: String, _ version: String, _ failures: inout [String]
    ) throws -> Bool {
        let schema: Schema
        do throws(GranaryError) { schema = try model.resolved() } catch {
            failures.append("\"\(version)\": \(error)")
            return false
        }
        let store = try SQLiteStore.create(path: path, schema: schema)
        let counts = Dictionary(
            uniqueKeysWithValues: schema.entities.filter { !$0.isAbstract }.map { ($0.name, Self.objectCount) })
        do { _ = try Generator(counts: counts, options: GenerationOptions()).run(into: store) } catch let error
            as GranaryError
        {
            guard error.code == .refused else { throw error }
        }
        try store.publish()
        return true
    }

    /// - Returns: whether the migration succeeded.
    @discardableResult
    private func migrate(_ path: String, to version: String, _ what: String, _ failures: inout [String]) throws -> Bool
    {
        var options = options
        options.keepsBackup = false
        var migration = try StoreMigration(toVersion: version, in: model, options: options)
        migration.steps = steps
        do {
            let report = try migration.run(path: path, model: nil, output: nil)
            guard let refusal = report.refusal else { return true }
            failures.append("\(what) to \"\(version)\": \(refusal)")
        } catch let error as GranaryError {
            guard error.code == .refused else { throw error }
            failures.append("\(what) to \"\(version)\": \(error)")
        }
        return false
    }
}
