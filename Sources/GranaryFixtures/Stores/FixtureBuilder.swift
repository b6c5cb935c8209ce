import Foundation
import GranaryBase
import GranaryContexts
import GranaryCoordination
import GranaryCoreDataStore
import GranaryMigration
import GranaryModel
import GranarySeedPlans

/// Builds the template of a fixture.
struct FixtureBuilder {
    let fixture: Fixture

    func build() async throws -> FixtureTemplate {
        switch fixture.origin {
        case .seeds(let seeds): try await build(seeds)
        case .store(let url): try await copy(url, try fixture.model?.read())
        case .migrated(let seeds): try await migrate(seeds)
        }
    }

    // MARK: - Migrations

    private func migrate(_ seeds: MigratedSeeds) async throws -> FixtureTemplate {
        let url = URL(filePath: "\(try FixtureFolder.make())/\(TemplateFile.name)")
        let container = try PersistentContainer(
            schema: try seeds.version(seeds.from).resolved(), store: PersistentStoreDescription(.sqlite(url)),
            transformers: fixture.transformers)
        do { try await container.add(try SeedJobs(seeds.seeds)) } catch {
            FixtureClone.close(container)
            throw error
        }
        FixtureClone.close(container)
        var options = seeds.options
        options.keepsBackup = false
        var migration = try StoreMigration(toVersion: seeds.to, in: seeds.model, options: options)
        migration.steps = seeds.steps
        try await migration.run(store: url)
        return try await copy(url, try seeds.version(seeds.to))
    }

    // MARK: - Seeds

    private func build(_ seeds: [Seed]) async throws -> FixtureTemplate {
        guard let model = fixture.model else { throw GranaryError(.usage, "a fixture with seeds needs a model") }
        let schema = try model.read().resolved()
        let jobs = try SeedJobs(seeds)
        switch fixture.storage {
        case .inMemory:
            let container = try PersistentContainer(
                store: InMemoryStore(schema: schema), classes: fixture.classes, transformers: fixture.transformers)
            try await container.add(jobs)
            return .memory(try Self.contents(of: container))
        case .temporaryFile:
            let template = TemplateFile(folder: try FixtureFolder.make(), schema: schema)
            let url = URL(filePath: "\(template.folder)/\(TemplateFile.name)")
            let container = try PersistentContainer(
                schema: schema, store: PersistentStoreDescription(.sqlite(url)), classes: fixture.classes,
                transformers: fixture.transformers)
            do { try await container.add(jobs) } catch {
                FixtureClone.close(container)
                throw error
            }
            FixtureClone.close(container)
            return .file(template)
        }
    }

    private static func contents(of container: PersistentContainer) throws -> InMemoryStore.Contents {
        let contents = try container.withStore(forReading: true) { store in (store as? InMemoryStore)?.contents }
        guard let contents else { throw GranaryError(.internalDefect, "the fixture is not in memory") }
        return contents
    }

    // MARK: - Stores

    private func copy(_ url: URL, _ model: ManagedObjectModel?) async throws -> FixtureTemplate {
        let path = url.path(percentEncoded: false)
        let storage = fixture.storage
        return try await InBackground.run { _ in
            switch storage {
            case .inMemory: return .memory(try Self.contents(ofStore: path, model))
            case .temporaryFile: return .file(try Self.copy(path, model))
            }
        }
    }

    private static func contents(
        ofStore path: String, _ model: ManagedObjectModel?
    ) throws -> InMemoryStore.Contents {
        var warnings: [Diagnostic] = []
        let source = try SQLiteStore.openForReading(
            path: path, model: model, busyTimeout: .seconds(5), warnings: &warnings)
        let store = InMemoryStore(schema: source.schema)
        do {
            _ = try translating { try StoreCopy(source: source, destination: store).run() }
        } catch var error as GranaryError {
            // Old stores break rules that a store in memory keeps, such as unique values.
            guard error.code == .refused else { throw error }
            error.message += "; storage: .temporaryFile copies the store as it is"
            throw error
        }
        return store.contents
    }

    private static func copy(_ path: String, _ model: ManagedObjectModel?) throws(GranaryError) -> TemplateFile {
        let folder = try FixtureFolder.make()
        let copy = "\(folder)/\(TemplateFile.name)"
        try SQLiteStore.copy(path: path, to: copy)
        let found = try StoreModel.read(path: copy, given: model, allowsPart: false)
        guard found.source != .inferred else {
            throw GranaryError(
                .refused, "\(path): the store contains no model; pass the model, or keep the copy in memory")
        }
        return TemplateFile(folder: folder, schema: found.schema, comparesHashes: found.comparesHashes)
    }
}
